//! `farsight gallery`: a sheet of all small maps with several methods.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::failure::Failure;
use super::output::{MessageArgs, picture_file, provenance_of_maps, write_products};
use super::progress::with_progress_bar;
use super::values::{choice, parse_assignment};
use farsight::sight::MethodKind;
use farsight_scene::compare::{GALLERY_MAPS, GalleryMap, GalleryOptions, gallery};
use farsight_scene::files::{PlacedPicture, Provenance};
use farsight_scene::preset::Preset;

const EXAMPLES: &str = "\
Examples:
  farsight gallery -o gallery.png
  farsight gallery -o few.png --only cave,spiral,fog-bank --panel 330
  farsight gallery -o methods.png --methods two-parent,beam,shadowcast
  farsight gallery -o published.png --methods two-parent --set sight.weights=projection
  farsight gallery -o grey.png --set paint.ramp=grey --set sight.radius=12";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct GalleryArgs {
    /// Write to this .png; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The methods, from left to right. Default: two-parent,beam
    #[arg(long, value_name = "LIST", value_delimiter = ',',
        value_parser = choice(MethodKind::ALL, MethodKind::name))]
    methods: Vec<MethodKind>,
    /// The maps, from top to bottom. Default: all
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = maps(), hide_possible_values = true)]
    only: Vec<&'static GalleryMap>,
    /// Width of a panel in pixels, 132 to 1056
    #[arg(long, value_name = "PIXELS", default_value_t = GalleryOptions::DEFAULT_PANEL_WIDTH,
        value_parser = panel_widths())]
    panel: u32,
    /// Set a key of [sight] or paint.ramp, such as sight.radius=12 (see `farsight presets show NAME
    /// --resolved` for all keys). Decay is not accepted: the sheet shows the effect of walls. May be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_assignment)]
    set: Vec<(String, String)>,
    #[command(flatten)]
    messages: MessageArgs,
}

fn maps() -> impl TypedValueParser<Value = &'static GalleryMap> {
    PossibleValuesParser::new(GALLERY_MAPS.iter().map(|map| map.name))
        .try_map(|name| GalleryMap::named(&name).ok_or_else(|| format!("there is no map {name}")))
}

fn panel_widths() -> impl TypedValueParser<Value = u32> {
    let [least, most] =
        [GalleryOptions::PANEL_WIDTHS.start(), GalleryOptions::PANEL_WIDTHS.end()].map(|width| i64::from(*width));
    clap::value_parser!(u32).range(least..=most)
}

pub(crate) fn run(args: &GalleryArgs) -> Result<(), Failure> {
    let output = picture_file(&args.output, &[])?;
    let mut options = GalleryOptions::default().with_panel_width(args.panel);
    for (key, value) in &args.set {
        let is_shown = key.starts_with("sight.") || key == "paint.ramp";
        if !is_shown || key.starts_with("sight.decay") {
            return Err(Failure::usage(format!(
                "--set {key}={value} changes nothing on the sheet: expected a key of [sight] (without its decay) \
                 or paint.ramp"
            )));
        }
    }
    let changes = args.set.iter().map(|(key, value)| (key.as_str(), Preset::parse_value(key, value)));
    options.preset = options.preset.with(changes)?;
    if !args.methods.is_empty() {
        options.methods.clone_from(&args.methods);
    }
    if !args.only.is_empty() {
        options.maps.clone_from(&args.only);
    }
    let picture = with_progress_bar(args.messages.quiet, |job| gallery(&options, job))?;
    let maps = options.maps.len();
    let words = format!("{maps} maps, {}x{} pixels", picture.width(), picture.height());
    let product = PlacedPicture::new(picture, provenance(&options)).into();
    write_products(&[(&output, product)], args.messages, |_| words.clone())
}

fn provenance(options: &GalleryOptions) -> Provenance {
    let methods: Vec<&str> = options.methods.iter().map(|method| method.name()).collect();
    let maps: Vec<&str> = options.maps.iter().map(|map| map.name).collect();
    let mut provenance = provenance_of_maps(&options.preset, "gallery");
    provenance.more = [("methods".to_owned(), json!(methods)), ("maps".to_owned(), json!(maps))].into();
    provenance
}
