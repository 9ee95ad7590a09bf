//! Triangles of two meshes in the layout of SIMD loads: one cache line each, built when first used.

/// Record of a triangle: its corner, the vectors to its two other corners, and the axis of its normal
/// cone, in one space. The fourth lanes hold the features that can carry a contact (as a number), the
/// cosine of the cone's half angle, 1 for a double cone (otherwise 0), and the sine.
pub type Record = [[f32; 4]; 4];

/// Number of cached records per mesh. Must be a power of two.
const SLOTS: usize = 1 << 10;

/// Direct-mapped cache of the records of two surfaces' triangles.
#[derive(Default)]
pub struct PackedTriangles {
    sides: Option<Box<[SurfaceCache; 2]>>,
    stamp: u32,
    built_count: u64,
}

/// Cache of one surface. It is aligned so that a record is one cache line.
#[repr(align(64))]
struct SurfaceCache {
    /// Stamp and triangle of each cached record.
    tags: [u64; SLOTS],
    records: [Record; SLOTS],
}

impl PackedTriangles {
    /// Clears the cache, for different surfaces or another pose. The first call allocates 147 kB.
    #[inline]
    pub fn start(&mut self) {
        self.built_count = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp <= 1 {
            self.stamp = 1;
            self.sides = Some(Box::new([SurfaceCache::EMPTY; 2]));
        }
    }

    /// Returns the number of records built since [`start`](Self::start).
    #[inline]
    pub fn built_count(&self) -> u64 {
        self.built_count
    }

    /// Returns the record of a triangle of mesh `side` (0 or 1). `make` builds it if it is not cached.
    #[inline(always)]
    pub fn get(&mut self, side: usize, triangle: u32, make: impl FnOnce() -> Record) -> &Record {
        let sides = self.sides.get_or_insert_with(|| Box::new([SurfaceCache::EMPTY; 2]));
        let SurfaceCache { tags, records } = &mut sides[side];
        // Fibonacci hashing spreads neighboring indices.
        let slot = triangle.wrapping_mul(0x9e37_79b9) as usize >> (32 - SLOTS.ilog2());
        let tag = u64::from(self.stamp) << 32 | u64::from(triangle);
        if tags[slot] != tag {
            tags[slot] = tag;
            self.built_count += 1;
            records[slot] = make();
        }
        &records[slot]
    }
}

impl SurfaceCache {
    /// Empty cache; no triangle has its tag.
    const EMPTY: Self = Self { tags: [u64::MAX; SLOTS], records: [[[0.0; 4]; 4]; SLOTS] };
}
