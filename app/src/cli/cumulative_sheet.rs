//! Sheets of `farsight cumulative`: a layer with its observers, places and rings on paper.

use std::borrow::Cow;

use glam::{DVec2, IVec2};

use super::cumulative_output::{CumulativeContents, plane};
use super::failure::Failure;
use super::sheet_args::{SheetLook, sheet_north};
use super::text::pluralize;
use farsight::grid::CellRect;
use farsight_scene::cumulative::{CumulativeLayer, PlacedObserver};
use farsight_scene::export::provenance;
use farsight_scene::paint::ramp_colours;
use farsight_scene::sheet::{FramedSheet, MapSheet, PointSymbol, SheetPoint, ZoneColours};

impl CumulativeContents<'_> {
    /// Returns the sheet of a layer.
    pub(super) fn sheet(&self, layer: CumulativeLayer) -> Result<FramedSheet<'_>, Failure> {
        let (scene, SheetLook { args, base, north, rings_m }) = (self.scene, &self.sheets);
        let Some(world) = scene.world() else { unreachable!("a heightmap makes a world") };
        let (title, heading) = titles(layer);
        let observers = pluralize(self.observers.len(), "observer");
        let sheet = MapSheet {
            paper: args.paper(),
            scale: args.scale(),
            dpi: args.dpi(),
            title: args.title(title),
            subtitle: format!("{observers}, {}", self.layer_summary(layer)),
            heading: heading.to_owned(),
            values: Cow::Borrowed(self.values(layer)),
            colours: self.colours(layer),
            base: args.base(*base, world, IVec2::ZERO),
            cell_size: world.cell_size_at((scene.size() - 1) / 2),
            points: self.points(),
            rings_m: rings_m.clone(),
            north: sheet_north(*north),
            notes: args.notes(self.options.map.as_ref()),
            georeference: self.place(),
            provenance: provenance(scene, self.options, CellRect::of_size(scene.size())),
        };
        FramedSheet::new(sheet).map_err(|error| Failure::usage(format!("--map-scale: {error}")))
    }

    fn points(&self) -> Vec<SheetPoint> {
        let place = self.place().unwrap_or_else(|| plane().at(self.scene.origin()));
        let point = |placed: &PlacedObserver, symbol| {
            let offset = placed.position - DVec2::from(place.corner);
            let at = DVec2::new(offset.x, -offset.y) / DVec2::from(place.cell);
            SheetPoint { at, symbol, name: placed.name.clone() }
        };
        let symbol = |observer: &PlacedObserver| match observer.limits.tip_height_m > 0.0 {
            true => PointSymbol::Turbine,
            false => PointSymbol::Observer,
        };
        let observers = self.observers.iter().map(|observer| point(observer, symbol(observer)));
        observers.chain(self.places.iter().map(|place| point(place, PointSymbol::Place))).collect()
    }

    fn colours(&self, layer: CumulativeLayer) -> ZoneColours {
        /// The maximum number of observers with colours of their own.
        const MAX_NAMES: usize = 12;
        let (ramp, high) = (self.scene.preset().paint.ramp, self.maximum(layer));
        let is_binary =
            || self.values(layer).as_slice().iter().all(|value| [0.0, 1.0].contains(value) || value.is_nan());
        if let Some(classes) = self.classes_of(layer) {
            let range = |((first, last), name): ((u16, Option<u16>), String)| {
                (f32::from(first), last.map_or(f32::INFINITY, f32::from), name)
            };
            return ZoneColours::of_ranges(ramp, classes.ranges().zip(classes.names()).map(range))
                .with_zero(&classes.name_below());
        }
        match layer {
            CumulativeLayer::Best if self.observers.len() <= MAX_NAMES => {
                ZoneColours::of_numbers(ramp, self.observers.iter().map(|observer| observer.name.clone()))
                    .with_zero("not seen")
            }
            layer if layer.is_count() => ZoneColours::of_counts(ramp, high as u32).with_zero("none"),
            CumulativeLayer::Union if is_binary() => {
                ZoneColours::of_numbers(ramp, ["seen".to_owned()]).with_zero("not seen")
            }
            _ => ZoneColours::Ramp { colours: ramp_colours(ramp, 256), low: 0.0, high, unit: layer.unit().to_owned() },
        }
    }
}

/// Returns the title of the sheet of a layer, and the heading of its legend.
fn titles(layer: CumulativeLayer) -> (&'static str, &'static str) {
    match layer {
        CumulativeLayer::Union => ("Zone of visibility", "Visibility"),
        CumulativeLayer::Count => ("Observers with a view", "Number of observers"),
        CumulativeLayer::Best => ("Observers with the best view", "Observer"),
        CumulativeLayer::Sum => ("Sum of visibilities", "Sum of visibilities"),
        CumulativeLayer::Nearest => ("Distance to the nearest observer with a view", "Distance"),
        CumulativeLayer::Hubs => ("Zone of visibility of hubs", "Number of hubs"),
        CumulativeLayer::Tips => ("Zone of visibility of tips", "Number of tips"),
        CumulativeLayer::BareCount => ("Observers with a view over bare ground", "Number of observers"),
        CumulativeLayer::Screened => ("Views hidden by houses and woods", "Number of observers"),
        CumulativeLayer::VisibleHeight => ("Visible height of the most visible turbine", "Visible height"),
        CumulativeLayer::VisibleHeightSum => ("Sum of visible heights of turbines", "Sum of visible heights"),
        CumulativeLayer::VerticalAngle => ("Vertical angle of the most visible turbine", "Vertical angle"),
        CumulativeLayer::HorizontalAngle => ("Horizontal angle of turbines", "Horizontal angle"),
        layer => (layer.name(), layer.name()),
    }
}
