//! Short description of the method of measurement.

use maud::{Markup, html};

/// Returns the section on the measurement of times and intervals, and on the contents of the stages.
pub fn section() -> Markup {
    html! {
        section {
            h2 { "How it was measured" }
            p {
                "All contenders run in one process. They take turns of 5 steps, in an order that is drawn \
                anew for every turn, so that whatever else the machine does falls on all alike. One \
                further run is observed and not timed: deviation, overlap, energy, losses, passages and \
                counts are from it. The time of a step is the middle of its timed runs."
            }
            p {
                "The interval of a ratio lies between two of the ratios of repeats that ran side by side \
                (order statistics: nothing is assumed of how times are spread; six repeats are the \
                fewest that give one). The interval of a mean is by the bootstrap: the repeats of each \
                turn are drawn anew. Both hold in 95 of 100 cases, and for this machine."
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
        ("query", "exact tests of triangles and features, from which contacts are made", "narrow phase"),
        (
            "solve",
            "contacts and joints to velocities, velocities to poses",
            "islands, solver, continuous collision",
        ),
    ];
    html! {
        div.scroll tabindex="0" role="region" aria-label="What the stages are" {
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
            "The stages of two engines are not the same work: totals can be compared, stages only roughly."
        }
    }
}
