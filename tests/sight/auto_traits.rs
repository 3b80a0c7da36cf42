//! Which types go to other threads: a game computes sight in one while another draws.

use farsight::corridor::Corridor;
use farsight::grid::{BresenhamLine, CellRect, CellSize, DistanceMap, GridView, Line, TextMap, TextMapError};
use farsight::horizon::{
    AzimuthHorizon, CellHorizons, DepthPanorama, Horizon, HorizonConfig, HorizonError, Projection,
};
use farsight::light::{ClockConfig, Daylight, Lamp, LightError, LightMap};
use farsight::perception::{Memory, Sense, TeamView, Thresholds};
use farsight::sight::{
    FieldOfView, Method, OpacityError, OpacityMap, OwnedView, Sector, SightConfig, SightError, View,
};
use farsight::sky::{Sky, SkyError, SunPath};
use farsight::viewshed::{Canopy, Clearance, EyeHeights, Surface, Viewshed};
use farsight::{Cancelled, Grid, Job, UnknownName};

const fn is_send_and_sync<T: Send + Sync>() {}

/// An error that `Box<dyn Error + Send + Sync>` takes.
const fn is_portable_error<T: std::error::Error + Send + Sync + 'static>() {}

macro_rules! assert_send_and_sync {
    ($($type:ty),+ $(,)?) => { const _: () = { $(is_send_and_sync::<$type>();)+ }; };
}

assert_send_and_sync! {
    Grid<f32>, GridView<'_, f32>, CellRect, CellSize, TextMap, Line, BresenhamLine, DistanceMap,
    SightConfig, Method, Sector, OpacityMap, FieldOfView, View<'_>, OwnedView, Corridor,
    Surface<'_>, Canopy<'_>, Viewshed, Clearance<'_>, EyeHeights<'_>,
    Lamp, LightMap, ClockConfig, Daylight, Memory<String>, TeamView, Sense, Thresholds,
    HorizonConfig, Horizon, AzimuthHorizon, CellHorizons<'_>, Projection, DepthPanorama, Sky<'_>, SunPath, Job<'_>,
}

macro_rules! assert_portable_errors {
    ($($error:ty),+ $(,)?) => { const _: () = { $(is_portable_error::<$error>();)+ }; };
}

assert_portable_errors! {
    SightError, OpacityError, TextMapError, LightError, HorizonError, SkyError, Cancelled, UnknownName,
}
