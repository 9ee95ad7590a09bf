//! Biovision hierarchies (BVH): joints with their channels, then one line of numbers per frame.
//! Rotations are in degrees, in the order of the channels, the first being outermost. Position channels
//! replace the joint's OFFSET. Lengths have no unit and are not scaled.

use glam::DVec3;

use super::joints::{Joint, Keys, check_frame_count, clip, model, turns};
use super::words::{Checked, Words, fault, number, quoted};
use crate::digits::seconds;
use crate::import::limits::{CAPTURED_JOINTS, NAME_BYTES};
use crate::import::model::Model;

/// Largest number of channels of a joint: three positions and three rotations.
const CHANNEL_LIMIT: usize = 6;
/// Plausible times between frames, s.
const STEPS: std::ops::RangeInclusive<f64> = 1e-5..=10.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Channel {
    Position(usize),
    Rotation(usize),
}

/// Joints, and the channels of each.
struct Hierarchy {
    joints: Vec<Joint>,
    channels: Vec<Vec<Channel>>,
}

/// Reads a file; `source` is its name in messages.
pub(super) fn read(text: &str, source: &str) -> Checked<Model> {
    let mut words = Words::new(text);
    words.expect("HIERARCHY")?;
    let Hierarchy { joints, channels } = hierarchy(&mut words)?;
    words.expect("Frames:")?;
    let frame_count = words.count("the number of frames")?;
    if frame_count == 0 {
        return fault(words.line, "there are no frames");
    }
    check_frame_count(words.line, frame_count, joints.len())?;
    words.expect("Frame")?;
    words.expect("Time:")?;
    let step = words.number("the time between frames")?;
    if !STEPS.contains(&step) {
        return fault(words.line, format!("{} between frames cannot be meant", seconds(step)));
    }
    let keys = frames(words, frame_count, &joints, &channels)?;
    let note = format!(
        "{} joints, {frame_count} frames, {:.2} s; its lengths have no unit and are kept as they are",
        channels.iter().filter(|c| !c.is_empty()).count(),
        (frame_count - 1) as f64 * step
    );
    let mut model = model(source, &joints, note);
    model.clips.push(clip(source, keys, frame_count, step));
    Ok(model)
}

/// Reads the hierarchy of joints, up to and including the word MOTION.
fn hierarchy(words: &mut Words) -> Checked<Hierarchy> {
    let mut found = Hierarchy { joints: Vec::new(), channels: Vec::new() };
    let mut open: Vec<u32> = Vec::new();
    loop {
        let word = words.need("JOINT, End Site, } or MOTION")?;
        match (word.to_ascii_uppercase().as_str(), open.last().copied()) {
            ("ROOT", None) | ("JOINT" | "END", Some(_)) => {
                let is_end = word.eq_ignore_ascii_case("END");
                let joint = joint(words, open.last().copied(), is_end, &found.joints)?;
                if found.joints.len() == CAPTURED_JOINTS {
                    return fault(words.line, format!("there are more than {CAPTURED_JOINTS} joints"));
                }
                found.joints.push(joint);
                found.channels.push(if is_end { Vec::new() } else { channels(words)? });
                open.push(found.joints.len() as u32 - 1);
                if is_end {
                    words.expect("}")?;
                    open.pop();
                }
            }
            ("}", Some(_)) => {
                open.pop();
            }
            ("MOTION", None) if !found.joints.is_empty() => return Ok(found),
            _ => return fault(words.line, format!("{} cannot stand here", quoted(word))),
        }
    }
}

/// Reads the name, the brace and the offset of a joint. An end site is named after its joint.
fn joint(words: &mut Words, parent: Option<u32>, is_end: bool, joints: &[Joint]) -> Checked<Joint> {
    let mut name = String::new();
    loop {
        match words.need("the name of a joint and {")? {
            "{" => break,
            part if name.is_empty() => name = part.to_owned(),
            part => name = format!("{name} {part}"),
        }
        if name.len() > NAME_BYTES {
            return fault(words.line, format!("the name of a joint is longer than {NAME_BYTES} bytes"));
        }
    }
    if let (true, Some(parent)) = (is_end, parent) {
        name = format!("{}_end", joints[parent as usize].name);
    }
    words.expect("OFFSET")?;
    let mut offset = DVec3::ZERO;
    for axis in 0..3 {
        offset[axis] = words.number("an offset")?;
    }
    Ok(Joint { name, parent, offset })
}

fn channels(words: &mut Words) -> Checked<Vec<Channel>> {
    words.expect("CHANNELS")?;
    let count = words.count("the number of channels")?;
    if count > CHANNEL_LIMIT {
        return fault(words.line, format!("a joint has {count} channels, at most {CHANNEL_LIMIT} are known"));
    }
    let mut channels = Vec::with_capacity(count);
    for _ in 0..count {
        let word = words.need("a channel")?;
        let lower = word.to_ascii_lowercase();
        let axis = "xyz".find(lower.chars().next().unwrap_or(' '));
        let channel = match (axis, lower.get(1..)) {
            (Some(axis), Some("position")) => Channel::Position(axis),
            (Some(axis), Some("rotation")) => Channel::Rotation(axis),
            _ => return fault(words.line, format!("{} is not a channel", quoted(word))),
        };
        if channels.contains(&channel) {
            return fault(words.line, format!("{word} is given twice"));
        }
        channels.push(channel);
    }
    Ok(channels)
}

/// Reads one line per frame, with one number per channel.
fn frames(
    words: Words,
    frame_count: usize,
    joints: &[Joint],
    channels: &[Vec<Channel>],
) -> Checked<Vec<Keys>> {
    let width: usize = channels.iter().map(Vec::len).sum();
    let mut keys = vec![Keys::default(); joints.len()];
    let mut values = Vec::with_capacity(width);
    let header = words.line;
    let mut last_line = header;
    let mut count = 0;
    for (line, text) in words.lines() {
        if line == header {
            return fault(line, "the first frame must stand in a line of its own");
        }
        last_line = line;
        if count == frame_count {
            return fault(line, format!("there are more lines than the {frame_count} frames announced"));
        }
        values.clear();
        for word in text.split_whitespace() {
            values.push(number(line, word)?);
        }
        if values.len() != width {
            return fault(line, format!("a frame has {} numbers, {width} were announced", values.len()));
        }
        let mut rest = values.as_slice();
        for ((joint, channels), keys) in joints.iter().zip(channels).zip(&mut keys) {
            let (own, others) = rest.split_at(channels.len());
            rest = others;
            add_frame(joint, channels, own, keys);
        }
        count += 1;
    }
    if count < frame_count {
        return fault(last_line, format!("the file ends after {count} of {frame_count} frames"));
    }
    Ok(keys)
}

/// Adds the keys of one joint in one frame. `values` are the numbers of its channels.
fn add_frame(joint: &Joint, channels: &[Channel], values: &[f64], keys: &mut Keys) {
    let mut position = joint.offset;
    let mut moves = false;
    for (channel, &value) in channels.iter().zip(values) {
        if let Channel::Position(axis) = channel {
            position[*axis] = value;
            moves = true;
        }
    }
    if moves {
        keys.translations.push(position);
    }
    let rotations = channels.iter().zip(values).filter_map(|(channel, &degrees)| match channel {
        Channel::Rotation(axis) => Some((*axis, degrees)),
        Channel::Position(_) => None,
    });
    if channels.iter().any(|c| matches!(c, Channel::Rotation(_))) {
        keys.rotations.push(turns(rotations));
    }
}
