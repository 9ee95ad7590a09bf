//! Topics of the BIM Collaboration Format, version 2.1, which many review tools open.
//!
//! Each group of findings is a topic, with the camera of its worst finding and a picture. A part is
//! named by its path. The identifiers of topics follow from the groups, so that a later export updates
//! the same topics. Coordinates are z up, as in the buildings that these tools show, or along the axes
//! of the checked file. Source: buildingSMART, BCF-XML 2.1, `markup.xsd` and `visinfo.xsd`.

use std::io::{self, Cursor, Write};

use glam::DVec3;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use xxhash_rust::xxh3::xxh3_128;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::album::{Album, Exhibit};
use super::sight::{FIELD_OF_VIEW, Sight};
use crate::import::Up;
use crate::report::findings::FindingFigures;

const VERSION: &str = "2.1";
/// Colors of parts a and b of the worst finding, as alpha, red, green and blue.
const COLORS: [&str; 2] = ["FF009E73", "FF0072B2"];
/// Largest number of pairs that a description lists.
const LISTED: usize = 100;

/// Name and time of an export.
pub struct Authorship {
    pub author: String,
    /// Time as RFC 3339.
    pub date: String,
    /// Name of the checked file, without its folder.
    pub model: String,
    /// Axis that points up in the topics.
    pub up: Up,
}

/// Reason why topics cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("the topics cannot be packed")]
pub enum BcfError {
    Zip(#[from] zip::result::ZipError),
    Io(#[from] io::Error),
}

type Xml = Writer<Vec<u8>>;

/// Returns the topics of an album as a `.bcfzip` file.
pub fn bcf(album: &Album, authorship: &Authorship) -> Result<Vec<u8>, BcfError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Pictures are compressed already. A fixed date makes equal exports equal files.
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut add = |name: &str, bytes: &[u8]| -> Result<(), BcfError> {
        zip.start_file(name, stored)?;
        Ok(zip.write_all(bytes)?)
    };
    add("bcf.version", &version()?)?;
    for (index, exhibit) in (1..).zip(&album.exhibits) {
        let key = key(album, exhibit);
        let [topic, viewpoint, comment] = ["topic", "viewpoint", "comment"].map(|part| guid(part, &key));
        let topic = Topic { album, exhibit, index, authorship, guids: [&topic, &viewpoint, &comment] };
        add(&format!("{}/markup.bcf", topic.guids[0]), &topic.markup()?)?;
        if let Some(sight) = &exhibit.sight {
            add(&format!("{}/viewpoint.bcfv", topic.guids[0]), &topic.viewpoint(sight)?)?;
        }
        if let Some(png) = &exhibit.png {
            add(&format!("{}/snapshot.png", topic.guids[0]), png)?;
        }
    }
    Ok(zip.finish()?.into_inner())
}

/// Returns the key of a group. It stays the same when all findings of the group are accepted, so that
/// its topic is closed; if only some are accepted, those get a topic of their own. Two groups never have
/// one key: the word in front of the title is the name of a kind or `accepted`.
fn key(album: &Album, exhibit: &Exhibit) -> String {
    let group = &exhibit.group;
    let is_rest = |other: &Exhibit| {
        !other.group.is_accepted && (other.group.kind, &other.group.title) == (group.kind, &group.title)
    };
    let is_divided = group.is_accepted && album.exhibits.iter().any(is_rest);
    format!("{}{} {}", if is_divided { "accepted " } else { "" }, group.kind.name(), group.title)
}

/// Returns an identifier that follows from a key.
fn guid(part: &str, key: &str) -> String {
    let hash = format!("{:032x}", xxh3_128(format!("{part} {key}").as_bytes()));
    let (a, b, c, d, e) = (&hash[..8], &hash[8..12], &hash[12..16], &hash[16..20], &hash[20..]);
    format!("{a}-{b}-{c}-{d}-{e}")
}

/// Writes a document with a declaration.
fn document(write: impl FnOnce(&mut Xml) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    write(&mut xml)?;
    Ok(xml.into_inner())
}

/// Writes an element that has only a text. Characters that XML 1.0 does not have are removed: control
/// characters, U+FFFE and U+FFFF.
fn text(xml: &mut Xml, name: &str, text: &str) -> io::Result<()> {
    let is_clean = |c: &char| (!c.is_control() || *c == '\n') && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let clean: String = text.chars().filter(is_clean).collect();
    xml.create_element(name).write_text_content(BytesText::new(&clean)).map(drop)
}

/// Writes a point or a direction.
fn vector(xml: &mut Xml, name: &str, vector: DVec3) -> io::Result<()> {
    let write = |xml: &mut Xml| {
        let axes = ["X", "Y", "Z"].into_iter().zip(vector.to_array());
        axes.into_iter().try_for_each(|(axis, x)| text(xml, axis, &x.to_string()))
    };
    xml.create_element(name).write_inner_content(write).map(drop)
}

/// Writes a part, which is named by its path.
fn component(xml: &mut Xml, path: &str) -> io::Result<()> {
    let write = |xml: &mut Xml| {
        text(xml, "OriginatingSystem", "tumble")?;
        text(xml, "AuthoringToolId", path)
    };
    xml.create_element("Component").write_inner_content(write).map(drop)
}

fn version() -> io::Result<Vec<u8>> {
    document(|xml| {
        let version = xml.create_element("Version").with_attribute(("VersionId", VERSION));
        version.write_inner_content(|xml| text(xml, "DetailedVersion", VERSION)).map(drop)
    })
}

struct Topic<'a> {
    album: &'a Album<'a>,
    exhibit: &'a Exhibit,
    index: usize,
    authorship: &'a Authorship,
    /// Identifiers of the topic, its viewpoint and its comment.
    guids: [&'a str; 3],
}

impl Topic<'_> {
    fn worst(&self) -> &FindingFigures {
        self.album.worst(self.exhibit)
    }

    fn title(&self) -> String {
        let worst = self.worst();
        match self.exhibit.group.findings.len() {
            1 => format!("{}: {} – {}, {}", worst.kind.title(), worst.a, worst.b, worst.measure()),
            count => format!("{}: {}, {count} pairs", worst.kind.title(), self.exhibit.group.title),
        }
    }

    /// Describes the pairs of the group.
    fn description(&self) -> String {
        let count = self.exhibit.group.findings.len();
        let line = |f: &FindingFigures| {
            let point = self.authorship.up.in_file(DVec3::from(f.points[0]));
            let [x, y, z] = point.to_array().map(|x| format!("{:.2}", 1e3 * x));
            let measure = f.measure();
            format!(
                "{} – {}: {} {measure} at {x}, {y}, {z} mm ({})\n",
                f.a,
                f.b,
                f.kind.name(),
                f.proof.title()
            )
        };
        let mut text: String = self.album.findings(self.exhibit).take(LISTED).map(line).collect();
        if count > LISTED {
            text += &format!("and {} more pairs\n", count - LISTED);
        }
        text
    }

    fn markup(&self) -> io::Result<Vec<u8>> {
        let [guid, viewpoint, comment] = self.guids;
        let Authorship { author, date, model, .. } = self.authorship;
        let status = if self.exhibit.group.is_accepted { "Closed" } else { "Open" };
        let (worst, exhibit) = (self.worst(), self.exhibit);
        let topic = |xml: &mut Xml| {
            text(xml, "Title", &self.title())?;
            text(xml, "Index", &self.index.to_string())?;
            text(xml, "Labels", worst.kind.name())?;
            text(xml, "CreationDate", date)?;
            text(xml, "CreationAuthor", author)?;
            text(xml, "Description", &self.description())
        };
        let remark = |xml: &mut Xml, word: &str| {
            text(xml, "Date", date)?;
            text(xml, "Author", author)?;
            text(xml, "Comment", word)
        };
        let views = |xml: &mut Xml| {
            text(xml, "Viewpoint", "viewpoint.bcfv")?;
            exhibit.png.iter().try_for_each(|_| text(xml, "Snapshot", "snapshot.png"))
        };
        let markup = |xml: &mut Xml| {
            xml.create_element("Header").write_inner_content(|xml| {
                let file = xml.create_element("File").with_attribute(("IsExternal", "true"));
                file.write_inner_content(|xml| text(xml, "Filename", model)).map(drop)
            })?;
            let attributes = [("Guid", guid), ("TopicType", "Clash"), ("TopicStatus", status)];
            xml.create_element("Topic").with_attributes(attributes).write_inner_content(topic)?;
            let word = worst.review.as_ref().map_or("", |review| &review.word);
            if !word.is_empty() {
                let element = xml.create_element("Comment").with_attribute(("Guid", comment));
                element.write_inner_content(|xml| remark(xml, word))?;
            }
            if exhibit.sight.is_some() {
                let element = xml.create_element("Viewpoints").with_attribute(("Guid", viewpoint));
                element.write_inner_content(views)?;
            }
            Ok(())
        };
        document(|xml| xml.create_element("Markup").write_inner_content(markup).map(drop))
    }

    fn viewpoint(&self, sight: &Sight) -> io::Result<Vec<u8>> {
        let mut paths: Vec<&str> =
            self.album.findings(self.exhibit).take(LISTED).flat_map(|f| [&f.a[..], &f.b[..]]).collect();
        paths.sort_unstable();
        paths.dedup();
        let worst = self.worst();
        let colored = |xml: &mut Xml| {
            [&worst.a, &worst.b].into_iter().zip(COLORS).try_for_each(|(path, color)| {
                let element = xml.create_element("Color").with_attribute(("Color", color));
                element.write_inner_content(|xml| component(xml, path)).map(drop)
            })
        };
        let components = |xml: &mut Xml| {
            xml.create_element("Selection")
                .write_inner_content(|xml| paths.iter().try_for_each(|path| component(xml, path)))?;
            xml.create_element("Visibility").with_attribute(("DefaultVisibility", "true")).write_empty()?;
            xml.create_element("Coloring").write_inner_content(colored).map(drop)
        };
        let vector = |xml: &mut Xml, name: &str, of_scene: DVec3| {
            vector(xml, name, self.authorship.up.in_file(of_scene))
        };
        let camera = |xml: &mut Xml| {
            vector(xml, "CameraViewPoint", sight.eye)?;
            vector(xml, "CameraDirection", sight.forward())?;
            vector(xml, "CameraUpVector", sight.up())?;
            text(xml, "FieldOfView", &FIELD_OF_VIEW.to_string())
        };
        let line = |xml: &mut Xml| {
            vector(xml, "StartPoint", sight.points[0])?;
            vector(xml, "EndPoint", sight.points[1])
        };
        let plane = |xml: &mut Xml| {
            let point = sight.section.offset * sight.section.normal;
            vector(xml, "Location", point)?;
            vector(xml, "Direction", sight.section.normal)
        };
        let view = |xml: &mut Xml| {
            xml.create_element("Components").write_inner_content(components)?;
            xml.create_element("PerspectiveCamera").write_inner_content(camera)?;
            xml.create_element("Lines")
                .write_inner_content(|xml| xml.create_element("Line").write_inner_content(line).map(drop))?;
            if !sight.is_whole {
                let inner =
                    |xml: &mut Xml| xml.create_element("ClippingPlane").write_inner_content(plane).map(drop);
                xml.create_element("ClippingPlanes").write_inner_content(inner)?;
            }
            Ok(())
        };
        let guid = self.guids[1];
        document(|xml| {
            let element = xml.create_element("VisualizationInfo").with_attribute(("Guid", guid));
            element.write_inner_content(view).map(drop)
        })
    }
}
