//! Lines of a chart from measurements at several sizes.

use super::chart::Series;

use crate::order::Order;

/// Returns one line per name. Measurements of meshes whose sizes differ by at most the factor
/// `same_size` become one point, their geometric mean.
pub fn lines_by_size(measured: &[(String, usize, f64)], same_size: f64) -> Vec<Series> {
    let mut names: Vec<&str> = Vec::new();
    for (name, ..) in measured {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let line = |name: &str| {
        let own = measured.iter().filter(|m| m.0 == name);
        let mut points: Vec<(f64, f64)> = own.map(|m| (m.1 as f64, m.2.max(f64::MIN_POSITIVE))).collect();
        points.order_by(|a, b| a.0.total_cmp(&b.0));
        let close = |a: &(f64, f64), b: &(f64, f64)| b.0 <= same_size * a.0;
        let mean = |of: &[(f64, f64)], pick: fn(&(f64, f64)) -> f64| {
            libm::exp(of.iter().map(|p| libm::log(pick(p))).sum::<f64>() / of.len() as f64)
        };
        let groups = points.chunk_by(close);
        Series {
            name: name.to_owned(),
            points: groups.map(|g| (mean(g, |p| p.0), mean(g, |p| p.1))).collect(),
        }
    };
    names.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_of_about_one_size_are_one_point_of_a_line() {
        let measured = [("a", 9_800, 2.0), ("b", 1000, 7.0), ("a", 10_000, 8.0), ("a", 1000, 1.0)];
        let lines = lines_by_size(&measured.map(|(name, count, time)| (name.to_owned(), count, time)), 1.1);
        assert_eq!(
            lines.iter().map(|l| (l.name.as_str(), l.points.len())).collect::<Vec<_>>(),
            [("a", 2), ("b", 1)]
        );
        assert!((lines[0].points[0].1 - 1.0).abs() < 1e-12 && (lines[0].points[1].1 - 4.0).abs() < 1e-12);
    }
}
