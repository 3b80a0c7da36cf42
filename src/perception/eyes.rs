//! [`Eyes`]: how a creature sees.

use super::species_error::SpeciesError;
use crate::setters::setters;
use crate::sight::{OffsetList, Sector};

/// The eyes of a species that looks for the viewer. It sees by the rules by which the viewer sees, within these limits. A creature of
/// a program without a scene has a [`Sense`](super::Sense).
///
/// ```
/// use farsight::perception::{Eyes, Species};
/// let owl = Species::new("owl", 'O').with_eyes(Eyes::default().with_radius(20).with_night_vision(0.6)).intern()?;
/// assert_eq!(owl.eyes.unwrap().span, 360.0); // it looks all around
/// let error = Species::new("newt", 'n').with_eyes(Eyes::default().with_span(0.0)).intern().unwrap_err();
/// assert!(error.to_string().contains("expected 1 to 360 degrees"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Eyes {
    /// The distance up to which it sees, in cells. The radius of the scene is a limit, too.
    pub radius: u32,
    /// The angle of its cone of vision, 1 to 360 degrees. It looks where it took its last step.
    pub span: f64,
    /// The light that it makes of the dark, in [0, 1]: 0 needs all light that there is, 1 sees by night as by day.
    pub night_vision: f32,
}

impl Default for Eyes {
    /// Eyes that see all around, as far as the viewer, by the light that there is.
    fn default() -> Self {
        Self { radius: OffsetList::MAX_RADIUS, span: Sector::ALL.span, night_vision: 0.0 }
    }
}

impl Eyes {
    setters! {
        with_radius(radius: u32), with_span(span: f64), with_night_vision(night_vision: f32),
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`SpeciesError`] for the first value that is out of its range.
    pub(super) fn check(&self) -> Result<(), SpeciesError> {
        let (span, radius) = (Sector::SPAN, OffsetList::MAX_RADIUS);
        SpeciesError::check("radius", self.radius, self.radius <= radius, || format!("0 to {radius} cells"))?;
        let expected = || format!("{} to {} degrees", span.start(), span.end());
        SpeciesError::check("span", self.span, span.contains(&self.span), expected)?;
        let is_share = (0.0..=1.0).contains(&self.night_vision);
        SpeciesError::check("night_vision", self.night_vision, is_share, || "0 to 1".to_owned())
    }
}
