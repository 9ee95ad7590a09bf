//! Accessor data of a file. It is read only after a check that its whole range lies in a buffer.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use gltf::json;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::validation::Checked as Known;

use super::compressed;
use crate::arrays::from_each;
use crate::import::fault::{Checked, fault};
use crate::import::limits::{NUMBERS, NUMBERS_OF_ANY_FILE, NUMBERS_PER_BYTE};

pub(super) struct Accessors<'a> {
    root: &'a json::Root,
    /// Bytes of each buffer view.
    views: Vec<Cow<'a, [u8]>>,
    /// Numbers of the accessors of compressed primitives, by accessor, not normalized.
    unpacked: BTreeMap<usize, Vec<f64>>,
    limit: u64,
    taken: Cell<u64>,
}

/// Elements of one accessor as numbers: `width` values per element, normalized if the file specifies
/// so.
pub(super) struct Numbers {
    pub width: usize,
    pub component: ComponentType,
    pub normalized: bool,
    pub values: Vec<f64>,
}

impl Numbers {
    pub fn count(&self) -> usize {
        self.values.len() / self.width
    }

    pub fn elements<const N: usize>(&self) -> impl Iterator<Item = [f64; N]> + '_ {
        debug_assert_eq!(self.width, N);
        self.values.chunks_exact(N).map(|c| from_each(|k| c[k]))
    }
}

fn width_of(kind: Type) -> usize {
    match kind {
        Type::Scalar => 1,
        Type::Vec2 => 2,
        Type::Vec3 => 3,
        Type::Vec4 | Type::Mat2 => 4,
        Type::Mat3 => 9,
        Type::Mat4 => 16,
    }
}

fn size_of_component(component: ComponentType) -> usize {
    match component {
        ComponentType::I8 | ComponentType::U8 => 1,
        ComponentType::I16 | ComponentType::U16 => 2,
        ComponentType::U32 | ComponentType::F32 => 4,
    }
}

impl<'a> Accessors<'a> {
    /// Reads all buffer views. Fails if a view exceeds its buffer.
    pub fn new(root: &'a json::Root, buffers: &'a [Vec<u8>]) -> Checked<Self> {
        let views = compressed::views(root, buffers)?;
        let unpacked = compressed::accessors(root, &views)?;
        let bytes: u64 = buffers.iter().map(|b| b.len() as u64).sum();
        let owned = |view: &Cow<[u8]>| if let Cow::Owned(bytes) = view { bytes.len() as u64 } else { 0 };
        let bytes = bytes + views.iter().map(owned).sum::<u64>();
        let numbers = unpacked.values().map(|n| n.len() as u64).sum::<u64>();
        let limit = (NUMBERS_OF_ANY_FILE + NUMBERS_PER_BYTE * bytes + numbers).min(NUMBERS);
        Ok(Self { root, views, unpacked, limit, taken: Cell::new(0) })
    }

    /// Counts numbers before they are stored. Fails if all numbers of the model together exceed its
    /// limit.
    pub fn take(&self, place: &str, numbers: u64) -> Checked<()> {
        self.taken.set(self.taken.get().saturating_add(numbers));
        if self.taken.get() > self.limit {
            return fault(place, format!("the model takes more than {} numbers, its limit", self.limit));
        }
        Ok(())
    }

    /// Returns the bytes of a buffer view.
    pub fn view(&self, index: usize) -> Checked<&[u8]> {
        match self.views.get(index) {
            Some(view) => Ok(view),
            None => fault(format!("buffer view {index}"), "does not exist"),
        }
    }

    /// Reads an accessor. Fails unless it has one of the types `kinds` and one of the component types
    /// `components`.
    pub fn read(&self, index: usize, kinds: &[Type], components: &[ComponentType]) -> Checked<Numbers> {
        let place = format!("accessor {index}");
        let Some(accessor) = self.root.accessors.get(index) else {
            return fault(place, format!("does not exist, there are {}", self.root.accessors.len()));
        };
        let Known::Valid(kind) = accessor.type_ else { return fault(place, "has an unknown type") };
        let Known::Valid(component) = accessor.component_type else {
            return fault(place, "has an unknown component type");
        };
        let component = component.0;
        if !kinds.contains(&kind) || !components.contains(&component) {
            return fault(place, format!("cannot be {kind:?} of {component:?} where it is used"));
        }
        let width = width_of(kind);
        let count = accessor.count.0;
        if count == 0 {
            return fault(place, "is empty");
        }
        let mut values = match (self.unpacked.get(&index), accessor.buffer_view) {
            (Some(stored), _) => {
                self.take(&place, stored.len() as u64)?;
                let scale = if accessor.normalized { largest(component) } else { 1.0 };
                stored.iter().map(|x| if accessor.normalized { (x / scale).max(-1.0) } else { *x }).collect()
            }
            (None, Some(view)) => {
                let offset = accessor.byte_offset.map_or(0, |o| o.0);
                self.numbers(&place, view.value(), offset, count, width, component, accessor.normalized)?
            }
            (None, None) => {
                self.take(&place, count.saturating_mul(width as u64))?;
                vec![0.0; count as usize * width]
            }
        };
        if let Some(sparse) = &accessor.sparse {
            self.replace(&place, sparse, count, width, component, accessor.normalized, &mut values)?;
        }
        Ok(Numbers { width, component, normalized: accessor.normalized, values })
    }

    /// Reads `count` elements from a buffer view, after a check that the last one ends inside it.
    #[expect(clippy::too_many_arguments, reason = "what an accessor says of its elements")]
    fn numbers(
        &self,
        place: &str,
        view: usize,
        offset: u64,
        count: u64,
        width: usize,
        component: ComponentType,
        normalized: bool,
    ) -> Checked<Vec<f64>> {
        let (Some(bytes), Some(view)) = (self.views.get(view), self.root.buffer_views.get(view)) else {
            return fault(place, format!("there is no buffer view {view}"));
        };
        let size = size_of_component(component);
        let element = (size * width) as u64;
        let stride = view.byte_stride.map_or(element, |s| s.0 as u64);
        if stride < element || stride > 252.max(element) {
            return fault(place, format!("a stride of {stride} bytes does not fit elements of {element}"));
        }
        let last = (count - 1).checked_mul(stride).and_then(|l| l.checked_add(offset));
        let end = last.and_then(|l| l.checked_add(element));
        if end.is_none_or(|e| e > view.byte_length.0) {
            return fault(place, format!("its {count} elements reach beyond their buffer view"));
        }
        self.take(place, count * width as u64)?;
        let bytes = &bytes[offset as usize..];
        let mut values = Vec::with_capacity(count as usize * width);
        for at in 0..count as usize {
            let element = &bytes[at * stride as usize..];
            values.extend((0..width).map(|k| number(&element[k * size..], component, normalized)));
        }
        Ok(values)
    }

    /// Overwrites elements of `values` by those of a sparse accessor.
    #[expect(clippy::too_many_arguments, reason = "what an accessor says of its elements")]
    fn replace(
        &self,
        place: &str,
        sparse: &json::accessor::sparse::Sparse,
        count: u64,
        width: usize,
        component: ComponentType,
        normalized: bool,
        values: &mut [f64],
    ) -> Checked<()> {
        let place = format!("{place}, sparse");
        let Known::Valid(index_component) = sparse.indices.component_type else {
            return fault(place, "its indices have an unknown component type");
        };
        let allowed = [ComponentType::U8, ComponentType::U16, ComponentType::U32];
        if !allowed.contains(&index_component.0) {
            return fault(place, "its indices are not unsigned integers");
        }
        let replaced = sparse.count.0;
        if replaced == 0 || replaced > count {
            return fault(place, format!("replaces {replaced} of {count} elements"));
        }
        let view = sparse.indices.buffer_view.value();
        let offset = sparse.indices.byte_offset.0;
        let indices = self.numbers(&place, view, offset, replaced, 1, index_component.0, false)?;
        let view = sparse.values.buffer_view.value();
        let offset = sparse.values.byte_offset.0;
        let new = self.numbers(&place, view, offset, replaced, width, component, normalized)?;
        if !indices.is_sorted_by(|a, b| a < b) || indices.last().is_some_and(|&i| i >= count as f64) {
            return fault(place, "its indices do not ascend within the accessor");
        }
        for (&index, element) in indices.iter().zip(new.chunks_exact(width)) {
            values[index as usize * width..][..width].copy_from_slice(element);
        }
        Ok(())
    }
}

/// Reads one component from its bytes. Normalizes integers as the specification requires.
fn number(bytes: &[u8], component: ComponentType, normalized: bool) -> f64 {
    let two = || [bytes[0], bytes[1]];
    let four = || [bytes[0], bytes[1], bytes[2], bytes[3]];
    let value = match component {
        ComponentType::I8 => f64::from(bytes[0] as i8),
        ComponentType::U8 => f64::from(bytes[0]),
        ComponentType::I16 => f64::from(i16::from_le_bytes(two())),
        ComponentType::U16 => f64::from(u16::from_le_bytes(two())),
        ComponentType::U32 => f64::from(u32::from_le_bytes(four())),
        ComponentType::F32 => f64::from(f32::from_le_bytes(four())),
    };
    if normalized { (value / largest(component)).max(-1.0) } else { value }
}

/// Returns the integer that a normalized component maps to 1.
fn largest(component: ComponentType) -> f64 {
    match component {
        ComponentType::I8 => 127.0,
        ComponentType::U8 => 255.0,
        ComponentType::I16 => 32767.0,
        ComponentType::U16 => 65535.0,
        ComponentType::U32 => 4_294_967_295.0,
        ComponentType::F32 => 1.0,
    }
}

/// Returns the factor that maps integers to the range 0 to 1, for attributes that need this range but
/// whose file did not mark the integers as normalized; else 1.
pub(super) fn unit_scale(numbers: &Numbers) -> f64 {
    match numbers.component {
        ComponentType::U8 if !numbers.normalized => 1.0 / 255.0,
        ComponentType::U16 if !numbers.normalized => 1.0 / 65535.0,
        _ => 1.0,
    }
}
