//! Animations: tracks of translations, rotations and scales over time.

use glam::{DQuat, DVec3};
use gltf::json;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::animation::{Interpolation as FileInterpolation, Property};
use gltf::json::validation::Checked as Known;

use super::reader::Reader;
use crate::import::fault::{Checked, fault};
use crate::import::model::{Clip, Interpolation, NoteKind, Track, TrackValues};

const ROTATION_COMPONENTS: [ComponentType; 5] =
    [ComponentType::F32, ComponentType::I8, ComponentType::U8, ComponentType::I16, ComponentType::U16];

impl Reader<'_> {
    pub(super) fn read_clips(&mut self) -> Checked<()> {
        for (index, animation) in self.root.animations.iter().enumerate() {
            let name = self.name(&format!("animation {index}"), animation.name.as_deref());
            let mut clip = Clip { name, ..Clip::default() };
            for (at, channel) in animation.channels.iter().enumerate() {
                let place = format!("animation {index} {:?}, channel {at}", clip.name);
                if let Some(track) = self.read_track(&place, animation, channel)? {
                    let end = track.times.last().map_or(0.0, |&t| f64::from(t));
                    clip.duration = clip.duration.max(end);
                    clip.tracks.push(track);
                }
            }
            self.model.clips.push(clip);
        }
        Ok(())
    }

    /// Reads a track; `None` for properties that are not animated here.
    fn read_track(
        &mut self,
        place: &str,
        animation: &json::Animation,
        channel: &json::animation::Channel,
    ) -> Checked<Option<Track>> {
        let Some(sampler) = animation.samplers.get(channel.sampler.value()) else {
            return fault(place, format!("there is no sampler {}", channel.sampler.value()));
        };
        let node = channel.target.node.value();
        if node >= self.model.nodes.len() {
            return fault(place, format!("there is no node {node}"));
        }
        let property = match channel.target.path {
            Known::Valid(Property::MorphTargetWeights) => {
                self.note(NoteKind::Ignored, place, "morph targets stay at rest");
                return Ok(None);
            }
            Known::Valid(property) => property,
            Known::Invalid => {
                self.note(NoteKind::Ignored, place, "animates something unknown");
                return Ok(None);
            }
        };
        let Known::Valid(interpolation) = sampler.interpolation else {
            return fault(place, "has an unknown interpolation");
        };
        let times = self.accessors.read(sampler.input.value(), &[Type::Scalar], &[ComponentType::F32])?;
        let times: Vec<f32> = times.values.iter().map(|&t| t as f32).collect();
        if times.iter().any(|t| !t.is_finite()) || !times.is_sorted_by(|a, b| a < b) {
            return fault(place, "its times are not finite and increasing");
        }
        let (interpolation, values_a_key) = match interpolation {
            FileInterpolation::Step => (Interpolation::Step, 1),
            FileInterpolation::Linear => (Interpolation::Linear, 1),
            FileInterpolation::CubicSpline => (Interpolation::CubicSpline, 3),
        };
        let output = sampler.output.value();
        let values = if property == Property::Rotation {
            let numbers = self.accessors.read(output, &[Type::Vec4], &ROTATION_COMPONENTS)?;
            TrackValues::Rotation(numbers.elements::<4>().map(DQuat::from_array).collect())
        } else {
            let numbers = self.accessors.read(output, &[Type::Vec3], &[ComponentType::F32])?;
            let vectors: Vec<DVec3> = numbers.elements::<3>().map(DVec3::from_array).collect();
            if property == Property::Scale {
                TrackValues::Scale(vectors)
            } else {
                TrackValues::Translation(vectors)
            }
        };
        let (count, finite) = match &values {
            TrackValues::Rotation(v) => (v.len(), v.iter().all(|q| q.is_finite())),
            TrackValues::Translation(v) | TrackValues::Scale(v) => (v.len(), v.iter().all(|v| v.is_finite())),
        };
        // Only the value itself is tested: in a cubic track the tangents before and after it may be
        // zero.
        let keys = if values_a_key == 3 { 1..2 } else { 0..1 };
        if let TrackValues::Rotation(rotations) = &values
            && rotations
                .chunks(values_a_key)
                .any(|c| c.get(keys.clone()).is_some_and(|q| q[0].length() < 1e-6))
        {
            return fault(place, "a key of its rotation is a zero quaternion");
        }
        if count != times.len() * values_a_key || !finite {
            return fault(
                place,
                format!("its {count} values do not fit {} times or are not finite", times.len()),
            );
        }
        Ok(Some(Track { node: node as u32, times, values, interpolation }))
    }
}
