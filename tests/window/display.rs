//! The real window on a display without a screen (Xvfb), with mouse and keys from `xdotool`. The lines
//! of `tumble view --events` show its state.
#![cfg(all(feature = "viewer", target_os = "linux"))]

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::graphics::can_draw;
use glam::DVec3;
use serde_json::{Value, json};
use tempfile::TempDir;
use tumble::viewer::App;

const PATIENCE: Duration = Duration::from_secs(60);
const PROGRAMS: [&str; 2] = ["Xvfb", "xdotool"];

/// A window on its own display, in its own folder.
struct Window {
    display: Child,
    name: String,
    program: Child,
    id: String,
    lines: Receiver<Value>,
    complaints: Receiver<String>,
    /// Last reported state.
    now: Value,
    folder: TempDir,
}

/// Starts a display without a screen, and returns it with its name.
fn display() -> (Child, String) {
    let mut display = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-dpi", "96", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut number = String::new();
    BufReader::new(display.stdout.take().unwrap()).read_line(&mut number).unwrap();
    (display, format!(":{}", number.trim()))
}

/// Returns the command of the program on a display.
fn view(display: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tumble"));
    program.env("DISPLAY", display).env("WINIT_X11_SCALE_FACTOR", "1");
    program.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    program
}

impl Window {
    /// Opens the built-in scene `chain`, paused at its start, without panels: the view fills the
    /// window.
    fn open() -> Self {
        let (display, name) = display();
        let folder = tempfile::tempdir().unwrap();
        let mut program = view(&name)
            .args(["view", "chain", "--events"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (send, lines) = channel();
        let output = BufReader::new(program.stdout.take().unwrap());
        std::thread::spawn(move || {
            let values = output.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap());
            values.for_each(|v| drop(send.send(v)));
        });
        let (send, complaints) = channel();
        let mut errors = program.stderr.take().unwrap();
        std::thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            drop(send.send(text));
        });
        let id = String::new();
        let mut window = Self { display, name, program, id, lines, complaints, now: Value::Null, folder };
        window.until("the chain", |now| now["scene"] == "chain");
        window.id = window.xdotool(&["search", "--sync", "--onlyvisible", "--name", "tumble"]);
        window.xdotool(&["windowmove", &window.id, "0", "0", "windowfocus", "--sync", &window.id]);
        window.key("space");
        window.until("a pause", |now| now["playing"] == false);
        window.key("r");
        window.until("the start", |now| now["step"] == 0);
        window.key("backslash");
        window.until("the view alone", |now| now["panels"] == false);
        window
    }

    /// Runs `xdotool` and returns its output.
    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn key(&self, key: &str) {
        self.xdotool(&["key", key]);
    }

    fn pointer(&self, [x, y]: [i32; 2]) {
        self.xdotool(&["mousemove", "--sync", &x.to_string(), &y.to_string()]);
    }

    /// Reads the window's states until one satisfies `holds`.
    fn until(&mut self, what: &str, holds: impl Fn(&Value) -> bool) {
        let start = Instant::now();
        while !holds(&self.now) {
            match self.lines.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
                Ok(line) => self.now = line,
                Err(error) => panic!("waiting for {what}: {error}; it shows {}", self.now),
            }
        }
    }

    fn point(&self, key: &str) -> DVec3 {
        point(&self.now[key])
    }

    fn distance(&self) -> f64 {
        between(&self.now["eye"], &self.now["target"])
    }

    fn middle(&self) -> [i32; 2] {
        let size: [i32; 2] = serde_json::from_value(self.now["size"].clone()).unwrap();
        size.map(|s| s / 2)
    }

    /// Returns the pixel of the body's triangle nearest to the eye at the start of the scene.
    fn place_of(&self, body: &str) -> [i32; 2] {
        let scene = tumble::scene::load_scene("chain", None).unwrap();
        let size: [f64; 2] = serde_json::from_value(self.now["size"].clone()).unwrap();
        let mut app = App::new(Arc::new(|| {})).unwrap();
        app.look_from(scene.camera.as_ref().unwrap());
        let body = scene.bodies.iter().find(|b| b.name == body).unwrap();
        let mesh = &scene.meshes[body.mesh.unwrap() as usize];
        let middle = |t: u32| body.pose.transform_point(mesh.corners(t).into_iter().sum::<DVec3>() / 3.0);
        let away = |p: &DVec3| p.distance(app.camera.eye());
        let places = (0..mesh.triangles().len() as u32).map(middle);
        let nearest = places.min_by(|a, b| away(a).total_cmp(&away(b))).unwrap();
        let seen = app.camera.project(nearest, size[0] / size[1]).unwrap();
        [0.5 * (1.0 + seen.x) * size[0], 0.5 * (1.0 - seen.y) * size[1]].map(|p| p as i32)
    }

    /// Quits as a user does. Returns the exit status, and asserts that there were no complaints.
    fn quit(mut self) -> ExitStatus {
        self.key("ctrl+q");
        let complaints = self.complaints.recv_timeout(PATIENCE).expect("Ctrl+Q ends it");
        for bad in ["panicked", "graphics:"] {
            assert!(!complaints.contains(bad), "{complaints}");
        }
        self.program.wait().unwrap()
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        for child in [&mut self.program, &mut self.display] {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn point(value: &Value) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|k| value[k].as_f64().unwrap()))
}

fn between(a: &Value, b: &Value) -> f64 {
    point(a).distance(point(b))
}

#[test]
fn the_mouse_selects_orbits_and_zooms() {
    if !can_draw(&PROGRAMS) {
        return;
    }
    let mut window = Window::open();
    window.pointer(window.place_of("weight"));
    window.xdotool(&["click", "1"]);
    window.until("the weight", |now| now["selected"] == json!(["weight"]));
    window.pointer(window.place_of("anchor"));
    window.xdotool(&["click", "1"]);
    window.until("the anchor", |now| now["selected"] == json!(["anchor"]));
    window.pointer([40, 40]);
    window.xdotool(&["click", "1"]);
    window.until("nothing", |now| now["selected"] == json!([]));

    let (eye, target, distance) = (window.now["eye"].clone(), window.point("target"), window.distance());
    let [x, y] = window.middle();
    window.pointer([x, y]);
    window.xdotool(&["mousedown", "1"]);
    // Moves that arrive in the same picture as the press are not a drag yet.
    let mut by = 0;
    while window.now["eye"] == eye {
        by += 4;
        assert!(by < 400, "dragging does nothing");
        window.pointer([x + by, y + by / 2]);
        if let Ok(line) = window.lines.recv_timeout(Duration::from_millis(50)) {
            window.now = line;
        }
    }
    window.xdotool(&["mouseup", "1"]);
    assert_eq!(window.point("target"), target);
    assert!((window.distance() - distance).abs() < 1e-9);
    assert_eq!(window.now["selected"], json!([]));

    window.xdotool(&["click", "--repeat", "3", "4"]);
    window.until("a zoom", |now| between(&now["eye"], &now["target"]) < 0.9 * distance);
    assert_eq!(window.point("target"), target);
    assert!(window.quit().success());
}

#[test]
fn keys_play_step_help_and_save_a_picture() {
    if !can_draw(&PROGRAMS) {
        return;
    }
    let mut window = Window::open();
    window.key("period");
    window.until("step 1", |now| now["step"] == 1);
    window.key("period");
    window.until("step 2", |now| now["step"] == 2);
    window.key("comma");
    window.until("step 1 again", |now| now["step"] == 1);
    window.key("space");
    window.until("motion", |now| now["playing"] == true);
    window.key("space");
    window.until("a pause", |now| now["playing"] == false && now["step"].as_u64() > Some(1));
    window.key("F1");
    window.until("help", |now| now["dialog"] == "help");
    window.key("Escape");
    window.until("no help", |now| now["dialog"] == Value::Null);

    window.key("ctrl+p");
    window.until("a picture", |now| now["message"].as_str().is_some_and(|m| m.starts_with("saved ")));
    let name = window.now["message"].as_str().unwrap()["saved ".len()..].to_owned();
    assert_eq!(name, format!("chain-{:06}.png", window.now["step"].as_u64().unwrap()));
    let picture = image::open(window.folder.path().join(name)).unwrap();
    assert_eq!([picture.width(), picture.height()].map(|s| (s / 2) as i32), window.middle());
    assert!(window.quit().success());
}

#[test]
fn a_typed_path_opens_a_recording() {
    if !can_draw(&PROGRAMS) {
        return;
    }
    let mut window = Window::open();
    let run = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["run", "walk-through", "--steps", "3", "--record", "walk"])
        .current_dir(window.folder.path())
        .output()
        .unwrap();
    assert!(run.status.success());
    window.key("ctrl+o");
    window.until("the picker", |now| now["dialog"] == "picker" && now["writing"] == true);
    window.xdotool(&["type", "--delay", "20", "walk"]);
    window.key("Return");
    window.until("the recording", |now| now["scene"] == "walk-through" && now["loading"] == Value::Null);
    window.until("its end", |now| now["step"] == 3);
    window.key("ctrl+o");
    window.until("the picker", |now| now["dialog"] == "picker" && now["writing"] == true);
    window.xdotool(&["type", "--delay", "20", "ing"]);
    window.key("Return");
    window.until("a message", |now| now["message"].as_str().is_some_and(|m| m.contains("walking")));
    assert_eq!(window.now["scene"], "walk-through", "what was shown stays");
    assert!(window.quit().success());
}

#[test]
fn any_size_and_many_of_them_are_survived() {
    if !can_draw(&PROGRAMS) {
        return;
    }
    let mut window = Window::open();
    let mut commands = Vec::new();
    for round in 0..50 {
        let [width, height] =
            [[1 + round, 1], [1300, 880], [7, 300 + round], [640, 2], [320, 240]][round % 5];
        commands.extend(["windowsize".to_owned(), window.id.clone(), width.to_string(), height.to_string()]);
        if round % 10 == 9 {
            let arguments: Vec<&str> = commands.iter().map(String::as_str).collect();
            window.xdotool(&arguments);
            commands.clear();
            window.until("the last size", |now| now["size"] == serde_json::json!([320, 240]));
            window.key("backslash");
            let panels = window.now["panels"].clone();
            window.until("panels or none", |now| now["panels"] != panels);
        }
    }
    window.xdotool(&["windowsize", &window.id, "900", "600"]);
    window.until("a usual size", |now| now["size"] == serde_json::json!([900, 600]));
    window.key("period");
    window.until("step 1", |now| now["step"] == 1);
    assert!(window.quit().success());
}

#[test]
fn a_file_that_cannot_be_opened_is_reported_on_the_terminal_without_a_window() {
    if !can_draw(&PROGRAMS) {
        return;
    }
    let (mut display, name) = display();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.toml"), "[[model]]\nfiel = 3\n").unwrap();
    std::fs::write(folder.path().join("part.stl"), "solid part\nendsolid part\n").unwrap();
    for (file, reason) in [("wrong-name", "wrong-name"), ("broken.toml", "fiel"), ("part.stl", "part.stl")] {
        let output =
            view(&name).args(["view", file, "--events"]).current_dir(folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{file}: {text}");
        assert!(text.starts_with("error: ") && text.contains(reason), "{file}: {text}");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(shown, "", "a window says what it shows");
    }
    display.kill().unwrap();
    display.wait().unwrap();
}

#[test]
fn without_a_display_it_says_what_needs_none() {
    let output = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .arg("view")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .current_dir(Path::new("/"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("tumble run") && text.contains("tumble export"), "{text}");
}
