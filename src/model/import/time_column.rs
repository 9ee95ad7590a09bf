//! Time column of a table and its unit: `time`, `t`, `Time (s)`, `time[ms]`, `time_us`.

use super::lines::quoted;

/// Largest number of column names in an error.
const NAMED: usize = 5;

/// Words for a unit of time, and the length of the unit, s.
const UNITS: [(&[&str], f64); 7] = [
    (&["", "s", "sec", "secs", "second", "seconds", "from start"], 1.0),
    (&["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"], 1e-3),
    (&["us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds"], 1e-6),
    (&["ns", "nsec", "nsecs", "nanosecond", "nanoseconds"], 1e-9),
    (&["min", "mins", "minute", "minutes"], 60.0),
    (&["h", "hour", "hours"], 3600.0),
    (&["d", "day", "days"], 86_400.0),
];

/// Column of a table that has its times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeColumn {
    pub at: usize,
    /// Length of the column's unit, s.
    pub unit: f64,
}

/// Finds the first column that is named as a time in a known unit.
pub(super) fn find<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Result<TimeColumn, String> {
    let mut unknown = None;
    for (at, name) in names.clone().enumerate() {
        match unit(name) {
            Some(Ok(unit)) => return Ok(TimeColumn { at, unit }),
            Some(Err(text)) => unknown = unknown.or(Some((name, text))),
            None => {}
        }
    }
    Err(match unknown {
        Some((name, text)) => format!(
            "the column {} would be in {}, which is no unit that is known: s, ms, us, ns, min, h",
            quoted(name),
            quoted(&text)
        ),
        None => {
            let found: Vec<String> = names.take(NAMED).map(quoted).collect();
            format!("no column is called time, in s; the first are {}", found.join(", "))
        }
    })
}

/// Returns the unit (s) of a column that is named as a time, or as an error the words after `time` that
/// are no known unit; `None` for other columns.
fn unit(name: &str) -> Option<Result<f64, String>> {
    let lower = name.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().filter(|first| ["time", "t"].contains(first))?;
    let rest = words.collect::<Vec<_>>().join(" ");
    let known = UNITS.iter().find(|(words, _)| words.contains(&rest.as_str()));
    Some(known.map(|(_, unit)| *unit).ok_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_stands_behind_the_word_or_is_a_second() {
        for (name, seconds) in [
            ("time", 1.0),
            ("T", 1.0),
            ("Time (s)", 1.0),
            ("time_from_start", 1.0),
            ("Time [ms]", 1e-3),
            ("time_ms", 1e-3),
            ("t(ms)", 1e-3),
            ("time/µs", 1e-6),
            ("time_ns", 1e-9),
            ("Time, min", 60.0),
        ] {
            assert_eq!(find(["elbow", name].into_iter()), Ok(TimeColumn { at: 1, unit: seconds }), "{name}");
        }
        // A joint may be named `t_knee`.
        assert_eq!(find(["t_knee", "time"].into_iter()), Ok(TimeColumn { at: 1, unit: 1.0 }));
        for (names, says) in [
            (["time [frames]", "a"], "the column \"time [frames]\" would be in \"frames\""),
            (["timer", "a"], "no column is called time, in s; the first are \"timer\", \"a\""),
        ] {
            let error = find(names.into_iter()).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
