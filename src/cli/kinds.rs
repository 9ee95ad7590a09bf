//! Kinds as option values: every kind a module knows, spelled as it spells it.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::articulation::{LinkTreeKind, SkinKind};
use crate::broad::BroadPhaseKind;
use crate::experiment::{Experiment, Query};
use crate::tree::{Guidance, SplitRule, TreePlan};

/// How guided hierarchies are called: they are many, and not among the values that help lists.
pub(super) const GUIDED: &str = "With +parts behind it (also +parts-always, +parts-each, +parts-each-always; not behind \
    octree and brute-force) its top follows the parts of the surface, as in obb+parts";

pub(super) fn tree() -> impl TypedValueParser<Value = TreePlan> {
    let value = |plan: TreePlan| PossibleValue::new(plan.name()).hide(plan.guidance != Guidance::Plain);
    PossibleValuesParser::new(TreePlan::all().map(value)).try_map(TreePlan::try_from)
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
