//! Notes on a view over a heightmap: its model, and the scale of its projection.

use farsight_scene::files::{FieldSource, GroundScale, MapSource, ReferenceSystem};
use farsight_scene::optics::{OpticsConfig, Relief};
use farsight_scene::preset::{DecayKind, Preset};
use farsight_scene::text::excerpt;

/// Describes the model of views over a heightmap: the causes that dim and hide cells. `has_climate` is `false` for a
/// heightmap that is read in part.
pub(crate) fn model_note(name: &str, preset: &Preset, source: &MapSource, has_climate: bool) -> String {
    let optics = &preset.optics;
    let relief = match optics.relief {
        Relief::LineOfSight if optics.relief_softness_m > 0.0 => {
            format!("lines of sight with a soft edge of {} m", optics.relief_softness_m)
        }
        Relief::LineOfSight => "lines of sight".to_owned(),
        _ => format!("no lines of sight (optics.relief = {})", relief_name(optics.relief)),
    };
    let mut parts = vec![relief];
    if optics.visual_range_m.is_finite() {
        parts.push(format!("haze with a visual range of {} m", optics.visual_range_m));
    }
    parts.extend(woods(optics, source, has_climate));
    if preset.sight.decay.kind != DecayKind::None {
        parts.push("decay with distance".to_owned());
    }
    let is_viewshed = parts.len() == 1 && optics.relief == Relief::LineOfSight && optics.relief_softness_m == 0.0;
    let name = if name.is_empty() { "preset".to_owned() } else { format!("preset {}", excerpt(name)) };
    let has_surface = source.ground.as_ref().is_some_and(|ground| ground.surface.is_some());
    match is_viewshed {
        _ if has_surface => format!("{name}: {}", parts.join(", ")),
        true => format!("{name}: lines of sight; only the shape of the ground matters"),
        false => format!("{name}: {}; --preset viewshed uses only the shape of the ground", parts.join(", ")),
    }
}

fn relief_name(relief: Relief) -> &'static str {
    match relief {
        Relief::None => "none",
        _ => "difference",
    }
}

fn woods(optics: &OpticsConfig, source: &MapSource, has_climate: bool) -> Option<String> {
    if let Some(surface) = source.ground.as_ref().and_then(|ground| ground.surface.as_ref()) {
        let files: Vec<String> =
            surface.flags.iter().map(|(flag, value)| format!("--{flag} {}", excerpt(value))).collect();
        return Some(format!("what stands on the ground ({})", files.join(" ")));
    }
    let vegetation = source.ground.as_ref().and_then(|ground| ground.vegetation.as_ref());
    match vegetation {
        _ if optics.vegetation_extinction_per_m == 0.0 => None,
        Some(FieldSource::Flat(0.0)) => None,
        Some(_) => Some("woods of --vegetation".to_owned()),
        None => has_climate.then(|| "woods of a computed climate".to_owned()),
    }
}

/// Returns the note of a heightmap whose metres are longer or shorter on the ground.
pub(crate) fn scale_note(source: &MapSource, scale: GroundScale) -> String {
    let system = source.georeference().and_then(|place| ReferenceSystem::from_keys(&place.keys));
    let system = system.map_or("its reference system".to_owned(), |system| system.to_string());
    if scale.middle == 1.0 {
        return format!(
            "{}: lengths in {} are up to {:.1} % longer or shorter than on the ground, which is ignored",
            excerpt(&source.name),
            excerpt(&system),
            100.0 * scale.change
        );
    }
    format!(
        "{}: a metre in {} is {:.4} m on the ground in the middle of the raster, and up to {:.2} % more or less elsewhere; cells \
         have their sides on the ground",
        excerpt(&source.name),
        excerpt(&system),
        scale.middle,
        100.0 * scale.change
    )
}

/// Returns the note of a heightmap with an unknown projection.
pub(crate) fn unknown_scale_note(source: &MapSource) -> String {
    let name = excerpt(&source.name);
    format!("{name}: its projection is not known; its metres are used as metres on the ground")
}
