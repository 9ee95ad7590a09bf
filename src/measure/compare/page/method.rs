//! Short description of the method of measurement.

use maud::{Markup, html};

/// Returns the section that explains the measurement of times and intervals, and the content of the
/// stages.
pub fn section() -> Markup {
    html! {
        section {
            h2 { "Method of measurement" }
            p {
                "All contenders run in one process. They take turns of 5 steps, in a new random order for every \
                 turn, so that other work of the machine affects all contenders alike. One further run is \
                 observed and not timed; deviation, overlap, energy, losses, passages and counts are from that \
                 run. The time of a step is the median of its timed runs, scaled so that the steps of a turn add up \
                 to the median time of that turn. So the means of the stages in steps.csv add up to the mean of this \
                 page."
            }
            p {
                "The interval of a ratio lies between two of the ratios of repeats that ran side by side (order \
                 statistics, which assume no distribution of the times; at least six repeats are needed). The \
                 interval of a mean is a bootstrap interval: the repeats of each turn are resampled. Both cover \
                 95 of 100 cases, on this machine."
            }
            (stages())
        }
    }
}

fn stages() -> Markup {
    let rows = [
        (
            "update",
            "poses, bounding boxes, refits of the hierarchies; the rest of the step",
            "the rest of the step",
        ),
        ("test", "tests of bounding volumes against each other", "broad phase"),
        ("query", "exact tests of triangles and features, which give the contacts", "narrow phase"),
        (
            "solve",
            "contacts and joints to velocities, velocities to poses",
            "islands, solver, continuous collision",
        ),
    ];
    html! {
        div.scroll tabindex="0" role="region" aria-label="Stages of a step" {
            table.left {
                thead { tr {
                    @for name in ["stage", "of tumble", "of rapier"] { th scope="col" { (name) } }
                } }
                tbody {
                    @for (stage, own, other) in rows {
                        tr { th scope="row" { (stage) } td { (own) } td { (other) } }
                    }
                }
            }
        }
        p.note {
            "The stages of two engines do not do the same work: compare totals, and stages only roughly."
        }
    }
}
