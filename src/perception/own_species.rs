//! Species besides the shipped ones: made by a program or a preset, and kept until the program ends.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::eyes::Eyes;
use super::species::Species;
use super::species_error::SpeciesError;
use crate::setters::setters;

impl Species {
    /// The most characters of a name.
    pub const MAX_NAME: usize = 40;

    /// Makes a species of one's own: fully conspicuous, moving every other turn, without eyes. It has the habitats of the shipped
    /// species of that name, or else lives everywhere.
    ///
    /// ```
    /// use farsight::prelude::*;
    /// use farsight::Job;
    /// use farsight::perception::{Eyes, PlacedCreature, Recognition, Species};
    ///
    /// let eyes = Eyes::default().with_radius(6).with_span(120.0);
    /// let guard = Species::new("guard", 'A').with_restlessness(0).with_eyes(eyes).intern()?;
    /// let map = OpacityMap::from_text("....#....")?;
    /// let mut scene = Scene::on_map(Preset::bare_kernel(), map, Some((8, 0).into()), Job::quiet())?;
    /// scene.add_creature(PlacedCreature::new((1, 0), guard).with_facing(90.0))?; // it looks east
    /// assert_eq!(scene.creatures().all()[0].noticed, Recognition::Hidden); // behind a wall
    /// scene.set_opacity((4, 0), 0.0)?;
    /// scene.place((6, 0))?;
    /// assert_eq!(scene.creatures().all()[0].noticed, Recognition::Identified);
    /// assert_eq!(scene.creatures().all()[0].description(1.0), "guard, identified, sees you");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(name: &'static str, glyph: char) -> Self {
        let habitats = Self::named(name).and_then(|shipped| shipped.habitats);
        Self { name, glyph, colour: [236, 232, 220], conspicuity: 1.0, restlessness: 50, eyes: None, habitats }
    }

    setters! {
        with_glyph(glyph: char), with_colour(colour: [u8; 3]), with_conspicuity(conspicuity: f32),
        with_restlessness(restlessness: u8), with_eyes(eyes: impl Into<Option<Eyes>>),
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`SpeciesError`] for the first value that is not valid.
    pub fn check(&self) -> Result<(), SpeciesError> {
        SpeciesError::check("name", format!("{:?}", self.name), is_name(self.name), || {
            format!("1 to {} characters that are no control characters", Self::MAX_NAME)
        })?;
        SpeciesError::check("glyph", format!("{:?}", self.glyph), is_glyph(self.glyph), || GLYPHS.to_owned())?;
        let is_share = self.conspicuity > 0.0 && self.conspicuity <= 1.0;
        SpeciesError::check("conspicuity", self.conspicuity, is_share, || "more than 0, up to 1".to_owned())?;
        SpeciesError::check("restlessness", self.restlessness, self.restlessness <= 100, || "0 to 100 %".to_owned())?;
        self.eyes.map_or(Ok(()), |eyes| eyes.check())
    }

    /// Checks the species and keeps it until the program ends, as creatures need it. The same values give the same reference, so
    /// that memory grows only with different species.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn intern(self) -> Result<&'static Self, SpeciesError> {
        self.check()?;
        if let Some(shipped) = Self::named(self.name).filter(|shipped| **shipped == self) {
            return Ok(shipped);
        }
        let mut kept = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
        let of_name = kept.entry(self.name).or_default();
        if let Some(same) = of_name.iter().find(|species| ***species == self) {
            return Ok(same);
        }
        let species: &'static Self = Box::leak(Box::new(self));
        of_name.push(species);
        Ok(species)
    }

    /// Returns a name that lives until the program ends.
    ///
    /// # Errors
    /// [`SpeciesError`] for a name that is not valid, which is not kept.
    pub(super) fn intern_name(name: &str) -> Result<&'static str, SpeciesError> {
        if let Some(shipped) = Self::named(name) {
            return Ok(shipped.name);
        }
        SpeciesError::check("name", format!("{name:?}"), is_name(name), || {
            format!("1 to {} characters", Self::MAX_NAME)
        })?;
        let mut kept = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, _)) = kept.get_key_value(name) {
            return Ok(known);
        }
        let name: &'static str = Box::leak(name.into());
        kept.insert(name, Vec::new());
        Ok(name)
    }
}

/// The species besides the shipped ones, by their names.
static INTERNED: Mutex<BTreeMap<&'static str, Vec<&'static Species>>> = Mutex::new(BTreeMap::new());

/// The valid glyphs, in words. Other characters have a meaning on maps.
pub(crate) const GLYPHS: &str = "a letter A to Z or a to z, a digit, or &";

/// Returns `true` if a species may have this name.
pub(crate) fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= Species::MAX_NAME && !name.chars().any(char::is_control)
}

/// Returns `true` if a species may have this glyph.
pub(crate) fn is_glyph(glyph: char) -> bool {
    glyph.is_ascii_alphanumeric() || glyph == '&'
}
