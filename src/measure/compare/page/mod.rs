//! A comparison as one self-contained HTML document, without scripts and network access. `maud` escapes
//! all data, because names of bodies and scenes come from files.
//!
//! - `counts.rs`: one plot for each counter that any contender reports.
//! - `fixture.rs`: made-up comparisons for tests.
//! - `head.rs`: the top of the page: the contenders, the main result, the pictures.
//! - `method.rs`: the method of measurement.
//! - `motion.rs`: deviation of contenders from the first.
//! - `shared.rs`: colors, plots and legends shared by all contenders.
//! - `state.rs`: state of the bodies: energy, overlap, losses, passages, rest.
//! - `times.rs`: times of steps, stage by stage, and their spread.

mod counts;
#[cfg(test)]
pub(super) mod fixture;
mod head;
mod method;
mod motion;
mod shared;
mod state;
mod times;

use maud::html;

use super::result::Comparison;
use crate::page::document;

/// Returns the document. `picture` returns the PNG with the file name [`super::result::Picture::file`],
/// if it exists. Equal comparisons give equal bytes.
pub fn page(comparison: &Comparison, picture: &dyn Fn(&str) -> Option<Vec<u8>>) -> String {
    let body = html! {
        (head::opening(comparison))
        main {
            (head::table(comparison))
            (head::pictures(comparison, picture))
            (times::section(comparison))
            (times::spread_section(comparison))
            (counts::section(comparison))
            (motion::section(comparison))
            (state::section(comparison))
            (method::section())
        }
    };
    document(&format!("{}: comparison", comparison.scene), "", &body)
}

#[cfg(test)]
mod tests {
    use super::fixture::{empty, falling};
    use super::*;
    use crate::compare::result::{Comparison, Ended, Estimate, JointPeak};

    const NAMES: [&str; 6] = ["boxtree8", "aabb", "rapier", "paper", "sphere", "obb"];

    fn none(_: &str) -> Option<Vec<u8>> {
        None
    }

    fn written(comparison: &Comparison) -> String {
        page(comparison, &none)
    }

    /// Checks that the page has no number that is "NaN" or "inf".
    fn assert_finite(page: &str) {
        let is_bad = |word: &&str| matches!(*word, "NaN" | "inf");
        let bad = page.split(|c: char| !c.is_alphanumeric()).find(is_bad);
        assert_eq!(bad, None);
    }

    #[test]
    fn names_from_files_are_inert() {
        let evil = "<script>alert(1)</script>\"'&";
        let mut all = falling(&[evil, "b", evil], 20, 8);
        all.scene = evil.to_owned();
        all.description = evil.to_owned();
        all.notes = vec![evil.to_owned()];
        for one in &mut all.contenders {
            one.about = evil.to_owned();
            one.unmapped = vec![evil.to_owned()];
            one.ended = Some(Ended { step: 3, reason: evil.to_owned() });
            one.state_hash = evil.to_owned();
            one.lost.iter_mut().for_each(|lost| lost.body = evil.to_owned());
            one.passages.iter_mut().flatten().for_each(|p| p.body = evil.to_owned());
            one.passages.iter_mut().flatten().for_each(|p| p.through = evil.to_owned());
            one.parting.iter_mut().chain(&mut one.first_difference).for_each(|p| p.body = evil.to_owned());
            one.joint_gap = Some(JointPeak { joint: evil.to_owned(), step: 1, value: 0.25 });
            one.deepest.iter_mut().for_each(|d| d.bodies = [evil.to_owned(), evil.to_owned()]);
            one.deviation.bodies =
                one.deviation.bodies.iter().map(|(n, v)| (n.clone() + evil, v.clone())).collect();
        }
        all.pictures.iter_mut().for_each(|p| p.file = evil.to_owned());
        let page = written(&all);
        assert!(!page.contains("<script") && !page.contains("\"'&"));
        assert!(page.contains("&lt;script&gt;"));
    }

    #[test]
    fn the_same_comparison_gives_the_same_bytes() {
        let all = falling(&NAMES, 100, 30);
        assert_eq!(written(&all), written(&all.clone()));
    }

    #[test]
    fn a_page_of_many_bodies_and_steps_is_no_larger_than_can_be_seen() {
        let page = written(&falling(&NAMES, 2000, 8000));
        assert!(page.len() < 5_000_000, "{} bytes", page.len());
        assert!(page.contains("200 of 8,000 bodies"));
    }

    #[test]
    fn nothing_is_asked_of_the_network_and_both_grounds_are_coloured() {
        let page = written(&falling(&NAMES, 50, 10));
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"));
        assert!(page.contains("color-scheme:light dark") && page.contains("prefers-color-scheme:dark"));
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">"));
    }

    #[test]
    fn every_contender_is_in_the_legend_of_every_plot_that_contenders_share() {
        let page = written(&falling(&NAMES, 50, 10));
        let legends =
            page.split("<ul class=\"legend\">").skip(1).map(|rest| rest.split("</ul>").next().unwrap());
        let shared: Vec<&str> = legends.filter(|legend| legend.contains("boxtree8")).collect();
        // The plots: time, its shares, four counts, two deviations, energy, overlap.
        assert_eq!(shared.len(), 10);
        for legend in shared {
            assert!(
                NAMES
                    .iter()
                    .all(|name| legend.contains(&format!("{name}<")) || legend.contains(&format!("{name} "))),
                "{legend}"
            );
        }
        assert_eq!(page.matches("rapier<span class=\"muted\"> (does not count this)").count(), 4);
    }

    #[test]
    fn missing_and_non_finite_values_are_not_written_as_numbers() {
        let mut all = falling(&NAMES, 30, 5);
        let one = &mut all.contenders[2];
        one.energy[3] = f64::NAN;
        one.energy[4] = f64::INFINITY;
        one.mean = Estimate { value: f64::NAN, interval: None };
        one.ratio = Some(Estimate { value: f64::INFINITY, interval: None });
        one.runs = vec![f64::NAN];
        one.times.solve[7] = f64::NAN;
        one.overlap[1] = f64::INFINITY;
        one.deviation.farthest[9] = f64::NAN;
        one.deviation.bodies.values_mut().for_each(|values| values[4] = f32::NAN);
        one.rest.shiver = Some(f64::NAN);
        assert_finite(&written(&all));
    }

    #[test]
    fn short_empty_and_equal_comparisons_are_pages_too() {
        assert_finite(&written(&empty()));
        for (names, steps, bodies) in
            [(&NAMES[..1], 0, 0), (&NAMES[..2], 0, 3), (&NAMES[..2], 1, 1), (&NAMES, 3, 0)]
        {
            assert_finite(&written(&falling(names, steps, bodies)));
        }
        let mut all = falling(&NAMES, 40, 4);
        for one in &mut all.contenders {
            one.energy.fill(0.0);
            one.mean.interval = None;
            one.times.update.truncate(25);
            one.times.update.fill(0.0);
            one.times.test = one.times.update.clone();
            one.times.query = one.times.update.clone();
            one.times.solve = one.times.update.clone();
        }
        assert_finite(&written(&all));
    }

    #[test]
    fn passages_are_listed_up_to_a_limit_and_older_comparisons_are_marked_as_unchecked() {
        let mut all = falling(&NAMES[..3], 6, 80);
        let page = written(&all);
        assert_eq!(page.matches("Bodies that passed through a surface</h3>").count(), 1);
        assert!(page.contains("<b>aabb</b>: none") && page.contains("gear_1 (through tray, step 2)"));
        assert!(page.contains("gear_49 (through tray, step 2) and 30 more"));
        assert!(!page.contains("gear_50 (through"));
        all.contenders.iter_mut().for_each(|one| one.passages = None);
        let page = written(&all);
        assert!(page.contains("<b>rapier</b>: not checked") && !page.contains("through a surface."));
    }

    #[test]
    fn joints_are_in_the_summary_only_of_scenes_that_have_some() {
        let mut all = falling(&NAMES[..2], 6, 2);
        assert!(!written(&all).contains("joint gap"));
        all.contenders[1].joint_gap = Some(JointPeak { joint: "elbow".to_owned(), step: 4, value: 0.25 });
        let page = written(&all);
        assert!(page.contains("largest joint gap, mm") && page.contains("Gap and twist of a joint"));
        assert_eq!(page.matches("<td class=\"words\">250<small>elbow, step 4</small></td>").count(), 1);
        // The three others, and the step at which the first contender parts from itself.
        assert_eq!(page.matches("<td class=\"words\">–</td>").count(), 4);
    }

    #[test]
    fn pictures_are_in_the_page_or_said_to_be_missing() {
        let all = falling(&NAMES[..1], 6, 2);
        let page = page(&all, &|file| (file == "0-3.png").then(|| b"png".to_vec()));
        assert!(page.contains("src=\"data:image/png;base64,cG5n\""));
        assert!(page.contains("The picture 0-6.png is not there."));
    }
}
