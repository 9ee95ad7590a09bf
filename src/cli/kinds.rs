//! Kinds as option values: every kind a module knows, spelled as it spells it.

use std::ffi::OsStr;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

use crate::articulation::{LinkTreeKind, SkinKind};
use crate::broad::BroadPhaseKind;
use crate::config::THREAD_LIMIT;
use crate::lab::{Experiment, Query};
use crate::plan::TreePlan;
use crate::tree::{SplitRule, TreeKind};

/// A count.
pub(super) fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "must be a whole number, 0 or more, that is not too large".to_owned())
}

/// A number of worker threads, `least` or more.
pub(super) fn threads(least: u32) -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(i64::from(least)..=i64::from(THREAD_LIMIT))
}

/// How guided hierarchies are called: they are many, and not among the values that help lists.
pub(super) const GUIDED: &str = "With +parts behind it (also +parts-always, +parts-each, +parts-each-always; not behind \
    octree and brute-force) its top follows the parts of the surface, as in obb+parts";

pub(super) fn tree() -> impl TypedValueParser<Value = TreePlan> {
    PlanParser
}

/// Lists the kinds, and takes them with what may stand behind them.
#[derive(Clone)]
struct PlanParser;

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
        Some(Box::new(TreeKind::ALL.into_iter().map(|kind| PossibleValue::new(kind.name()))))
    }
}

pub(super) fn split() -> impl TypedValueParser<Value = SplitRule> {
    kind(&SplitRule::ALL, SplitRule::name)
}

pub(super) fn broad() -> impl TypedValueParser<Value = BroadPhaseKind> {
    kind(&BroadPhaseKind::ALL, BroadPhaseKind::name)
}

pub(super) fn links() -> impl TypedValueParser<Value = LinkTreeKind> {
    kind(&LinkTreeKind::ALL, LinkTreeKind::name)
}

pub(super) fn skins() -> impl TypedValueParser<Value = SkinKind> {
    kind(&SkinKind::ALL, SkinKind::name)
}

pub(super) fn experiment() -> impl TypedValueParser<Value = Experiment> {
    kind(&Experiment::ALL, Experiment::name)
}

pub(super) fn query() -> impl TypedValueParser<Value = Query> {
    kind(&Query::ALL, Query::name)
}

fn kind<K>(all: &'static [K], name: fn(K) -> &'static str) -> impl TypedValueParser<Value = K>
where
    K: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().map(|&k| name(k))).try_map(move |text| {
        all.iter().copied().find(|&k| name(k) == text).ok_or_else(|| format!("no kind is called {text}"))
    })
}
