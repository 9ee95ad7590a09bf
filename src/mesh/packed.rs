//! Triangles of two meshes in the layout of SIMD loads: one cache line each, built on first use.

/// A triangle: its corners in one space, in cyclic order from any of them, and the axis of its cone.
/// The fourth lanes are the features that can carry a contact (as a number), the cosine of the cone's
/// angle, 1 for a double cone (else 0), and the sine.
pub type Record = [[f32; 4]; 4];

/// Number of cached records per mesh; a power of two.
const SLOTS: usize = 1 << 10;

/// Direct-mapped cache of the records of two surfaces' triangles.
#[derive(Default)]
pub struct PackedTriangles {
    sides: Option<Box<[SurfaceCache; 2]>>,
    stamp: u32,
}

/// Cache of one surface; aligned so that a record is one cache line.
#[repr(align(64))]
struct SurfaceCache {
    /// Stamp and triangle of each record.
    tags: [u64; SLOTS],
    records: [Record; SLOTS],
}

impl PackedTriangles {
    /// Clears the cache, for other surfaces or another pose. The first call allocates 147 kB.
    pub fn start(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp <= 1 {
            self.stamp = 1;
            self.sides = Some(Box::new([SurfaceCache::EMPTY; 2]));
        }
    }

    /// Returns the record of a triangle of mesh `side`, built by `make` if it is not cached.
    #[inline(always)]
    pub fn get(&mut self, side: usize, triangle: u32, make: impl FnOnce() -> Record) -> &Record {
        let sides = self.sides.get_or_insert_with(|| Box::new([SurfaceCache::EMPTY; 2]));
        let SurfaceCache { tags, records } = &mut sides[side];
        // Fibonacci hashing, which spreads neighboring indices.
        let slot = triangle.wrapping_mul(0x9e37_79b9) as usize >> (32 - SLOTS.ilog2());
        let tag = u64::from(self.stamp) << 32 | u64::from(triangle);
        if tags[slot] != tag {
            tags[slot] = tag;
            records[slot] = make();
        }
        &records[slot]
    }
}

impl SurfaceCache {
    /// No triangle has this tag.
    const EMPTY: Self = Self { tags: [u64::MAX; SLOTS], records: [[[0.0; 4]; 4]; SLOTS] };
}
