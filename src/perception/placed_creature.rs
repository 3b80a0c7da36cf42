//! [`PlacedCreature`]: an entry of `[[creatures]]`.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::eyes::Eyes;
use super::species::Species;
use crate::light::Rgb;
use crate::math::shortest_decimal;
use crate::setters::setters;

/// A creature that starts on a chosen cell, besides those that are spawned at random. An entry of `[[creatures]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CreatureEntry", into = "CreatureEntry")]
#[non_exhaustive]
pub struct PlacedCreature {
    /// The cell on which it starts; it wanders from there as all do.
    pub at: IVec2,
    /// Its species.
    pub kind: &'static Species,
    /// The direction in which it looks until its first step, in degrees clockwise from the top of the map.
    pub facing: f64,
}

impl PlacedCreature {
    /// The direction in which creatures look at first: east.
    pub const FACING: f64 = 90.0;

    /// Places a creature of a species on a cell. It looks east.
    pub fn new(at: impl Into<IVec2>, kind: &'static Species) -> Self {
        let at = at.into();
        Self { at, kind, facing: Self::FACING }
    }

    setters! {
        with_facing(facing: f64),
    }
}

/// The keys of an entry. Those of a species that are left out are those of the shipped species of that name, or of
/// [`Species::new`].
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CreatureEntry {
    at: IVec2,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    facing: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    glyph: Option<char>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    colour: Option<Rgb>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    conspicuity: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restlessness: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    night_vision: Option<f64>,
}

impl TryFrom<CreatureEntry> for PlacedCreature {
    type Error = String;

    fn try_from(entry: CreatureEntry) -> Result<Self, String> {
        let CreatureEntry { at, kind, facing, glyph, colour, conspicuity, restlessness, radius, span, night_vision } =
            entry;
        let facing = facing.unwrap_or(Self::FACING);
        let mut species = match (Species::named(&kind), glyph) {
            (Some(shipped), _) => shipped.clone(),
            (None, Some(glyph)) => Species::new(Species::intern_name(&kind).map_err(|error| error.to_string())?, glyph),
            (None, None) => {
                let shipped = Species::NAMES.join(", ");
                return Err(format!(
                    "creature {kind:?} is not known: expected {shipped}, or a name of your own with a glyph"
                ));
            }
        };
        species.glyph = glyph.unwrap_or(species.glyph);
        species.colour = colour.map_or(species.colour, |Rgb(colour)| colour);
        species.conspicuity = conspicuity.map_or(species.conspicuity, |share| share as f32);
        species.restlessness = restlessness.unwrap_or(species.restlessness);
        if radius.is_some() || span.is_some() || night_vision.is_some() {
            let default = Eyes::default();
            species.eyes = Some(Eyes {
                radius: radius.unwrap_or(default.radius),
                span: span.unwrap_or(default.span),
                night_vision: night_vision.map_or(default.night_vision, |share| share as f32),
            });
        }
        let kind = species.intern().map_err(|error| format!("creature {kind:?}: {error}"))?;
        Ok(Self { at, kind, facing })
    }
}

impl From<PlacedCreature> for CreatureEntry {
    fn from(placed: PlacedCreature) -> Self {
        let PlacedCreature { at, kind: species, facing } = placed;
        let shipped = Species::named(species.name);
        let usual = shipped.cloned().unwrap_or_else(|| Species::new(species.name, species.glyph));
        let eyes = species.eyes;
        Self {
            at,
            kind: species.name.to_owned(),
            facing: (facing != PlacedCreature::FACING).then_some(facing),
            glyph: (shipped.is_none() || species.glyph != usual.glyph).then_some(species.glyph),
            colour: (species.colour != usual.colour).then_some(Rgb(species.colour)),
            conspicuity: (species.conspicuity != usual.conspicuity).then(|| shortest_decimal(species.conspicuity)),
            restlessness: (species.restlessness != usual.restlessness).then_some(species.restlessness),
            radius: eyes.map(|eyes| eyes.radius),
            span: eyes.map(|eyes| eyes.span).filter(|span| *span != Eyes::default().span),
            night_vision: eyes.map(|eyes| eyes.night_vision).filter(|share| *share != 0.0).map(shortest_decimal),
        }
    }
}
