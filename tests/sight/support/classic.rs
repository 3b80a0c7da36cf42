//! Helpers for the tests of the classic methods.

#![expect(unreachable_pub, reason = "shared by two tests")]

use farsight::classic::{self, ClassicConfig, ClassicMethod, ClassicView};
use farsight::glam::IVec2;
use farsight::sight::OpacityMap;

/// A method with default parameters.
pub fn config(method: ClassicMethod, radius: u32) -> ClassicConfig {
    ClassicConfig::default().with_method(method).with_radius(radius)
}

/// The view of a method on a map.
pub fn see(map: &OpacityMap, viewer: IVec2, method: ClassicMethod, radius: u32) -> ClassicView {
    classic::visible(map, viewer, &config(method, radius)).unwrap()
}
