//! Motion of a robot's joints from a table: CSV with a column `time` (s) and one for each joint that moves
//! (rad or m), under its name, as controllers and planners write it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord, Trim};

use super::error::LoadError;
use super::fault::{Checked, Fault, fault};
use super::limits::{CAPTURED_JOINTS, CAPTURED_KEYS, COORDINATE, FILE_BYTES, at_most};
use super::lines::{line_place, quoted};
use super::model::{Model, Note, NoteKind};
use super::read::read_text;
use super::robot::Robot;
use super::text::list;
use crate::body::CoordinateClip;

/// Names in a note at most.
const NAMED: usize = 5;

/// The table that moves a robot's joints, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMotion {
    pub path: PathBuf,
    /// Times are divided by it; above 0.
    pub speed: f64,
    /// Whether it starts over; else the joints stay where it ends.
    pub looped: bool,
}

/// Whether a file is a table of joints by its name.
pub(crate) fn is_joint_motion(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"))
}

/// Gives joints their motion from a file, and puts each where it begins. An error names the line.
pub(super) fn take(model: &mut Model, motion: &JointMotion) -> Result<(), LoadError> {
    take_text(model, motion, &read_text(&motion.path, FILE_BYTES)?)?;
    model.files.push(motion.path.clone());
    Ok(())
}

/// Gives joints their motion from the text of a table.
pub(super) fn take_text(model: &mut Model, motion: &JointMotion, text: &str) -> Result<(), LoadError> {
    let file = motion.path.display().to_string();
    let Some(robot) = &mut model.robot else {
        let (path, reason) = (PathBuf::from(&model.source), "says nothing of joints that could be moved");
        return Err(LoadError::NotAFile { path, reason: reason.to_owned() });
    };
    let read = Table::read(text.trim_start_matches('\u{feff}'), robot);
    let table =
        read.map_err(|Fault { place, reason }| LoadError::Invalid { file: file.clone(), place, reason })?;
    let mut said = table.notes(robot, motion.looped);
    let last = table.times.last().copied().unwrap_or(0.0) / motion.speed;
    let after = if motion.looped { "start over" } else { "stay there" };
    let moved = table.columns.len();
    said.push((NoteKind::Assumed, format!("moves {moved} joints for {last:.3} s, which then {after}")));
    for Column { joint, values } in table.columns {
        let keys = table.times.iter().zip(values).map(|(time, value)| [time / motion.speed, value]).collect();
        let clip = CoordinateClip { keys, looped: motion.looped };
        if let Some(reason) = clip.fault() {
            let reason = format!("at a speed of {:e}: {reason}", motion.speed);
            return Err(LoadError::NotAFile { path: motion.path.clone(), reason });
        }
        let joint = &mut robot.joints[joint as usize];
        joint.coordinate = clip.at(0.0).clamp(joint.range[0], joint.range[1]);
        joint.clip = Some(clip);
    }
    model.notes.extend(said.into_iter().map(|(kind, text)| Note { kind, place: file.clone(), text }));
    Ok(())
}

struct Table {
    /// From the first on, s.
    times: Vec<f64>,
    columns: Vec<Column>,
    /// What is in the table and moves nothing.
    unknown: Vec<String>,
    followers: Vec<String>,
}

/// The values of one joint, by its index in the robot.
struct Column {
    joint: u32,
    values: Vec<f64>,
}

impl Table {
    fn read(text: &str, robot: &Robot) -> Checked<Self> {
        let mut reader = ReaderBuilder::new()
            .delimiter(separator(text))
            .trim(Trim::All)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let broken = |error: csv::Error| {
            let reason = match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    format!("it has {len} values, and the first line has {expected_len} columns")
                }
                _ => error.to_string(),
            };
            Fault { place: line_at(text, error.position()), reason }
        };
        let header = reader.headers().map_err(broken)?.clone();
        if header.is_empty() {
            return fault(line_place(1), "it is empty: no line with the names of columns");
        }
        let first = line_at(text, header.position());
        at_most(CAPTURED_JOINTS, header.len(), "columns").or_else(|reason| fault(&first, reason))?;
        // `time`, `t`, `Time (s)`, `time[s]`
        let is_time = |name: &str| {
            let word = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(name);
            ["time", "t"].iter().any(|t| word.eq_ignore_ascii_case(t))
        };
        let Some(time) = header.iter().position(is_time) else {
            let found: Vec<String> = header.iter().take(NAMED).map(quoted).collect();
            return fault(
                &first,
                format!("no column is called time, in s; the first are {}", found.join(", ")),
            );
        };
        let mut table =
            Self { times: Vec::new(), columns: Vec::new(), unknown: Vec::new(), followers: Vec::new() };
        // Where in a line each of the columns is.
        let mut places = Vec::new();
        let mut names = BTreeSet::new();
        for (at, name) in header.iter().enumerate().filter(|(at, _)| *at != time) {
            if !names.insert(name) {
                return fault(&first, format!("two columns are called {}", quoted(name)));
            }
            match robot.joints.iter().position(|joint| joint.name == name) {
                None => table.unknown.push(name.to_owned()),
                Some(joint) if robot.joints[joint].mimic.is_some() => table.followers.push(name.to_owned()),
                Some(joint) => {
                    places.push(at);
                    table.columns.push(Column { joint: joint as u32, values: Vec::new() });
                }
            }
        }
        if places.is_empty() {
            let joints: Vec<&str> =
                robot.joints.iter().filter(|j| j.mimic.is_none()).map(|j| &j.name[..]).collect();
            let reason =
                format!("no column is called like a joint; those that move are {}", joints.join(", "));
            return fault(&first, reason);
        }
        let mut record = StringRecord::new();
        let mut start = 0.0;
        while reader.read_record(&mut record).map_err(broken)? {
            let line = || line_at(text, record.position());
            let number = |at: usize| match record[at].parse() {
                Ok(number) if f64::abs(number) <= COORDINATE => Ok(number),
                _ => fault(
                    line(),
                    format!(
                        "{} of {} is no number, or beyond {COORDINATE:e}",
                        quoted(&record[at]),
                        quoted(&header[at])
                    ),
                ),
            };
            let now: f64 = number(time)?;
            match table.times.last() {
                None => start = now,
                Some(last) if now - start > *last => {}
                Some(last) => {
                    return fault(
                        line(),
                        format!("its time {now} is not later than {} before it", start + last),
                    );
                }
            }
            table.times.push(now - start);
            at_most(CAPTURED_KEYS / places.len(), table.times.len(), "lines of so many columns")
                .or_else(|reason| fault(line(), reason))?;
            for (column, at) in table.columns.iter_mut().zip(&places) {
                column.values.push(number(*at)?);
            }
        }
        if table.times.is_empty() {
            return fault(&first, "no line with values follows");
        }
        Ok(table)
    }

    /// What of it is not done as it stands.
    fn notes(&self, robot: &Robot, looped: bool) -> Vec<(NoteKind, String)> {
        let mut said = Vec::new();
        if !self.unknown.is_empty() {
            said.push((
                NoteKind::Ignored,
                format!("no joint is called like these columns: {}", list(&self.unknown, ", ")),
            ));
        }
        if !self.followers.is_empty() {
            let text =
                format!("these joints follow others, whatever it says: {}", list(&self.followers, ", "));
            said.push((NoteKind::Ignored, text));
        }
        let leaps = |c: &&Column| c.values.first() != c.values.last();
        let leaping = self.columns.iter().filter(leaps).map(|c| robot.joints[c.joint as usize].name.clone());
        let leaping: Vec<String> = leaping.filter(|_| looped).collect();
        if !leaping.is_empty() {
            let text =
                format!("ends elsewhere than it starts over, and leaps there: {}", list(&leaping, ", "));
            said.push((NoteKind::Warning, text));
        }
        for Column { joint, values } in &self.columns {
            let joint = &robot.joints[*joint as usize];
            let [min, max] = joint.range;
            let mut beyond =
                self.times.iter().zip(values).filter(|(_, v)| !(min..=max).contains(*v)).peekable();
            if let Some(&(time, value)) = beyond.peek() {
                let (name, count) = (&joint.name, beyond.count());
                let text = format!(
                    "wants {name} at {value} after {time} s, which goes from {min} to {max}: it stays in that, {count} lines"
                );
                said.push((NoteKind::Warning, text));
            }
            let pairs = self.times.windows(2).zip(values.windows(2));
            let speeds = pairs.map(|(t, v)| (t[0], ((v[1] - v[0]) / (t[1] - t[0])).abs()));
            if let Some((time, speed)) =
                speeds.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|s| s.1 > joint.velocity)
            {
                let (name, limit) = (&joint.name, joint.velocity);
                let unit = if joint.turns { "rad/s" } else { "m/s" };
                said.push((
                    NoteKind::Warning,
                    format!(
                        "moves {name} at {speed:.3} {unit} after {time} s, faster than its {limit} {unit}"
                    ),
                ));
            }
        }
        said
    }
}

/// What parts the columns of the first line: commas, else semicolons, else tabs.
fn separator(text: &str) -> u8 {
    let header = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or("");
    let is_there = |c: &u8| header.as_bytes().contains(c);
    [b',', b';', b'\t'].into_iter().find(is_there).unwrap_or(b',')
}

/// The line of what begins at a place, behind empty lines and remarks.
fn line_at(text: &str, place: Option<&csv::Position>) -> String {
    let start = place.map_or(0, |p| (p.byte() as usize).min(text.len()));
    let before = text.as_bytes()[..start].iter().filter(|&&b| b == b'\n').count();
    let is_skipped = |line: &&[u8]| line.trim_ascii().is_empty() || line.starts_with(b"#");
    let skipped = text.as_bytes()[start..].split(|&b| b == b'\n').take_while(is_skipped).count();
    line_place(1 + before + skipped)
}
