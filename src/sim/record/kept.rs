//! Contacts and joints of a step as a recording stores them: touching pairs, joints with their axes,
//! and single contacts.

use super::format::StepRecord;
use super::marks::{ContactMark, contact_marks};
use super::packed::{
    CONTACT_WORDS, Item, JointItems, Packed, Shapes, TOUCH_WORDS, contact_items, contacts_of, joint_items,
    joints_of, pack, touch_items, touches_of, unpack,
};
use crate::pose::Pose;
use crate::scene::Scene;
use crate::world::{AxisStep, JointAxes, JointStep, PairTouch, World};

/// Choice of the contacts and joints that a recording stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// Neither contacts nor joints.
    None,
    /// Touching pairs with the sums of their contacts, and joints with their loads.
    #[default]
    Pairs,
    /// Pairs and joints, and also each contact with its force in the last sub-step.
    All,
}

impl Kept {
    pub const ALL: [Self; 3] = [Self::None, Self::Pairs, Self::All];

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Pairs => "pairs",
            Self::All => "all",
        }
    }

    /// Returns the choice with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kept| kept.name() == name)
    }
}

/// Joints after a step, and their axes.
pub type JointsOfStep = (Vec<JointStep>, Vec<AxisStep>);

/// Lists of one step; the lists of the next step are packed as changes of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Found {
    touches: Option<Vec<Item<TOUCH_WORDS>>>,
    joints: Option<JointItems>,
    contacts: Option<Vec<Item<CONTACT_WORDS>>>,
}

/// Packer of lists: those of the previous step, and buffers for those of the next.
pub(super) struct Keeper {
    shapes: Shapes,
    before: Found,
    touches: Vec<Item<TOUCH_WORDS>>,
    joints: JointItems,
    contacts: Vec<Item<CONTACT_WORDS>>,
}

/// Data of a scene that is needed to convert lists.
pub(super) struct Lists {
    shapes: Shapes,
    pub axes: JointAxes,
}

impl Keeper {
    pub fn new(scene: &Scene) -> Self {
        Self {
            shapes: Shapes::new(scene),
            before: Found::default(),
            touches: Vec::new(),
            joints: JointItems::default(),
            contacts: Vec::new(),
        }
    }

    /// Writes the contacts and joints of a world's step into its record. A keyframe does not refer to
    /// the previous step.
    pub fn take(&mut self, world: &World, kept: Kept, keyframe: bool, record: &mut StepRecord) {
        (record.touches, record.joints, record.axes, record.contacts) = Default::default();
        if kept == Kept::None {
            return;
        }
        if keyframe {
            self.before = Found::default();
        }
        let states = &world.bodies().states;
        let pose = |body: u32| states[body as usize].pose;
        touch_items(world.touching(), &self.shapes, pose, &mut self.touches);
        let before = self.before.touches.get_or_insert_default();
        pack(before, &mut self.touches, &mut record.touches.get_or_insert_default().0);
        joint_items(world.joint_steps(), world.axis_steps(), &mut self.joints);
        let before = self.before.joints.get_or_insert_default();
        pack(&mut before.joints, &mut self.joints.joints, &mut record.joints.get_or_insert_default().0);
        pack(&mut before.axes, &mut self.joints.axes, &mut record.axes.get_or_insert_default().0);
        if kept == Kept::All {
            contact_items(&contact_marks(world), &mut self.contacts);
            let before = self.before.contacts.get_or_insert_default();
            pack(before, &mut self.contacts, &mut record.contacts.get_or_insert_default().0);
        }
    }
}

impl Found {
    /// Returns the lists of the step of `record`. Unless it is a keyframe, its step must follow that of
    /// `self`.
    ///
    /// # Errors
    /// Fails if a list is invalid.
    pub fn after(&self, record: &StepRecord, keyframe: bool) -> Result<Self, String> {
        let start = Self::default();
        let before = if keyframe { &start } else { self };
        let joints = before.joints.as_ref();
        let joint_items = unpacked(joints.map(|joints| &joints.joints), record.joints.as_ref())?;
        let axis_items = unpacked(joints.map(|joints| &joints.axes), record.axes.as_ref())?;
        Ok(Self {
            touches: unpacked(before.touches.as_ref(), record.touches.as_ref())?,
            joints: joint_items.zip(axis_items).map(|(joints, axes)| JointItems { joints, axes }),
            contacts: unpacked(before.contacts.as_ref(), record.contacts.as_ref())?,
        })
    }
}

fn unpacked<const N: usize>(
    before: Option<&Vec<Item<N>>>,
    packed: Option<&Packed>,
) -> Result<Option<Vec<Item<N>>>, String> {
    packed.map(|packed| unpack(before.map_or(&[], |before| &before[..]), &packed.0)).transpose()
}

impl Lists {
    pub fn new(scene: &Scene) -> Self {
        Self { shapes: Shapes::new(scene), axes: JointAxes::new(&scene.joints) }
    }

    /// Converts the touching pairs, with bodies in the given poses; `None` if they are not stored.
    pub fn touching(&self, found: &Found, poses: &[Pose]) -> Result<Option<Vec<PairTouch>>, String> {
        found.touches.as_ref().map(|items| touches_of(items, &self.shapes, poses)).transpose()
    }

    /// Converts the joints and their axes, with the given coordinates of the axes; `None` if they are
    /// not stored.
    pub fn joints(
        &self,
        found: &Found,
        joint_count: usize,
        coordinates: impl Iterator<Item = f64>,
    ) -> Result<Option<JointsOfStep>, String> {
        let read = |items| joints_of(items, joint_count, &self.axes, coordinates);
        found.joints.as_ref().map(read).transpose()
    }

    /// Converts the single contacts or, if only pairs are stored, returns one contact per pair; `None`
    /// if neither is stored.
    pub fn contacts(&self, found: &Found, poses: &[Pose]) -> Result<Option<Vec<ContactMark>>, String> {
        if let Some(items) = &found.contacts {
            return contacts_of(items, poses.len()).map(Some);
        }
        let touching = self.touching(found, poses)?;
        Ok(touching.map(|touching| touching.iter().map(ContactMark::of_pair).collect()))
    }
}
