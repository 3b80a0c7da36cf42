//! [`ComparedMethod`]: a method with the settings that comparisons know it by; [`MethodRunner`] runs one.

use glam::IVec2;

use crate::classic::{self, ClassicConfig, ClassicMethod};
use crate::grid::Grid;
use crate::named_enum::named_enum;
use crate::preset::Preset;
use crate::sight::{FieldOfView, Method, OpacityMap, SightError, Weights};

named_enum! {
    /// A method of sight with the settings that comparisons know it by.
    ///
    /// ```
    /// use farsight::compare::ComparedMethod;
    /// use farsight::preset::Preset;
    /// let method: ComparedMethod = "raycast-border-bare".parse()?;
    /// assert_eq!(method, ComparedMethod::RaycastBorderBare);
    /// let preset = method.applied_to(&Preset::default());
    /// assert!(!preset.classic.repair);
    /// # Ok::<(), farsight::UnknownName>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum ComparedMethod: "method" {
        /// Two parents, linear weights: the default method.
        Linear = "two-parent",
        /// Two parents, weights as published.
        Projection = "two-parent-projection",
        /// Beams.
        Beam = "beam",
        /// Recursive shadowcasting.
        Shadowcast = "shadowcast",
        /// Lines to the border of the view, with the repair of walls.
        RaycastBorder = "raycast-border",
        /// Lines to the border of the view, without the repair.
        RaycastBorderBare = "raycast-border-bare",
        /// Lines to a far circle.
        RaycastCircle = "raycast-circle",
        /// Traced lines: the reference.
        Exact = "exact",
    }
}

impl ComparedMethod {
    /// Returns the name for tables and pictures.
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

    /// Returns `true` if the method answers yes or no only.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Shadowcast | Self::RaycastBorder | Self::RaycastBorderBare | Self::RaycastCircle)
    }

    /// Returns the method that a preset computes.
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

    /// Returns the preset with this method in place of its own. Radius, path rule, decay and the rest stay.
    pub fn applied_to(self, preset: &Preset) -> Preset {
        let mut preset = preset.clone();
        let (sight, classic) = (&mut preset.sight, &mut preset.classic);
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
        preset
    }
}

/// Runs one method on opacity maps. It keeps its lists and buffers from view to view.
#[derive(Clone, Debug)]
pub struct MethodRunner(Runner);

#[derive(Clone, Debug)]
enum Runner {
    Kernel(Box<FieldOfView>),
    Classic(ClassicConfig),
}

impl MethodRunner {
    /// A runner of `method` with the settings of a preset.
    ///
    /// # Errors
    /// [`SightError`] for settings that are out of range.
    pub fn new(method: ComparedMethod, preset: &Preset) -> Result<Self, SightError> {
        let preset = method.applied_to(preset);
        Ok(Self(match preset.classic.config(preset.sight.radius) {
            Some(config) => Runner::Classic(config),
            None => Runner::Kernel(Box::new(FieldOfView::new(preset.sight)?)),
        }))
    }

    /// Computes a field of view and returns the visibility of the viewer's own cell, which is 1. For measuring time.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] and [`SightError::RadiusTooLarge`].
    pub fn compute(&mut self, map: &OpacityMap, viewer: IVec2) -> Result<f32, SightError> {
        Ok(match &mut self.0 {
            Runner::Kernel(fov) => fov.compute(map, viewer)?.get(viewer),
            Runner::Classic(config) => f32::from(u8::from(classic::visible(map, viewer, config)?.get(viewer))),
        })
    }

    /// Returns the visibility of every cell of a map, in the shape of the map. Classic methods give 0 or 1, without
    /// decay.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn see(&mut self, map: &OpacityMap, viewer: IVec2) -> Result<Grid<f32>, SightError> {
        let (width, height) = (map.grid().width(), map.grid().height());
        Ok(match &mut self.0 {
            Runner::Kernel(fov) => {
                let view = fov.compute(map, viewer)?;
                Grid::from_fn(width, height, |cell| view.get(cell))
            }
            Runner::Classic(config) => {
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
    fn of_recognises_the_preset_of_every_method() {
        for method in ComparedMethod::ALL {
            for before in ComparedMethod::ALL {
                let preset = method.applied_to(&before.applied_to(&Preset::default()));
                assert_eq!(ComparedMethod::of(&preset), method, "{method:?} over {before:?}");
                preset.check().unwrap();
            }
            assert_eq!(method.name().parse(), Ok(method));
        }
        assert!(
            "shadowcasting".parse::<ComparedMethod>().unwrap_err().to_string().contains("shadowcast, raycast-border")
        );
    }
}
