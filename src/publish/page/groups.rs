//! The groups of findings: for each a picture of the worst finding, and its figures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::marks::{badge, class_of, path, place};
use crate::digits::grouped;
use crate::publish::album::{Album, Exhibit};

/// Returns the section of the groups.
pub(super) fn section(album: &Album) -> Markup {
    if album.exhibits.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Groups, the worst first" }
            p.muted {
                "A group has the pairs of the same types of parts. Each picture shows its worst pair: "
                span.swatch.a {} " the first part, " span.swatch.b {} " the second, all others pale. A magenta line joins the "
                "points between which the depth or the distance is measured. Parts in front are cut away; cut faces are orange."
            }
            @if let Some(reason) = &album.fault { p.note { "Pictures are missing: " (reason) } }
            @if let Some(left_out) = album.left_out() { p.note { (left_out) } }
            div.groups { @for exhibit in &album.exhibits { (figure(album, exhibit)) } }
        }
    }
}

fn figure(album: &Album, exhibit: &Exhibit) -> Markup {
    let worst = album.worst(exhibit);
    let count = exhibit.group.findings.len();
    let is_cut = exhibit.png.is_some() && exhibit.sight.is_some_and(|sight| !sight.is_whole);
    html! {
        figure class=(class_of(worst)) {
            @if let Some(png) = &exhibit.png {
                img alt={ (worst.kind.title()) ": " (worst.a) " and " (worst.b) }
                    src={ "data:image/png;base64," (STANDARD.encode(png)) };
            }
            figcaption {
                p.what { (badge(worst)) " " strong { (worst.measure()) } }
                p.title {
                    @if count > 1 { (exhibit.group.title) ": " (grouped(count as u64)) " pairs, of which the worst is" }
                }
                p.pair { span.swatch.a {} " " (path(&worst.a)) br; span.swatch.b {} " " (path(&worst.b)) }
                p.note {
                    "at " (place(worst)) " mm; proof: " (worst.proof.title())
                    @if is_cut { "; both parts are cut open" }
                }
                @if let Some(review) = worst.review.as_ref().filter(|review| !review.word.is_empty()) {
                    p.word { "“" (review.word) "”" }
                }
            }
        }
    }
}
