//! Triangles of two meshes as vectors take them: a cache line each, made when they are first asked for.

/// A triangle: its corners in one space, from any of them on, the axis of its cone, and in the fourth places
/// what it carries (as a number), the cosine of its cone's angle, one if the cone is double (else zero), and
/// the sine.
pub type Record = [[f32; 4]; 4];

/// Records that are kept for each of the two; a power of two.
const SLOTS: usize = 1 << 10;

/// The records of the triangles of two surfaces that were asked for last.
#[derive(Default)]
pub struct PackedTriangles {
    sides: Option<Box<[Side; 2]>>,
    stamp: u32,
}

/// Aligned so that a record is one cache line.
#[repr(align(64))]
struct Side {
    /// For which surfaces and triangle each record was made.
    tags: [u64; SLOTS],
    records: [Record; SLOTS],
}

impl PackedTriangles {
    /// Forgets all: other surfaces, or another pose. Allocates when it is called first, 147 kB.
    pub fn start(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp <= 1 {
            self.stamp = 1;
            self.sides = Some(Box::new([Side::EMPTY; 2]));
        }
    }

    /// The record of a triangle of one of the two, made where it is not kept.
    #[inline(always)]
    pub fn get(&mut self, side: usize, triangle: u32, make: impl FnOnce() -> Record) -> &Record {
        let sides = self.sides.get_or_insert_with(|| Box::new([Side::EMPTY; 2]));
        let Side { tags, records } = &mut sides[side];
        // Fibonacci's hash: neighbours stand in rows.
        let slot = triangle.wrapping_mul(0x9e37_79b9) as usize >> (32 - SLOTS.ilog2());
        let tag = u64::from(self.stamp) << 32 | u64::from(triangle);
        if tags[slot] != tag {
            tags[slot] = tag;
            records[slot] = make();
        }
        &records[slot]
    }
}

impl Side {
    /// No triangle has such a tag.
    const EMPTY: Self = Self { tags: [u64::MAX; SLOTS], records: [[[0.0; 4]; 4]; SLOTS] };
}
