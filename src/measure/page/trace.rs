//! Values as SVG paths, reduced to the visible detail. Of all points in one column of a plot, only the
//! lowest and the highest remain, in their order, so that no spike is lost.

use std::fmt::Write;

/// Thins the points of a line to at most two per column. `points` are in drawing units, from left to
/// right; `column` is the width of a column.
pub fn thinned(points: impl Iterator<Item = (f64, f64)>, column: f64) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut all = points.enumerate().peekable();
    while let Some(first) = all.next() {
        let place = (first.1.0 / column).floor();
        let (mut low, mut high) = (first, first);
        while let Some(next) = all.next_if(|(_, p)| (p.0 / column).floor() == place) {
            low = if next.1.1 < low.1.1 { next } else { low };
            high = if next.1.1 > high.1.1 { next } else { high };
        }
        let (a, b) = if low.0 <= high.0 { (low, high) } else { (high, low) };
        kept.push(a.1);
        if a.0 != b.0 {
            kept.push(b.1);
        }
    }
    kept
}

/// Writes a line as differences between successive points, in tenths of a drawing unit, which is finer
/// than a pixel. A single point becomes a dash.
pub fn line(points: &[(f64, f64)]) -> String {
    let tenths = |value: f64| (10.0 * value).round() as i64;
    let mut path = String::new();
    let mut at = (0, 0);
    for (k, &(x, y)) in points.iter().enumerate() {
        let next = (tenths(x), tenths(y));
        match k {
            0 => path.push('M'),
            1 => path.push('l'),
            _ => {}
        }
        push(&mut path, next.0 - at.0);
        push(&mut path, next.1 - at.1);
        at = next;
    }
    if points.len() == 1 {
        path.push_str("m-5 0h10");
    }
    path
}

/// Writes the area between a line and the height `level`.
pub fn area(points: &[(f64, f64)], level: f64) -> String {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
    let closed: Vec<(f64, f64)> =
        [(first.0, level)].iter().chain(points).chain(&[(last.0, level)]).copied().collect();
    line(&closed) + "z"
}

/// Appends a number in its shortest form. A minus sign needs no space before it.
fn push(path: &mut String, tenths: i64) {
    let is_first = path.ends_with(['M', 'l']);
    let sign = match (tenths < 0, is_first) {
        (true, _) => "-",
        (false, true) => "",
        (false, false) => " ",
    };
    let (whole, tenth) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    let written = match (whole, tenth) {
        (_, 0) => write!(path, "{sign}{whole}"),
        (0, _) => write!(path, "{sign}.{tenth}"),
        _ => write!(path, "{sign}{whole}.{tenth}"),
    };
    written.expect("a string takes all that is written");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_keeps_its_lowest_and_highest_in_their_order() {
        let wave = (0..1000).map(|k| {
            let y = match k {
                500 => 90.0,
                505 => -90.0,
                _ => f64::from(k % 3),
            };
            (f64::from(k) * 0.1, y)
        });
        let kept = thinned(wave, 1.0);
        assert_eq!(kept.len(), 200);
        let spikes: Vec<(f64, f64)> = kept.iter().copied().filter(|p| p.1.abs() > 10.0).collect();
        assert_eq!(spikes, [(50.0, 90.0), (50.5, -90.0)]);
        assert!(kept.windows(2).all(|two| two[0].0 < two[1].0));
    }

    #[test]
    fn few_points_are_all_kept() {
        let points = [(0.0, 1.0), (5.0, 2.0), (9.0, 2.0)];
        assert_eq!(thinned(points.into_iter(), 1.0), points);
    }

    #[test]
    fn paths_are_short() {
        assert_eq!(line(&[(0.0, 1.26), (10.0, -2.0), (10.5, -2.0)]), "M0 1.3l10-3.3 .5 0");
        assert_eq!(line(&[(3.0, 4.0)]), "M3 4m-5 0h10");
        assert_eq!(area(&[(0.0, 1.0), (2.0, 1.0)], 5.0), "M0 5l0-4 2 0 0 4z");
        assert_eq!((line(&[]), area(&[], 0.0)), (String::new(), String::new()));
    }
}
