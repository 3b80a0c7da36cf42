//! [`ClassRules`]: what the classes of a raster are: clear ground, crowns or opaque; [`Extinction`]: the light that crowns take.

use super::failure::Failure;
use super::text::pluralize;
use farsight::grid::{CellRect, Grid};
use farsight_scene::world::SurfaceKind;

/// The light that crowns take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extinction {
    /// All.
    Opaque,
    /// An extinction per metre.
    PerMetre(f64),
}

/// The classes of point clouds: unclassified, ground, three of plants, building, water, road and bridge.
///
/// # References
/// ASPRS: *LAS Specification 1.4*, table 17.
const LAS: [(&[i32], SurfaceKind); 3] =
    [(&[2, 9, 11], SurfaceKind::Clear), (&[3, 4, 5], SurfaceKind::Crown), (&[1, 6, 17], SurfaceKind::Opaque)];

/// The kinds of classes.
pub(crate) struct ClassRules(Vec<(i32, SurfaceKind)>);

/// Parses classes and their kind: `6,17=opaque`.
pub(crate) fn parse_class(text: &str) -> Result<(Vec<i32>, SurfaceKind), String> {
    let expected = || "expected classes and what they are: clear, crown or opaque, such as 6,17=opaque".to_owned();
    let (classes, kind) = text.split_once('=').ok_or_else(expected)?;
    let classes: Result<Vec<i32>, _> = classes.split(',').map(|class| class.trim().parse()).collect();
    let kind = SurfaceKind::ALL.iter().copied().find(|known| known.name() == kind.trim());
    Ok((classes.map_err(|_| expected())?, kind.ok_or_else(expected)?))
}

impl ClassRules {
    /// Returns the rules of the flags, or those of point clouds.
    pub(crate) fn new(given: &[(Vec<i32>, SurfaceKind)]) -> Result<Self, Failure> {
        let known = || LAS.into_iter().flat_map(|(classes, kind)| classes.iter().map(move |class| (*class, kind)));
        let mut rules: Vec<(i32, SurfaceKind)> = if given.is_empty() { known().collect() } else { Vec::new() };
        for (class, kind) in given.iter().flat_map(|(classes, kind)| classes.iter().map(move |class| (*class, *kind))) {
            if let Some((_, other)) = rules.iter().find(|(other, kind_of)| *other == class && *kind_of != kind) {
                let (kind, other) = (kind.name(), other.name());
                return Err(Failure::usage(format!("--class: {class} is both {other} and {kind}; expected one kind")));
            }
            rules.push((class, kind));
        }
        Ok(Self(rules))
    }

    /// Refuses classes without a kind. Nodata has none, and is clear.
    pub(crate) fn check(&self, file: &str, classes: &Grid<f32>, cells: CellRect) -> Result<(), Failure> {
        let is_unknown = |value: f32| !value.is_nan() && self.find(value).is_none();
        let unknown = || classes.iter().filter(|(_, value)| is_unknown(**value));
        let Some((cell, &value)) = unknown().next() else { return Ok(()) };
        let count = pluralize(unknown().filter(|(_, other)| **other == value).count(), "cell");
        let cell = cells.min + cell;
        let mut known: Vec<String> = self.0.iter().map(|(class, _)| class.to_string()).collect();
        known.dedup();
        Err(Failure::input(format!(
            "{file}: the class {value} of {count}, the first {},{}, has no kind: expected one of {}, or --class {value}=opaque, crown or \
             clear",
            cell.x,
            cell.y,
            known.join(", ")
        )))
    }

    /// Returns the kind of a checked value.
    pub(crate) fn kind(&self, value: f32) -> SurfaceKind {
        self.find(value).unwrap_or(SurfaceKind::Clear)
    }

    fn find(&self, value: f32) -> Option<SurfaceKind> {
        self.0.iter().find(|(class, _)| *class as f32 == value).map(|(_, kind)| *kind)
    }
}
