//! Three boxes as designed: a base, a lid 50 mm deep in it, and a post 250 mm beside both.

use std::path::{Path, PathBuf};

use egui::Key;
use tumble::scene::OpenAs;

use super::bench::Bench;

/// Box of an OBJ file: its name, least corner and size, m.
type Cuboid = (&'static str, [f64; 3], [f64; 3]);

const BOXES: [Cuboid; 3] = [
    ("base", [0.0; 3], [1.0; 3]),
    ("lid", [0.0, 0.95, 0.0], [1.0, 0.5, 1.0]),
    ("post", [1.25, 0.0, 0.0], [0.2, 1.0, 0.2]),
];
const SIDES: [[usize; 4]; 6] =
    [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];

/// Writes the boxes into a folder, as `design.obj`.
pub fn write(folder: &Path) -> PathBuf {
    let mut text = String::new();
    for (number, (name, low, size)) in BOXES.iter().enumerate() {
        text += &format!("o {name}\n");
        for corner in 0..8 {
            let at = |k: usize| low[k] + if corner >> k & 1 == 1 { size[k] } else { 0.0 };
            text += &format!("v {} {} {}\n", at(0), at(1), at(2));
        }
        for side in SIDES {
            let corners = side.map(|corner| (8 * number + corner).to_string());
            text += &format!("f {}\n", corners.join(" "));
        }
    }
    let path = folder.join("design.obj");
    std::fs::write(&path, text).unwrap();
    path
}

/// Opens the boxes as designed, and shows them as the window does in its first picture.
pub fn open(folder: &Path) -> Bench {
    let mut bench = Bench::empty();
    bench.app().loader.opened.otherwise = OpenAs::Designed;
    bench.app().open(write(folder).to_str().unwrap());
    bench.wait("the design", |app| app.stage.is_some());
    bench.key(Key::F);
    bench.harness.run_steps(3);
    bench
}
