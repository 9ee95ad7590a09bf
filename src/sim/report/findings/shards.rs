//! Files of a check that is divided into shares, its shards: the answers for some of its pairs.
//!
//! Several processes can so examine one assembly, and a process that was killed goes on where it was.
//! Answers are appended in whole lines, so a kill or a full disk costs the last line at most. Each line
//! ends with a hash of itself, so that damage is found. The answers of all files give the same document
//! as an undivided check.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

use super::seal::{sealed, unsealed};
use crate::check::{Answer, Demands, Examination, PlacedParts};
use crate::digits::grouped;
use crate::files::{SHARD_BEGINNING, SHARD_ENDING};

const FORMAT: &str = "tumble-check-shard";
const VERSION: u32 = 2;
/// Beginning of every file.
const BEGINNING: &[u8] = b"{\"format\":\"tumble-check-shard\"";
/// Largest number of bytes in a line of a file.
const LINE_BYTES: u64 = 1 << 28;

/// Reason why the files of a divided check cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    #[error("{}: cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error(
        "{}: cannot be written; the answers before are kept, and the same command goes on from there",
        path.display()
    )]
    Write { path: PathBuf, source: io::Error },
    #[error("{}: another process works at this shard", .0.display())]
    Busy(PathBuf),
    #[error("{}: belongs to another check: {reason}", path.display())]
    Other { path: PathBuf, reason: String },
    #[error("{}: line {line} is damaged; delete the file to examine its pairs again", path.display())]
    Damaged { path: PathBuf, line: usize },
    #[error("{}: has no file of a shard of a check", .0.display())]
    None(PathBuf),
    #[error(
        "{}: {} of {} pairs have no answer yet: {progress}",
        folder.display(), grouped(*missing as u64), grouped(*of as u64)
    )]
    Missing { folder: PathBuf, missing: usize, of: usize, progress: String },
}

/// First line of a file: the check that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    /// Version of the program.
    tumble: String,
    clearance_m: f64,
    /// Number of pairs of the whole check.
    pair_count: usize,
    /// Hash of everything that the answers depend on, 16 hexadecimal digits.
    identity: String,
    /// Share of the pairs, such as `2/8`, and the number of pairs in it.
    shard: String,
    own_count: usize,
}

/// Line with answers.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Line {
    /// Numbers of pairs that were examined completely and have no finding.
    clean: Vec<u32>,
    others: Vec<(u32, Answer)>,
}

/// Identity of a check, which all of its shards have in common.
#[derive(Clone, Debug)]
pub struct CheckIdentity {
    clearance_m: f64,
    /// Parts of each pair.
    pairs: Vec<[u32; 2]>,
    /// Number of triangles of each body.
    triangle_counts: Vec<usize>,
    hash: String,
}

impl CheckIdentity {
    /// Computes the identity of a check from the surfaces and poses of its parts, their names, the pairs
    /// and the demands on them.
    pub fn new(examination: &Examination, parts: &PlacedParts, demands: Demands) -> Self {
        let mut hash = Xxh3Default::new();
        for mesh in &parts.scene().meshes {
            let coordinates = mesh.vertices().iter().flat_map(|vertex| vertex.to_array());
            coordinates.for_each(|x| hash.update(&x.to_le_bytes()));
            mesh.triangles().iter().flatten().for_each(|index| hash.update(&index.to_le_bytes()));
        }
        for (part, body) in (0..).zip(&parts.scene().bodies) {
            hash.update(
                format!("{:?} {:?} {}\0{}\0", body.mesh, parts.pose(part), body.name, body.path).as_bytes(),
            );
        }
        for ([a, b], demand) in examination.pairs() {
            [*a, *b].iter().for_each(|part| hash.update(&part.to_le_bytes()));
            [demand.clearance, demand.overlap].iter().for_each(|x| hash.update(&x.to_le_bytes()));
            hash.update(&[demand.may_touch.into()]);
        }
        hash.update(format!("{:?} {}", demands.tolerance, demands.way_out).as_bytes());
        Self {
            clearance_m: demands.clearance,
            pairs: examination.pairs().iter().map(|(pair, _)| *pair).collect(),
            triangle_counts: (0..parts.scene().bodies.len() as u32)
                .map(|part| parts.placed(part).map_or(0, |placed| placed.mesh.triangles().len()))
                .collect(),
            hash: format!("{:016x}", hash.digest()),
        }
    }

    /// Returns whether an answer can be that for the pair with this number: its finding names the parts
    /// of the pair, and triangles that they have.
    fn can_have(&self, number: u32, answer: &Answer) -> bool {
        let Some(pair) = self.pairs.get(number as usize) else { return false };
        answer.finding.as_ref().is_none_or(|finding| {
            let count = |part: u32| self.triangle_counts.get(part as usize).copied().unwrap_or(0);
            finding.parts == *pair && (0..2).all(|k| (finding.triangles[k] as usize) < count(pair[k]))
        })
    }

    fn head(&self, shard: &str, own_count: usize) -> Head {
        Head {
            format: FORMAT.to_owned(),
            version: VERSION,
            tumble: env!("CARGO_PKG_VERSION").to_owned(),
            clearance_m: self.clearance_m,
            pair_count: self.pairs.len(),
            identity: self.hash.clone(),
            shard: shard.to_owned(),
            own_count,
        }
    }

    /// Returns the first reason why a file belongs to another check.
    fn difference(&self, head: &Head) -> Option<String> {
        let own = self.head(&head.shard, head.own_count);
        if *head == own {
            return None;
        }
        Some(if (&head.format, head.version) != (&own.format, own.version) {
            format!("its format is {} {}, this program writes {FORMAT} {VERSION}", head.format, head.version)
        } else if head.tumble != own.tumble {
            format!("it was written by version {}, this is {}", head.tumble, own.tumble)
        } else if head.clearance_m.to_bits() != own.clearance_m.to_bits() {
            format!("its clearance is {} m, here it is {} m", head.clearance_m, own.clearance_m)
        } else if head.pair_count != own.pair_count {
            format!("it has {} pairs, here there are {}", head.pair_count, own.pair_count)
        } else {
            "the model, the rules or the options have changed".to_owned()
        })
    }
}

/// Answers by the number of the pair.
pub type Answers = Vec<Option<Answer>>;

/// File to which the answers of a shard are appended.
pub struct ShardFile {
    path: PathBuf,
    file: File,
    /// Number of bytes of whole lines.
    length: u64,
    line: Line,
}

impl ShardFile {
    /// Opens or creates the file of a share of a check, such as `2/8`. Returns it with the answers that
    /// it has, and whether its last line was incomplete and has been removed.
    ///
    /// # Errors
    /// Returns an error if the file belongs to another check, is damaged, is used by another process, or
    /// cannot be read or written.
    pub fn open(
        folder: &Path,
        identity: &CheckIdentity,
        (shard, own_count): (&str, usize),
    ) -> Result<(Self, Answers, bool), ShardError> {
        fs::create_dir_all(folder).map_err(|source| ShardError::Write { path: folder.to_owned(), source })?;
        let path = folder.join(format!("{SHARD_BEGINNING}{}{SHARD_ENDING}", shard.replace('/', "-of-")));
        let write = |source| ShardError::Write { path: path.clone(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(write)?;
        // On a file system without locks, nothing prevents two processes from doing the same work.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(ShardError::Busy(path));
        }
        let mut answers = vec![None; identity.pairs.len()];
        let (head, length) = read(&path, &file, identity, &mut answers)?;
        let size = file.metadata().map_err(write)?.len();
        file.set_len(length).map_err(write)?;
        let mut shard_file = Self { path, file, length, line: Line::default() };
        if head.is_none() {
            shard_file.write_line(&identity.head(shard, own_count))?;
        }
        Ok((shard_file, answers, head.is_some() && length < size))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes an answer. It is in the file after the next call of [`Self::flush`].
    pub fn add(&mut self, number: u32, answer: &Answer) {
        if *answer == Answer::default() {
            self.line.clean.push(number);
        } else {
            self.line.others.push((number, answer.clone()));
        }
    }

    /// Returns the number of answers that are not in the file yet.
    pub fn waiting(&self) -> usize {
        self.line.clean.len() + self.line.others.len()
    }

    /// Writes the answers that are not in the file yet.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. It then has the whole lines that it had before.
    pub fn flush(&mut self) -> Result<(), ShardError> {
        if self.waiting() == 0 {
            return Ok(());
        }
        let line = std::mem::take(&mut self.line);
        self.write_line(&line)
    }

    fn write_line(&mut self, line: &impl Serialize) -> Result<(), ShardError> {
        let write = |source| ShardError::Write { path: self.path.clone(), source };
        let bytes = sealed(serde_json::to_vec(line).map_err(|error| write(error.into()))?);
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(&bytes));
        if let Err(source) = written {
            // If this fails too, the next process removes the incomplete line.
            let _ = self.file.set_len(self.length);
            return Err(write(source));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// Reads the answers of all files in a folder.
///
/// # Errors
/// Returns an error if there is no file, a file belongs to another check or is damaged, or pairs have
/// no answer.
pub fn read_shards(folder: &Path, identity: &CheckIdentity) -> Result<Answers, ShardError> {
    let read_folder = |source| ShardError::Read { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(read_folder)? {
        let path = entry.map_err(read_folder)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with(SHARD_BEGINNING) && name.ends_with(SHARD_ENDING) {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        return Err(ShardError::None(folder.to_owned()));
    }
    let mut answers: Answers = vec![None; identity.pairs.len()];
    let mut progress = Vec::new();
    for path in paths {
        let file = File::open(&path).map_err(|source| ShardError::Read { path: path.clone(), source })?;
        let before = answers.iter().flatten().count();
        let (head, _) = read(&path, &file, identity, &mut answers)?;
        let Some(head) = head else { continue };
        let added = answers.iter().flatten().count() - before;
        progress.push(format!("shard {} has {added} of {}", head.shard, head.own_count));
    }
    match answers.iter().filter(|answer| answer.is_none()).count() {
        0 => Ok(answers),
        missing => Err(ShardError::Missing {
            folder: folder.to_owned(),
            missing,
            of: answers.len(),
            progress: progress.join(", "),
        }),
    }
}

/// Reads a file into `answers`. Returns its head, which a new file does not have, and the number of
/// bytes of its whole lines.
fn read(
    path: &Path,
    file: &File,
    identity: &CheckIdentity,
    answers: &mut Answers,
) -> Result<(Option<Head>, u64), ShardError> {
    let mut lines = BufReader::new(file);
    let (mut head, mut length, mut bytes) = (None, 0, Vec::new());
    for line in 1.. {
        bytes.clear();
        let limited = io::Read::take(&mut lines, LINE_BYTES).read_until(b'\n', &mut bytes);
        limited.map_err(|source| ShardError::Read { path: path.to_owned(), source })?;
        let damaged = || ShardError::Damaged { path: path.to_owned(), line };
        if bytes.last() != Some(&b'\n') {
            // An incomplete first line must be that of a shard, or the file is another one.
            let begins = |x: &[u8], y: &[u8]| x.iter().zip(y).all(|(x, y)| x == y);
            if bytes.len() as u64 == LINE_BYTES || (head.is_none() && !begins(&bytes, BEGINNING)) {
                return Err(damaged());
            }
            break;
        }
        let whole = unsealed(&bytes).ok_or_else(damaged)?;
        if head.is_none() {
            let own: Head = serde_json::from_slice(&whole).map_err(|_| damaged())?;
            if let Some(reason) = identity.difference(&own) {
                return Err(ShardError::Other { path: path.to_owned(), reason });
            }
            head = Some(own);
        } else {
            let Line { clean, others } = serde_json::from_slice(&whole).map_err(|_| damaged())?;
            let clean = clean.into_iter().map(|number| (number, Answer::default()));
            for (number, answer) in clean.chain(others) {
                if !identity.can_have(number, &answer) {
                    return Err(damaged());
                }
                answers[number as usize] = Some(answer);
            }
        }
        length += bytes.len() as u64;
    }
    Ok((head, length))
}
