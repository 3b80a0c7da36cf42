//! `farsight gallery`: the test sheet, every small map with several methods.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::exit::Failure;
use crate::cli::{output, progress, say, values};
use crate::compare::{ComparedMethod, GalleryOptions, gallery};
use crate::compare::{GALLERY_MAPS, GalleryMap};
use crate::files::{Provenance, write_picture};
use crate::preset::{Preset, Ramp};

const EXAMPLES: &str = "\
Examples:
  farsight gallery -o gallery.png
  farsight gallery -o few.png --only cave,spiral,fog-bank --panel 330
  farsight gallery -o methods.png --methods two-parent,beam,shadowcast
  farsight gallery -o grey.png --set paint.ramp=grey --set sight.radius=12";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(super) struct GalleryArgs {
    /// The .png to write; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The methods, from left to right. Default: two-parent,two-parent-projection
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = contenders())]
    methods: Vec<ComparedMethod>,
    /// Show the two-parent method with these weights alone
    #[arg(long, value_parser = values::words_of("sight.weights"), conflicts_with = "methods")]
    weights: Option<String>,
    /// The maps, from top to bottom. Default: all
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = maps(), hide_possible_values = true)]
    only: Vec<&'static GalleryMap>,
    /// Width of a panel in pixels, 132 to 1056
    #[arg(long, value_name = "PIXELS", default_value_t = GalleryOptions::DEFAULT_PANEL_WIDTH,
        value_parser = panel_widths())]
    panel: u32,
    /// Change a key of [sight], [classic] or paint.ramp, such as sight.radius=12 (see `farsight presets show NAME
    /// --resolved` for all keys). Decay is left out: the sheet shows what walls do. May be given again
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::change)]
    set: Vec<(String, String)>,
    /// Say nothing on standard error but what went wrong
    #[arg(long, short)]
    quiet: bool,
}

/// The words for methods in comparisons.
pub(super) fn contenders() -> impl TypedValueParser<Value = ComparedMethod> {
    PossibleValuesParser::new(ComparedMethod::ALL.map(ComparedMethod::name))
        .try_map(|name| name.parse::<ComparedMethod>())
}

fn maps() -> impl TypedValueParser<Value = &'static GalleryMap> {
    PossibleValuesParser::new(GALLERY_MAPS.iter().map(|map| map.name))
        .try_map(|name| GalleryMap::named(&name).ok_or_else(|| format!("there is no map {name}")))
}

fn panel_widths() -> impl TypedValueParser<Value = u32> {
    let [least, most] = GalleryOptions::PANEL_WIDTHS.map(i64::from);
    clap::value_parser!(u32).range(least..=most)
}

pub(super) fn run(args: &GalleryArgs) -> Result<(), Failure> {
    output::check_png(&args.output)?;
    let mut options = GalleryOptions { panel_width: args.panel, ..GalleryOptions::default() };
    for (key, value) in &args.set {
        let counts = ["sight.", "classic."].iter().any(|section| key.starts_with(section)) || key == "paint.ramp";
        if !counts || key.starts_with("sight.decay") {
            return Err(Failure::usage(format!(
                "--set {key}={value} changes nothing on the sheet; it shows [sight] without its decay, [classic] and \
                 paint.ramp"
            )));
        }
    }
    let changes = args.set.iter().map(|(key, value)| (key.as_str(), Preset::parse_value(key, value)));
    options.preset = options.preset.with(changes)?;
    match args.weights.as_deref() {
        Some("projection") => options.contenders = vec![ComparedMethod::Projection],
        Some(_) => options.contenders = vec![ComparedMethod::Linear],
        None if args.methods.is_empty() => {}
        None => options.contenders.clone_from(&args.methods),
    }
    if !args.only.is_empty() {
        options.maps.clone_from(&args.only);
    }
    let picture = progress::watched(args.quiet, |job| gallery(&options, job))?;
    let provenance = provenance(&options);
    let [width, height] = [picture.width() as u32, picture.height() as u32];
    crate::files::save(&args.output, |out| write_picture(out, width, height, picture.rgba(), Some(&provenance)))?;
    if !args.quiet {
        let name = output::name(&args.output);
        say(&format!("wrote {name}: {} maps, {width}x{height} pixels", options.maps.len()));
    }
    Ok(())
}

/// Which sheet it is. There is no one scene that could be asked for again.
fn provenance(options: &GalleryOptions) -> Provenance {
    let mut preset = options.preset.clone();
    if preset.paint.ramp == Ramp::Daylight {
        preset.paint.ramp = Ramp::Green; // what daylight is drawn as
    }
    let methods: Vec<&str> = options.contenders.iter().map(|contender| contender.name()).collect();
    let maps: Vec<&str> = options.maps.iter().map(|map| map.name).collect();
    Provenance {
        version: env!("CARGO_PKG_VERSION").into(),
        preset: preset.to_toml(),
        seed: preset.world.seed,
        layer: "gallery".into(),
        more: [("methods".to_owned(), json!(methods)), ("maps".to_owned(), json!(maps))].into(),
        ..Provenance::default()
    }
}
