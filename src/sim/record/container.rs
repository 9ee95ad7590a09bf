//! Container of a recording: numbered chunks with checksums, which never change once written.
//!
//! ```text
//! file  = magic (8 bytes) · format version (u32) · chunk*
//! chunk = kind (u32) · stored length (u32) · raw length (u32) · number (u64) · crc32 (u32) · stored bytes
//! ```
//!
//! All numbers are little-endian. The checksum covers the header before it and the stored bytes. The
//! stored bytes are compressed by lz4 if that is shorter. Chunks are numbered from zero, so that a lost
//! or moved chunk is detected. Each chunk is written in one call, so an appended chunk survives the end
//! of the process. A reader stops at the first chunk that is torn or damaged.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::files::{Draft, Existing};

/// Signature of the file. Its first byte marks the file as binary, and its last byte reveals a
/// conversion of line ends.
pub const MAGIC: [u8; 8] = *b"\x89TUMBLE\n";
/// Version of the format. It rises when readers of the previous version cannot read new files.
pub const FORMAT_VERSION: u32 = 2;
/// Oldest version that can be read. Its steps have no contacts and joints.
const OLDEST_VERSION: u32 = 1;

const START_LENGTH: u64 = 12;
const HEADER_LENGTH: usize = 24;
/// Largest ratio of raw to stored length that lz4 reaches. A chunk that states more is damaged, and no
/// memory is allocated for it.
const MAX_EXPANSION: u64 = 255;
/// Raw bytes that any file may unpack to, plus those per byte of the file. Vertices and poses unpack to
/// twice their stored bytes, long repetitive lists to more. Writers store a chunk uncompressed if it
/// would exceed the limit.
const UNPACKED_OF_ANY_FILE: u64 = 32 << 20;
const UNPACKED_PER_BYTE: u64 = 8;

/// Returns the limit for the raw bytes of all chunks of a file of `length` bytes. A small file must not
/// take much memory.
pub fn unpacked_limit(length: u64) -> u64 {
    UNPACKED_OF_ANY_FILE.saturating_add(length.saturating_mul(UNPACKED_PER_BYTE))
}

/// Returns whether a file starts with [`MAGIC`]; false if it cannot be read.
pub fn begins_like_a_recording(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == MAGIC
}

/// Target of chunks: a file that can be truncated to its last whole chunk if a write fails midway.
pub trait Sink: Write + Send {
    fn cut(&mut self, length: u64) -> io::Result<()>;
    /// Waits until all written data is on the storage device.
    fn sync(&mut self) -> io::Result<()>;
    /// Gives the file its final name. A sink whose file has that name from the start does nothing.
    fn settle(&mut self, _existing: Existing) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)?;
        self.seek(SeekFrom::Start(length)).map(drop)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

impl Sink for Draft {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file().cut(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file().sync_all()
    }

    fn settle(&mut self, existing: Existing) -> io::Result<()> {
        Self::settle(self, existing)
    }
}

/// Source of chunks.
pub trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

/// Writer that appends chunks.
pub struct ChunkWriter {
    sink: Box<dyn Sink>,
    next_number: u64,
    /// Length of the file up to the end of the last whole chunk, bytes.
    length: u64,
    /// Raw bytes of all chunks so far.
    unpacked: u64,
    /// Header and stored bytes of the chunk being written.
    buffer: Vec<u8>,
}

impl ChunkWriter {
    pub fn new(mut sink: Box<dyn Sink>) -> io::Result<Self> {
        let mut start = MAGIC.to_vec();
        start.extend(FORMAT_VERSION.to_le_bytes());
        sink.write_all(&start)?;
        Ok(Self { sink, next_number: 0, length: START_LENGTH, unpacked: 0, buffer: Vec::new() })
    }

    /// Appends a chunk in one write. After an error the file ends with the last whole chunk. If
    /// truncating fails too, it ends with a torn chunk, which readers skip.
    pub fn append(&mut self, kind: u32, payload: &[u8]) -> io::Result<()> {
        let too_long = |_| io::Error::new(io::ErrorKind::FileTooLarge, "a chunk holds at most 4 GiB");
        let raw_length = u32::try_from(payload.len()).map_err(too_long)?;
        self.buffer.clear();
        self.buffer.resize(HEADER_LENGTH, 0);
        let packed = lz4_flex::block::compress(payload);
        let unpacked = self.unpacked + u64::from(raw_length);
        let is_readable = unpacked <= unpacked_limit(self.length + packed.len() as u64);
        let stored = if packed.len() < payload.len() && is_readable { &packed } else { payload };
        self.buffer.extend_from_slice(stored);
        let header = Header {
            kind,
            stored_length: stored.len() as u32,
            raw_length,
            number: self.next_number,
            checksum: 0,
        };
        let checksum = header.checksum_with(stored);
        self.buffer[..HEADER_LENGTH].copy_from_slice(&Header { checksum, ..header }.to_bytes());
        if let Err(error) = self.sink.write_all(&self.buffer) {
            // The first error is the one reported. A torn end does not prevent reading, so a second
            // error is ignored.
            let _ = self.sink.cut(self.length);
            return Err(error);
        }
        self.length += self.buffer.len() as u64;
        self.unpacked = unpacked;
        self.next_number += 1;
        Ok(())
    }

    /// Returns the length of the file up to the end of the last whole chunk, bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    pub fn sync(&mut self) -> io::Result<()> {
        self.sink.sync()
    }

    /// Gives the file its final name; see [`Sink::settle`].
    pub fn settle(&mut self, existing: Existing) -> io::Result<()> {
        self.sink.settle(existing)
    }
}

#[derive(Clone, Copy)]
struct Header {
    kind: u32,
    stored_length: u32,
    raw_length: u32,
    number: u64,
    checksum: u32,
}

impl Header {
    fn to_bytes(self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        bytes[0..4].copy_from_slice(&self.kind.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.stored_length.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.raw_length.to_le_bytes());
        bytes[12..20].copy_from_slice(&self.number.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER_LENGTH]) -> Self {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Self {
            kind: word(0),
            stored_length: word(4),
            raw_length: word(8),
            number: u64::from(word(12)) | u64::from(word(16)) << 32,
            checksum: word(20),
        }
    }

    fn hasher(self) -> crc32fast::Hasher {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.to_bytes()[..HEADER_LENGTH - 4]);
        hasher
    }

    fn checksum_with(self, stored: &[u8]) -> u32 {
        let mut hasher = self.hasher();
        hasher.update(stored);
        hasher.finalize()
    }
}

/// Position of a whole chunk in a scanned file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkPlace {
    pub kind: u32,
    /// Raw (unpacked) bytes of its payload.
    pub raw_length: u32,
    /// Offset of its header in the file, bytes.
    pub offset: u64,
    number: u64,
}

/// Reason why a file, or its remainder from some chunk on, cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ChunkError {
    #[error("this is not a recording of tumble (`tumble run` takes scenes and models)")]
    NotARecording,
    #[error(
        "this recording has format version {found}, and this tumble reads versions {OLDEST_VERSION} to {FORMAT_VERSION}"
    )]
    Version { found: u32 },
    #[error("chunk {number} at byte {offset} is cut off")]
    Torn { number: u64, offset: u64 },
    #[error("chunk {number} at byte {offset} is damaged")]
    Damaged { number: u64, offset: u64 },
    #[error("expected chunk {expected} at byte {offset}, found chunk {number}")]
    OutOfOrder { number: u64, expected: u64, offset: u64 },
    #[error("reading failed")]
    Io(#[from] io::Error),
}

/// All whole chunks from the start of a file, and the problem that ended the scan before the end of the
/// file, if any.
#[derive(Debug)]
pub struct Scan {
    pub chunks: Vec<ChunkPlace>,
    pub problem: Option<ChunkError>,
    /// Length of the file in bytes.
    pub length: u64,
}

/// Reads a file once from front to back and checks every checksum. Fails only if the file is not a
/// recording of a supported version.
pub fn scan(source: &mut dyn Source) -> Result<Scan, ChunkError> {
    let file_length = source.seek(SeekFrom::End(0))?;
    source.seek(SeekFrom::Start(0))?;
    let mut start = [0; START_LENGTH as usize];
    let (magic, version) = start.split_at_mut(8);
    if file_length < 8 {
        return Err(ChunkError::NotARecording);
    }
    source.read_exact(magic)?;
    if *magic != MAGIC {
        return Err(ChunkError::NotARecording);
    }
    if file_length < START_LENGTH {
        let problem = Some(ChunkError::Torn { number: 0, offset: 8 });
        return Ok(Scan { chunks: Vec::new(), problem, length: file_length });
    }
    source.read_exact(version)?;
    let found = u32::from_le_bytes([version[0], version[1], version[2], version[3]]);
    if !(OLDEST_VERSION..=FORMAT_VERSION).contains(&found) {
        return Err(ChunkError::Version { found });
    }
    let mut chunks = Vec::new();
    let mut offset = START_LENGTH;
    let mut problem = None;
    while offset < file_length {
        match scan_chunk(source, chunks.len() as u64, offset, file_length) {
            Ok((place, length)) => {
                chunks.push(place);
                offset += length;
            }
            Err(error) => {
                problem = Some(error);
                break;
            }
        }
    }
    Ok(Scan { chunks, problem, length: file_length })
}

/// Reads and checks the chunk at `offset`. Returns its position and the offset of the next chunk.
fn scan_chunk(
    source: &mut dyn Source,
    expected: u64,
    offset: u64,
    file_length: u64,
) -> Result<(ChunkPlace, u64), ChunkError> {
    let left = file_length - offset;
    if left < HEADER_LENGTH as u64 {
        return Err(ChunkError::Torn { number: expected, offset });
    }
    let mut bytes = [0; HEADER_LENGTH];
    source.read_exact(&mut bytes)?;
    let header = Header::from_bytes(&bytes);
    let length = HEADER_LENGTH as u64 + u64::from(header.stored_length);
    if left < length {
        return Err(ChunkError::Torn { number: expected, offset });
    }
    let mut hasher = header.hasher();
    let mut block = [0; 1 << 14];
    let mut stored_left = header.stored_length as usize;
    while stored_left > 0 {
        let block = &mut block[..stored_left.min(1 << 14)];
        source.read_exact(block)?;
        hasher.update(block);
        stored_left -= block.len();
    }
    if hasher.finalize() != header.checksum {
        return Err(ChunkError::Damaged { number: expected, offset });
    }
    let Header { kind, number, raw_length, .. } = header;
    if number != expected {
        return Err(ChunkError::OutOfOrder { number, expected, offset });
    }
    Ok((ChunkPlace { kind, raw_length, number, offset }, length))
}

/// Returns the payload of the last chunk of a file if it is whole, of kind `kind`, and at most
/// `LAST_LENGTH` bytes long including its header. This works even if earlier chunks are damaged.
pub fn read_last(source: &mut dyn Source, kind: u32) -> Result<Option<Vec<u8>>, ChunkError> {
    const LAST_LENGTH: u64 = 256;
    let file_length = source.seek(SeekFrom::End(0))?;
    let start = file_length.saturating_sub(LAST_LENGTH).max(START_LENGTH);
    let mut tail = Vec::new();
    source.seek(SeekFrom::Start(start))?;
    source.take(LAST_LENGTH).read_to_end(&mut tail)?;
    for at in (0..tail.len().saturating_sub(HEADER_LENGTH - 1)).rev() {
        let (header, stored) = tail[at..].split_at(HEADER_LENGTH);
        let Ok(header) = header.try_into().map(Header::from_bytes) else { continue };
        let Header { number, raw_length, stored_length, .. } = header;
        let is_last = header.kind == kind && stored_length as usize == stored.len();
        if is_last && header.checksum_with(stored) == header.checksum {
            let place = ChunkPlace { kind, raw_length, number, offset: start + at as u64 };
            return read_chunk(source, place).map(Some);
        }
    }
    Ok(None)
}

/// Returns the payload of a scanned chunk. It is checked again, because the file may have changed since
/// the scan.
pub fn read_chunk(source: &mut dyn Source, place: ChunkPlace) -> Result<Vec<u8>, ChunkError> {
    let ChunkPlace { kind, raw_length, number, offset } = place;
    let damaged = || ChunkError::Damaged { number, offset };
    source.seek(SeekFrom::Start(offset))?;
    let mut bytes = [0; HEADER_LENGTH];
    source.read_exact(&mut bytes)?;
    let header = Header::from_bytes(&bytes);
    let stored_length = u64::from(header.stored_length);
    let mut stored = Vec::new();
    // `take` instead of a buffer of the stated length, so that memory grows only with bytes that exist.
    if (&mut *source).take(stored_length).read_to_end(&mut stored)? as u64 != stored_length {
        return Err(ChunkError::Torn { number, offset });
    }
    let same = header.kind == kind && header.number == number && header.raw_length == raw_length;
    if !same || header.checksum_with(&stored) != header.checksum {
        return Err(damaged());
    }
    if header.raw_length == header.stored_length {
        return Ok(stored);
    }
    if u64::from(header.raw_length) > MAX_EXPANSION * stored_length {
        return Err(damaged());
    }
    let payload = lz4_flex::block::decompress(&stored, header.raw_length as usize).map_err(|_| damaged())?;
    if payload.len() != header.raw_length as usize {
        return Err(damaged());
    }
    Ok(payload)
}
