//! [`ComparedMethod`]: a method with the settings that comparisons know it by; [`MethodRunner`]: one at work.

use std::str::FromStr;

use glam::IVec2;

use crate::classic;
use crate::classic::{ClassicChoice, ClassicConfig, ClassicMethod};
use crate::grid::Grid;
use crate::preset::Preset;
use crate::sight::{FieldOfView, Method, OpacityMap, SightConfig, SightError, Weights};

/// A method of sight with the settings that comparisons know it by.
///
/// ```
/// use farsight::sight::Method;
/// use farsight::preset::Preset;
/// use farsight::compare::ComparedMethod;
/// let contender: ComparedMethod = "raycast-border-bare".parse()?;
/// assert_eq!(contender, ComparedMethod::RaycastBorderBare);
/// let preset = contender.over(&Preset::default());
/// assert!(!preset.classic.repair);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ComparedMethod {
    /// Two parents, linear weights: the default method.
    Linear,
    /// Two parents, weights as published.
    Projection,
    /// Beams.
    Beam,
    /// Recursive shadowcasting.
    Shadowcast,
    /// Lines to the border of the view, and the repair of walls.
    RaycastBorder,
    /// The same without the repair.
    RaycastBorderBare,
    /// Lines to a far circle.
    RaycastCircle,
    /// Traced lines: what the others are measured by.
    Exact,
}

impl ComparedMethod {
    /// All of them, the default method first and the reference last.
    pub const ALL: [Self; 8] = [
        Self::Linear,
        Self::Projection,
        Self::Beam,
        Self::Shadowcast,
        Self::RaycastBorder,
        Self::RaycastBorderBare,
        Self::RaycastCircle,
        Self::Exact,
    ];

    /// The word for it on the command line and in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "two-parent",
            Self::Projection => "two-parent-projection",
            Self::Beam => "beam",
            Self::Shadowcast => "shadowcast",
            Self::RaycastBorder => "raycast-border",
            Self::RaycastBorderBare => "raycast-border-bare",
            Self::RaycastCircle => "raycast-circle",
            Self::Exact => "exact",
        }
    }

    /// What it is called in tables and pictures.
    pub fn title(self) -> &'static str {
        match self {
            Self::Linear => "two-parent, linear",
            Self::Projection => "two-parent, projection",
            Self::Beam => "beam",
            Self::Shadowcast => "shadowcast",
            Self::RaycastBorder => "raycast-border",
            Self::RaycastBorderBare => "raycast-border, bare",
            Self::RaycastCircle => "raycast-circle",
            Self::Exact => "exact",
        }
    }

    /// Whether it answers yes or no only.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Shadowcast | Self::RaycastBorder | Self::RaycastBorderBare | Self::RaycastCircle)
    }

    /// Which one a preset computes.
    pub fn of(preset: &Preset) -> Self {
        match (preset.classic.method, preset.sight.method, preset.sight.weights) {
            (Some(ClassicMethod::Shadowcast), ..) => Self::Shadowcast,
            (Some(ClassicMethod::RaycastBorder), ..) if preset.classic.repair => Self::RaycastBorder,
            (Some(ClassicMethod::RaycastBorder), ..) => Self::RaycastBorderBare,
            (Some(ClassicMethod::RaycastCircle), ..) => Self::RaycastCircle,
            (None, Method::TwoParent, Weights::Linear) => Self::Linear,
            (None, Method::TwoParent, Weights::Projection) => Self::Projection,
            (None, Method::Beam, _) => Self::Beam,
            (None, Method::Exact, _) => Self::Exact,
        }
    }

    /// The preset with this method in place of its own; radius, path rule, decay and the rest stay.
    pub fn over(self, preset: &Preset) -> Preset {
        let mut preset = preset.clone();
        self.settle(&mut preset.sight, &mut preset.classic);
        preset
    }

    fn settle(self, sight: &mut SightConfig, classic: &mut ClassicChoice) {
        classic.method = match self {
            Self::Shadowcast => Some(ClassicMethod::Shadowcast),
            Self::RaycastBorder | Self::RaycastBorderBare => Some(ClassicMethod::RaycastBorder),
            Self::RaycastCircle => Some(ClassicMethod::RaycastCircle),
            Self::Linear | Self::Projection | Self::Beam | Self::Exact => None,
        };
        match self {
            Self::Linear => (sight.method, sight.weights) = (Method::TwoParent, Weights::Linear),
            Self::Projection => (sight.method, sight.weights) = (Method::TwoParent, Weights::Projection),
            Self::Beam => sight.method = Method::Beam,
            Self::Exact => sight.method = Method::Exact,
            Self::RaycastBorder => classic.repair = true,
            Self::RaycastBorderBare => classic.repair = false,
            Self::Shadowcast | Self::RaycastCircle => {}
        }
    }
}

impl FromStr for ComparedMethod {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let name = name.replace('_', "-");
        Self::ALL.into_iter().find(|contender| contender.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("there is no method {name:?} to compare; there are {names}")
        })
    }
}

/// A contender at work on maps of opacities. It keeps its lists and buffers.
#[derive(Clone, Debug)]
pub struct MethodRunner(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Kernel(Box<FieldOfView>),
    Classic(ClassicConfig),
}

impl MethodRunner {
    /// A contender with the settings of a preset.
    ///
    /// # Errors
    /// [`SightError`] for settings that are out of range.
    pub fn new(contender: ComparedMethod, preset: &Preset) -> Result<Self, SightError> {
        let preset = contender.over(preset);
        Ok(Self(match preset.classic.config(preset.sight.radius) {
            Some(config) => Kind::Classic(config),
            None => Kind::Kernel(Box::new(FieldOfView::new(preset.sight)?)),
        }))
    }

    /// Computes a field of view and answers with the viewer's own visibility, which is 1: for those who take the time.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] and [`SightError::RadiusTooLarge`].
    pub fn look(&mut self, map: &OpacityMap, viewer: IVec2) -> Result<f32, SightError> {
        Ok(match &mut self.0 {
            Kind::Kernel(fov) => fov.compute(map, viewer)?.get(viewer),
            Kind::Classic(config) => f32::from(u8::from(classic::visible(map, viewer, config)?.get(viewer))),
        })
    }

    /// The visibility of every cell of a map, in the map's shape; classic methods answer 0 or 1, without decay.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub fn see(&mut self, map: &OpacityMap, viewer: IVec2) -> Result<Grid<f32>, SightError> {
        let (width, height) = (map.grid().width(), map.grid().height());
        Ok(match &mut self.0 {
            Kind::Kernel(fov) => {
                let view = fov.compute(map, viewer)?;
                Grid::from_fn(width, height, |cell| view.get(cell))
            }
            Kind::Classic(config) => {
                let view = classic::visible(map, viewer, config)?;
                Grid::from_fn(width, height, |cell| f32::from(u8::from(view.get(cell))))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_told_by_the_preset_that_it_makes() {
        for contender in ComparedMethod::ALL {
            for before in ComparedMethod::ALL {
                let preset = contender.over(&before.over(&Preset::default()));
                assert_eq!(ComparedMethod::of(&preset), contender, "{contender:?} over {before:?}");
                preset.check().unwrap();
            }
            assert_eq!(contender.name().parse(), Ok(contender));
        }
        assert!("shadowcasting".parse::<ComparedMethod>().unwrap_err().contains("shadowcast, raycast-border"));
    }
}
