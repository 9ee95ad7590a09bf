//! Motion of a robot's joints from a CSV table, as controllers and planners write it. The column `time`
//! is in s, or in the unit that its name states. Each moving joint has a column of its name, in rad or
//! m.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord, Trim};

use super::alike::most_alike;
use super::error::LoadError;
use super::fault::{Checked, Fault, fault};
use super::limits::{CAPTURED_JOINTS, CAPTURED_KEYS, COORDINATE, FILE_BYTES, at_most};
use super::lines::{line_place, quoted};
use super::model::{Model, Note, NoteKind};
use super::read::read_text;
use super::robot::Robot;
use super::text::{self, NAMED, legible, list};
use super::time_column::{self, TimeColumn};
use crate::body::CoordinateClip;
use crate::digits::{seconds, short};

/// Table that moves a robot's joints, and its playback.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMotion {
    pub path: PathBuf,
    /// Playback speed, above 0; 2 halves all times.
    pub speed: f64,
    /// Whether the motion repeats. If not, the joints stay at its end.
    pub looped: bool,
}

/// Returns whether a file is a table of joint coordinates, by its extension.
pub(crate) fn is_joint_motion(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"))
}

/// Gives joints their motion from a file, and moves each joint to the start of its motion. An error
/// names the line.
pub(super) fn take(model: &mut Model, motion: &JointMotion) -> Result<(), LoadError> {
    take_text(model, motion, &read_text(&motion.path, FILE_BYTES)?)?;
    model.files.push(motion.path.clone());
    Ok(())
}

/// Gives joints their motion from the text of a table.
pub(super) fn take_text(model: &mut Model, motion: &JointMotion, text: &str) -> Result<(), LoadError> {
    let file = motion.path.display().to_string();
    let Some(robot) = &mut model.robot else {
        let (path, reason) = (PathBuf::from(&model.source), "defines no joints that can be moved");
        return Err(LoadError::Refused { path, reason: reason.to_owned() });
    };
    let read = Table::read(text.trim_start_matches('\u{feff}'), robot);
    let table =
        read.map_err(|Fault { place, reason }| LoadError::Invalid { file: file.clone(), place, reason })?;
    let mut said = table.notes(robot, motion.looped);
    let last = table.times.last().copied().unwrap_or(0.0) / motion.speed;
    let after = if motion.looped { "start over" } else { "stay there" };
    let moved = table.columns.len();
    said.push((NoteKind::Assumed, format!("moves {moved} joints for {} s, which then {after}", short(last))));
    for Column { joint, values } in table.columns {
        let keys = table.times.iter().zip(values).map(|(time, value)| [time / motion.speed, value]).collect();
        let clip = CoordinateClip { keys, looped: motion.looped };
        if let Some(reason) = clip.fault() {
            let reason = format!("at a speed of {:e}: {reason}", motion.speed);
            return Err(LoadError::Refused { path: motion.path.clone(), reason });
        }
        let joint = &mut robot.joints[joint as usize];
        joint.coordinate = clip.at(0.0).clamp(joint.range[0], joint.range[1]);
        joint.clip = Some(clip);
    }
    model.notes.extend(said.into_iter().map(|(kind, text)| Note { kind, place: file.clone(), text }));
    Ok(())
}

#[derive(Default)]
struct Table {
    /// First time in the table, s.
    start: Option<f64>,
    /// Times since the first time, s.
    times: Vec<f64>,
    columns: Vec<Column>,
    /// Names of columns that match no joint.
    unknown: Vec<String>,
    followers: Vec<String>,
    said: Vec<(NoteKind, String)>,
}

/// Column indices of the values to read.
struct Places {
    time: TimeColumn,
    /// Columns of the moved joints, in the order of `columns` in the table.
    joints: Vec<usize>,
}

/// Values over time of one joint, an index into the robot's joints.
struct Column {
    joint: u32,
    values: Vec<f64>,
}

impl Table {
    /// Reads a table for the joints of a robot.
    fn read(text: &str, robot: &Robot) -> Checked<Self> {
        let mut reader = ReaderBuilder::new()
            .delimiter(separator(text))
            .trim(Trim::All)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let header = reader.headers().map_err(|error| broken(text, &error))?.clone();
        if header.is_empty() {
            return fault(line_place(1), "it is empty: no line with the names of columns");
        }
        let first = line_at(text, header.position());
        let columns = Self::columns(&header, robot);
        let (mut table, places) = columns.or_else(|reason| fault(&first, reason))?;
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).map_err(|error| broken(text, &error))? {
            let taken = table.take(&record, &header, &places);
            taken.or_else(|reason| fault(line_at(text, record.position()), reason))?;
        }
        if table.times.is_empty() {
            return fault(&first, "no line with values follows");
        }
        Ok(table)
    }

    /// Reads the header. Returns a table without lines, and the columns to read.
    fn columns(header: &StringRecord, robot: &Robot) -> Result<(Self, Places), String> {
        at_most(CAPTURED_JOINTS, header.len(), "columns")?;
        let mut table = Self::default();
        let mut places = Places { time: time_column::find(header.iter())?, joints: Vec::new() };
        let TimeColumn { at: time, unit } = places.time;
        if unit != 1.0 {
            let name = legible(&header[time]);
            table
                .said
                .push((NoteKind::Assumed, format!("its times are in units of {}: {name}", seconds(unit))));
        }
        let mut names = BTreeSet::new();
        for (at, name) in header.iter().enumerate().filter(|(at, _)| *at != time) {
            if !names.insert(name) {
                return Err(format!("two columns are called {}", quoted(name)));
            }
            match robot.joints.iter().position(|joint| joint.name == name) {
                None => table.unknown.push(text::name(name).0),
                Some(joint) if robot.joints[joint].mimic.is_some() => table.followers.push(name.to_owned()),
                Some(joint) => {
                    places.joints.push(at);
                    table.columns.push(Column { joint: joint as u32, values: Vec::new() });
                }
            }
        }
        if places.joints.is_empty() {
            let joints: Vec<&str> =
                robot.joints.iter().filter(|j| j.mimic.is_none()).map(|j| &j.name[..]).collect();
            return Err(format!(
                "no column is called like a joint; those that move are {}",
                joints.join(", ")
            ));
        }
        Ok((table, places))
    }

    /// Adds the values of one line.
    fn take(&mut self, record: &StringRecord, header: &StringRecord, places: &Places) -> Result<(), String> {
        let number = |at: usize, unit: f64| match record[at].parse::<f64>().map(|number| number * unit) {
            Ok(number) if number.abs() <= COORDINATE => Ok(number),
            _ => {
                let (found, name) = (quoted(&record[at]), quoted(&header[at]));
                Err(format!("{found} of {name} is no number, or beyond {COORDINATE:e}"))
            }
        };
        let now = number(places.time.at, places.time.unit)?;
        let start = *self.start.get_or_insert(now);
        if self.times.last().is_some_and(|last| now - start <= *last) {
            let time = quoted(&record[places.time.at]);
            return Err(format!("its time {time} is not later than that before it"));
        }
        self.times.push(now - start);
        at_most(CAPTURED_KEYS / places.joints.len(), self.times.len(), "lines of so many columns")?;
        for (column, at) in self.columns.iter_mut().zip(&places.joints) {
            column.values.push(number(*at, 1.0)?);
        }
        Ok(())
    }

    /// Returns notes about data of the table that is ignored or changed.
    fn notes(&self, robot: &Robot, looped: bool) -> Vec<(NoteKind, String)> {
        let mut said = self.said.clone();
        if !self.unknown.is_empty() {
            let columns = self.unknown.iter().enumerate();
            // Similar names are searched only for the columns that the text shows, because the search
            // is slow.
            let columns = columns.map(|(k, name)| if k < NAMED { like(name, robot) } else { name.clone() });
            let columns = list(&columns.collect::<Vec<_>>(), ", ");
            let text = format!("these columns match no joint and are ignored: {columns}");
            said.push((NoteKind::Warning, text));
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
                    "wants {name} at {} after {} s, which goes from {} to {}: it stays in that, {count} lines",
                    short(*value),
                    short(*time),
                    short(min),
                    short(max)
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
                        "moves {name} at {} {unit} after {} s, faster than its {} {unit}",
                        short(speed),
                        short(time),
                        short(limit)
                    ),
                ));
            }
        }
        said
    }
}

/// Describes a column that matches no joint, with the joint whose name is most similar.
fn like(name: &str, robot: &Robot) -> String {
    let alike = most_alike(name, robot.joints.iter().map(|j| j.name.as_str()));
    let alike = alike.map(|joint| format!(" (is {joint} meant?)")).unwrap_or_default();
    format!("{name}{alike}")
}

/// Returns the error for a line that does not fit the table.
fn broken(text: &str, error: &csv::Error) -> Fault {
    let reason = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("it has {len} values, and the first line has {expected_len} columns")
        }
        _ => error.to_string(),
    };
    Fault { place: line_at(text, error.position()), reason }
}

/// Returns the separator of columns, found in the first line: a comma, else a semicolon, else a tab.
fn separator(text: &str) -> u8 {
    let header = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or("");
    let is_there = |c: &u8| header.as_bytes().contains(c);
    [b',', b';', b'\t'].into_iter().find(is_there).unwrap_or(b',')
}

/// Returns the number of the line where a record begins. Empty lines and comments before it are
/// skipped.
fn line_at(text: &str, place: Option<&csv::Position>) -> String {
    let start = place.map_or(0, |p| (p.byte() as usize).min(text.len()));
    let before = text.as_bytes()[..start].iter().filter(|&&b| b == b'\n').count();
    let is_skipped = |line: &&[u8]| line.trim_ascii().is_empty() || line.starts_with(b"#");
    let skipped = text.as_bytes()[start..].split(|&b| b == b'\n').take_while(is_skipped).count();
    line_place(1 + before + skipped)
}
