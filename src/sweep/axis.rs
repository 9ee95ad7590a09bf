//! A key that a sweep varies, and its values: `part.crate.friction=0.1..0.9:5`, `tree=obb,sphere`.

/// Largest number of values of one key.
pub const VALUE_LIMIT: usize = 1_000_000;
/// Number of significant digits of a value between the ends of a range. With one more, 0.3 would become
/// 0.30000000000000004.
const DIGITS: usize = 15;

/// Key that a sweep varies, with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub key: String,
    pub values: Values,
}

/// Values of a key, as texts in TOML or as a user types them for an option.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Values one by one.
    List(Vec<String>),
    /// All numbers of a range, from which samples are taken.
    Range(Range),
}

/// Range of numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub from: f64,
    pub to: f64,
    /// Whether the key takes whole numbers only.
    pub is_whole: bool,
}

impl Axis {
    /// Parses `KEY=a,b,c`, `KEY=from..to:n` (n values, evenly spaced from end to end) or `KEY=from..to`
    /// (a range for samples).
    ///
    /// # Errors
    /// Returns an error if there is no key, no value, or a range that is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = "must be KEY=VALUES, as in part.crate.friction=0.1..0.9:5 or tree=obb,sphere";
        let at = outside(text, '=').next().ok_or(wrong)?;
        let (key, values) = (text[..at].trim(), text[at + 1..].trim());
        if key.is_empty() || values.is_empty() {
            return Err(wrong.to_owned());
        }
        let values = match range(values)? {
            Some((range, Some(count))) => Values::List(spaced(range, count)?),
            Some((range, None)) => Values::Range(range),
            None => Values::List(list(values)?),
        };
        Ok(Self { key: key.to_owned(), values })
    }

    /// Returns the values if they are listed, and none for a range.
    pub fn listed(&self) -> &[String] {
        match &self.values {
            Values::List(list) => list,
            Values::Range(_) => &[],
        }
    }
}

impl Range {
    /// Returns the number at a share (0 to 1) of the range, as text.
    pub fn at(&self, share: f64) -> String {
        let Self { from, to, is_whole } = *self;
        if is_whole {
            let count = (to - from).abs() + 1.0;
            let steps = (share * count).floor().min(count - 1.0);
            return whole_text(if to < from { from - steps } else { from + steps });
        }
        // The ends are exact.
        let value = if share >= 1.0 { to } else { rounded(from * (1.0 - share) + to * share) };
        number_text(value)
    }
}

/// Formats a number such that TOML reads it as a float.
fn number_text(value: f64) -> String {
    format!("{value:?}")
}

/// Formats a whole number such that TOML reads it as an integer.
fn whole_text(value: f64) -> String {
    format!("{value:.0}")
}

fn rounded(value: f64) -> f64 {
    format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value)
}

/// Returns the places of a character outside of quotes and brackets.
fn outside(text: &str, wanted: char) -> impl Iterator<Item = usize> + '_ {
    let (mut quote, mut depth) = (None, 0_u32);
    text.char_indices().filter_map(move |(at, c)| {
        match quote {
            Some(open) => quote = (open != c).then_some(open),
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == wanted && depth == 0 => return Some(at),
            None if "[{".contains(c) => depth += 1,
            None if "]}".contains(c) => depth = depth.saturating_sub(1),
            None => {}
        }
        None
    })
}

/// Divides a text at its commas.
fn list(text: &str) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    let mut start = 0;
    for end in outside(text, ',').chain([text.len()]) {
        let value = text[start..end].trim();
        if value.is_empty() {
            return Err(format!("{text:?} has an empty value; values have commas between them"));
        }
        if values.iter().any(|other| other == value) {
            return Err(format!("{text:?} has the value {value} twice"));
        }
        values.push(value.to_owned());
        start = end + 1;
    }
    Ok(values)
}

/// Parses `from..to` or `from..to:n`; `None` if the text is no range of numbers.
fn range(text: &str) -> Result<Option<(Range, Option<usize>)>, String> {
    let Some((from, rest)) = text.split_once("..") else { return Ok(None) };
    let (to, count) = match rest.split_once(':') {
        Some((to, count)) => (to, Some(count)),
        None => (rest, None),
    };
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let (Some(low), Some(high)) = (number(from), number(to)) else { return Ok(None) };
    if low == high {
        return Err(format!("{text:?} is a range from a number to itself"));
    }
    let is_whole = [from, to].iter().all(|end| end.trim().parse::<i64>().is_ok());
    let range = Range { from: low, to: high, is_whole };
    let Some(count) = count else { return Ok(Some((range, None))) };
    match count.trim().parse::<usize>() {
        Ok(count) if (2..=VALUE_LIMIT).contains(&count) => Ok(Some((range, Some(count)))),
        _ => Err(format!("{text:?} needs a number of values from 2 to {VALUE_LIMIT} after the colon")),
    }
}

/// Returns evenly spaced values, both ends included. They are whole numbers if the ends are and all
/// values between them would be.
fn spaced(range: Range, count: usize) -> Result<Vec<String>, String> {
    let Range { from, to, is_whole } = range;
    let steps = (count - 1) as f64;
    let at = |k: usize| match k {
        0 => from,
        k if k + 1 == count => to,
        k => rounded((from * (steps - k as f64) + to * k as f64) / steps),
    };
    let is_whole = is_whole && ((to - from) / steps).fract() == 0.0;
    let text = |k| if is_whole { whole_text(at(k)) } else { number_text(at(k)) };
    let values: Vec<String> = (0..count).map(text).collect();
    match values.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(format!("the range has the value {} twice: {count} values are too many", two[0])),
        None => Ok(values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Axis::parse(text).unwrap().listed().to_vec()
    }

    #[test]
    fn values_are_listed_or_spaced_from_end_to_end() {
        assert_eq!(values("tree=obb, sphere"), ["obb", "sphere"]);
        assert_eq!(values("a.b=[1, 2],[3, 4]"), ["[1, 2]", "[3, 4]"]);
        assert_eq!(values("part.\"a=b,c\".name=\"x,y\",z"), ["\"x,y\"", "z"]);
        assert_eq!(values("f=0.1..0.5:5"), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(values("f=0.1..1:10")[6..], ["0.7", "0.8", "0.9", "1.0"]);
        assert_eq!(values("substeps=2..8:4"), ["2", "4", "6", "8"]);
        assert_eq!(values("y=1..0:3"), ["1.0", "0.5", "0.0"]);
        assert_eq!(values("y=-1e-7..1e-7:3"), ["-1e-7", "0.0", "1e-7"]);
        assert_eq!(values("file=../a.stl,../b.stl"), ["../a.stl", "../b.stl"]);
    }

    #[test]
    fn a_range_without_a_count_is_for_samples() {
        let range = |text: &str| match Axis::parse(text).unwrap().values {
            Values::Range(range) => range,
            Values::List(list) => panic!("{list:?}"),
        };
        assert_eq!([0.0, 0.25, 1.0].map(|share| range("f=0.0..0.4").at(share)), ["0.0", "0.1", "0.4"]);
        let whole = range("n=3..1");
        assert_eq!([0.0, 0.34, 0.99, 1.0].map(|share| whole.at(share)), ["3", "2", "1", "1"]);
    }

    #[test]
    fn texts_without_values_are_refused() {
        for text in
            ["friction", "=1", "a=", "a=1,,2", "a=1,1", "a=0..1:1", "a=0..1:x", "a=2..2:3", "a=0..1:9999999"]
        {
            assert!(Axis::parse(text).is_err(), "{text}");
        }
        assert!(Axis::parse("f=0.1..0.1000000000000001:30").is_err());
    }
}
