//! Acclaim motions (AMC): frames with one line per bone. A bone's rotation M is about the bone's own
//! axes C, which the skeleton file defines. The skeleton's joints are aligned with the world, where
//! this rotation is C·M·C⁻¹. A file without a frame rate has 120 frames per second, as those of
//! Carnegie Mellon University.

use glam::{DQuat, DVec3};

use super::asf::{Axes, Freedom, Skeleton};
use super::joints::{Keys, check_frame_count, clip, model, turns};
use super::words::{Checked, fault, number, quoted};
use crate::arrays::MapEach;
use crate::import::model::{Model, Note, NoteKind};
use crate::lookup::Lookup;

/// Frames per second of a file that specifies no rate.
const DEFAULT_RATE: f64 = 120.0;
/// Plausible frame rates, 1/s.
const RATES: std::ops::RangeInclusive<f64> = 0.1..=100_000.0;

/// Reads a motion for `skeleton`; `source` is the name of the motion file.
pub(super) fn read(text: &str, source: &str, skeleton: &Skeleton) -> Checked<Model> {
    let index: Lookup<&str, usize> = skeleton
        .joints
        .iter()
        .take(skeleton.axes.len())
        .enumerate()
        .map(|(i, j)| (j.name.as_str(), i))
        .collect();
    let mut reader = Reader {
        skeleton,
        degrees: skeleton.degrees,
        rate: None,
        specified: false,
        keys: vec![Keys::default(); skeleton.joints.len()],
        frame_count: 0,
        missing_count: 0,
    };
    let mut number_of_frame = None;
    let mut end = 1;
    for (at, raw) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = at + 1;
        let words: Vec<&str> = raw.split('#').next().unwrap_or_default().split_whitespace().collect();
        let Some((&key, values)) = words.split_first() else { continue };
        end = line;
        if let Some(keyword) = key.strip_prefix(':') {
            reader.keyword(line, keyword, values)?;
        } else if let (Ok(frame), []) = (key.parse::<u32>(), values) {
            reader.close_frame(line)?;
            if number_of_frame.is_some_and(|n: u32| n.checked_add(1) != Some(frame)) {
                let before = number_of_frame.unwrap_or_default();
                return fault(line, format!("frame {frame} follows frame {before}"));
            }
            number_of_frame = Some(frame);
            reader.frame_count += 1;
            check_frame_count(line, reader.frame_count, skeleton.joints.len())?;
        } else {
            let Some(&bone) = index.get(&key) else {
                return fault(line, format!("the skeleton has no bone {}", quoted(key)));
            };
            reader.bone(line, bone, values)?;
        }
    }
    if reader.frame_count == 0 {
        return fault(end, "there are no frames");
    }
    reader.close_frame(end)?;
    Ok(reader.finish(source))
}

struct Reader<'a> {
    skeleton: &'a Skeleton,
    /// Factor from the file's angles to degrees.
    degrees: f64,
    /// Frames per second, if the file specifies them.
    rate: Option<f64>,
    /// Whether every frame must have a line for every bone that can move.
    specified: bool,
    /// Keys per joint.
    keys: Vec<Keys>,
    frame_count: usize,
    /// Number of lines of bones that frames omit.
    missing_count: usize,
}

impl Reader<'_> {
    /// Reads a line of the header, which begins with a colon. `keyword` is its first word.
    fn keyword(&mut self, line: usize, keyword: &str, values: &[&str]) -> Checked<()> {
        match (keyword.to_ascii_lowercase().as_str(), values) {
            ("fully-specified", []) => self.specified = true,
            ("degrees", []) => self.degrees = 1.0,
            ("radians", []) => self.degrees = 1f64.to_degrees(),
            ("samples-per-second", [rate]) => {
                let rate = number(line, rate)?;
                if !RATES.contains(&rate) {
                    return fault(line, format!("{rate} frames a second cannot be meant"));
                }
                self.rate = Some(rate);
            }
            _ => return fault(line, format!("{} is not known", quoted(keyword))),
        }
        Ok(())
    }

    /// Reads the line of one bone in a frame.
    fn bone(&mut self, line: usize, bone: usize, values: &[&str]) -> Checked<()> {
        let axes = &self.skeleton.axes[bone];
        let name = &self.skeleton.joints[bone].name;
        if self.frame_count == 0 {
            return fault(line, format!("{} stands before the first frame", quoted(name)));
        }
        if values.len() != axes.freedoms.len() {
            let (found, wanted) = (values.len(), axes.freedoms.len());
            return fault(line, format!("{} has {found} numbers, {wanted} are needed", quoted(name)));
        }
        let keys = &mut self.keys[bone];
        if keys.rotations.len().max(keys.translations.len()) == self.frame_count {
            return fault(line, format!("{} is given twice in a frame", quoted(name)));
        }
        let mut angles = [0.0; 3];
        let mut shift = DVec3::ZERO;
        for (freedom, word) in axes.freedoms.iter().zip(values) {
            let value = number(line, word)?;
            match *freedom {
                Freedom::Rotation(axis) => angles[axis] = self.degrees * value,
                Freedom::Translation(axis) => shift[axis] = self.skeleton.scale * value,
                Freedom::Length => {}
            }
        }
        if turns_about(axes) {
            let own = turns(axes.order.map_each(|axis| (axis, angles[axis])).into_iter().rev());
            keys.rotations.push(axes.orientation * own * axes.orientation.conjugate());
        }
        if moves_along(axes) {
            keys.translations.push(self.skeleton.joints[bone].offset + axes.orientation * shift);
        }
        Ok(())
    }

    /// Completes a frame: bones without a line in it keep their last values.
    fn close_frame(&mut self, line: usize) -> Checked<()> {
        for (bone, axes) in self.skeleton.axes.iter().enumerate() {
            let (keys, joint) = (&mut self.keys[bone], &self.skeleton.joints[bone]);
            let missing = (turns_about(axes) && keys.rotations.len() < self.frame_count)
                || (moves_along(axes) && keys.translations.len() < self.frame_count);
            if !missing {
                continue;
            }
            if self.specified {
                let name = quoted(&joint.name);
                return fault(line, format!("frame {} ends without {name}", self.frame_count));
            }
            self.missing_count += 1;
            if turns_about(axes) {
                keys.rotations.push(keys.rotations.last().copied().unwrap_or(DQuat::IDENTITY));
            }
            if moves_along(axes) {
                keys.translations.push(keys.translations.last().copied().unwrap_or(joint.offset));
            }
        }
        Ok(())
    }

    fn finish(self, source: &str) -> Model {
        let rate = self.rate.unwrap_or(DEFAULT_RATE);
        let step = 1.0 / rate;
        let text = format!(
            "{} joints, {} frames, {:.2} s at {rate} frames a second{}",
            self.skeleton.axes.len(),
            self.frame_count,
            (self.frame_count - 1) as f64 * step,
            if self.rate.is_none() { ", which the file does not say" } else { "" }
        );
        let mut model = model(source, &self.skeleton.joints, text);
        let mut note = |kind, text| model.notes.push(Note { kind, place: source.to_owned(), text });
        if self.missing_count > 0 {
            let text =
                format!("{} times a frame leaves out a bone, which stays as it was", self.missing_count);
            note(NoteKind::Assumed, text);
        }
        if self.skeleton.axes.iter().any(|a| a.freedoms.contains(&Freedom::Length)) {
            note(NoteKind::Ignored, "bones that change their length keep it".to_owned());
        }
        model.clips.push(clip(source, self.keys, self.frame_count, step));
        model
    }
}

fn turns_about(axes: &Axes) -> bool {
    axes.freedoms.iter().any(|f| matches!(f, Freedom::Rotation(_)))
}

fn moves_along(axes: &Axes) -> bool {
    axes.freedoms.iter().any(|f| matches!(f, Freedom::Translation(_)))
}
