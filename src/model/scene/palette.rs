//! Colors for surfaces without one, to distinguish parts.
//!
//! The color follows from the index of the mesh: successive meshes differ, and copies of one mesh share
//! a color. The colors are muted, distinguishable with every kind of color vision, and unlike the gray
//! of the ground and the colors of marks in the window.

/// Palette, sRGB. A search maximized the smallest CIELAB difference between any two colors, and between
/// a color and the marks, as seen with normal, protan, deutan and tritan vision.
pub(super) const PALETTE: [[u8; 3]; 8] = [
    [55, 140, 210],
    [219, 197, 117],
    [140, 47, 99],
    [177, 207, 172],
    [195, 138, 107],
    [81, 80, 151],
    [48, 215, 224],
    [136, 119, 161],
];

/// Returns the color for the mesh with index `mesh` in its scene.
pub fn color(mesh: u32) -> [u8; 3] {
    PALETTE[mesh as usize % PALETTE.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::rules::GROUND_COLOR;

    /// Returns a color (sRGB) in CIELAB, whose distances match perceived ones, as seen with one kind of
    /// cone missing. The matrix `eyes` applies to linear light (Machado, Oliveira and Fernandes, 2009).
    fn seen(color: [u8; 3], eyes: &[[f64; 3]; 3]) -> [f64; 3] {
        let linear = color.map(|c| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        let dot = |row: &[f64; 3], v: [f64; 3]| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
        let light = [0, 1, 2].map(|k| dot(&eyes[k], linear).clamp(0.0, 1.0));
        let to_xyz = [[0.4339, 0.3763, 0.1899], [0.2126, 0.7152, 0.0722], [0.0177, 0.1095, 0.8729]];
        let [x, y, z] = to_xyz.map(|row| {
            let t = dot(&row, light);
            if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ];

    #[test]
    fn eyes_of_every_kind_tell_the_colours_from_each_other_and_from_the_ground() {
        for eyes in &EYES {
            let away = |a: [u8; 3], b: [u8; 3]| {
                let (a, b) = (seen(a, eyes), seen(b, eyes));
                (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
            };
            for (at, &a) in PALETTE.iter().enumerate() {
                for &b in PALETTE[at + 1..].iter().chain([&GROUND_COLOR]) {
                    // In these units a just noticeable difference is about 2.
                    assert!(away(a, b) > 14.0, "{a:?} and {b:?}: {}", away(a, b));
                }
            }
        }
    }
}
