//! Kinds as values of options, spelled as their modules name them.

use std::ffi::OsStr;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use glam::DVec3;

use crate::articulation::{LinkTreeKind, SkinKind};
use crate::broad::BroadPhaseKind;
use crate::import::{Colliders, Unit, Up};
use crate::plan::TreePlan;
use crate::record::Kept;
use crate::scene::OpenAs;
use crate::tree::{SplitRule, TreeKind};

/// Parses a whole number.
pub(super) fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "must be a whole number, 0 or more, that is not too large".to_owned())
}

/// Parses a point, such as `1.5,2,-3` (m).
pub(super) fn point(text: &str) -> Result<DVec3, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|n| n.trim().parse::<f64>()).collect();
    match numbers.as_deref() {
        Ok(&[x, y, z]) if [x, y, z].iter().all(|n| n.is_finite()) => Ok(DVec3::new(x, y, z)),
        _ => Err("must be three numbers, like 1.5,0.8,2".to_owned()),
    }
}

/// Returns the parser for the option that tells how much a recording keeps of contacts.
pub(super) fn kept() -> impl TypedValueParser<Value = Kept> {
    PossibleValuesParser::new(Kept::ALL.map(Kept::name)).map(|name| Kept::named(&name).unwrap_or_default())
}

/// Describes how guided hierarchies are named. There are too many of them for the help's list of
/// values.
pub(super) fn guided(listed: Listed) -> String {
    let without_rule = TreeKind::names_without_rule();
    match listed {
        Listed::ForUse => format!(
            "With the suffix +parts, as in obb+parts, its top follows the parts of the surface (not {without_rule})"
        ),
        #[cfg(feature = "bench")]
        Listed::All => format!(
            "With the suffix +parts, as in obb+parts (also +parts-always, +parts-each, +parts-each-always; not \
             with {without_rule}), its top follows the parts of the surface"
        ),
    }
}

/// Selects the kinds that the help lists. All kinds are accepted in either case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    /// The kinds from which a user chooses.
    ForUse,
    /// All kinds, including those that serve only for the measurements of a paper.
    #[cfg(feature = "bench")]
    All,
}

pub(super) fn tree(listed: Listed) -> impl TypedValueParser<Value = TreePlan> {
    PlanParser(listed)
}

/// Parser of a kind with its suffixes. It lists the kinds without suffixes.
#[derive(Clone)]
struct PlanParser(Listed);

impl TypedValueParser for PlanParser {
    type Value = TreePlan;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<TreePlan, clap::Error> {
        StringValueParser::new().try_map(TreePlan::try_from).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let is_hidden = |kind: TreeKind| self.0 == Listed::ForUse && kind.is_for_measuring();
        let value = move |kind: TreeKind| PossibleValue::new(kind.name()).hide(is_hidden(kind));
        Some(Box::new(TreeKind::ALL.into_iter().map(value)))
    }
}

pub(super) fn split() -> impl TypedValueParser<Value = SplitRule> {
    kind(&SplitRule::ALL, SplitRule::name)
}

pub(super) fn broad(listed: Listed) -> impl TypedValueParser<Value = BroadPhaseKind> {
    kind_but(&BroadPhaseKind::ALL, BroadPhaseKind::name, move |kind| {
        listed == Listed::ForUse && kind.is_for_measuring()
    })
}

pub(super) fn links() -> impl TypedValueParser<Value = LinkTreeKind> {
    kind(&LinkTreeKind::ALL, LinkTreeKind::name)
}

pub(super) fn skins() -> impl TypedValueParser<Value = SkinKind> {
    kind(&SkinKind::ALL, SkinKind::name)
}

pub(super) fn unit() -> impl TypedValueParser<Value = Unit> {
    kind(&Unit::ALL, Unit::name)
}

pub(super) fn up() -> impl TypedValueParser<Value = Up> {
    kind(&Up::ALL, Up::name)
}

pub(super) fn colliders() -> impl TypedValueParser<Value = Colliders> {
    kind(&Colliders::ALL, Colliders::name)
}

pub(super) fn open_as() -> impl TypedValueParser<Value = OpenAs> {
    kind(&OpenAs::ALL, OpenAs::name)
}

/// Returns the parser of a kind by its name.
pub(super) fn kind<K>(all: &'static [K], name: fn(K) -> &'static str) -> impl TypedValueParser<Value = K>
where
    K: Copy + Send + Sync + 'static,
{
    kind_but(all, name, |_| false)
}

/// Returns a parser of the kinds. Its list of values omits the `hidden` kinds.
fn kind_but<K>(
    all: &'static [K],
    name: fn(K) -> &'static str,
    hidden: impl Fn(K) -> bool,
) -> impl TypedValueParser<Value = K>
where
    K: Copy + Send + Sync + 'static,
{
    let values = all.iter().map(|&k| PossibleValue::new(name(k)).hide(hidden(k)));
    PossibleValuesParser::new(values).try_map(move |text| {
        all.iter().copied().find(|&k| name(k) == text).ok_or_else(|| format!("no kind is called {text}"))
    })
}
