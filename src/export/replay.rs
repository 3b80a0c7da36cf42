//! What a file's provenance says of how it was exported, so that it can be exported alike again.

use serde_json::{Map, Value, json};

use super::export::{Crop, ExportOptions, PictureStyle};
use crate::files::{Depth, Provenance};
use crate::paint::Unseen;
use crate::scene::Layer;

impl Crop {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Map, Self::Sight];

    /// `auto`, `map` or `sight`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Map => "map",
            Self::Sight => "sight",
        }
    }
}

/// The options that neither layer nor map of the provenance tell.
pub(super) fn settings(options: &ExportOptions) -> Value {
    let mut settings = Map::new();
    settings.insert("crop".into(), options.crop.name().into());
    match options.style {
        PictureStyle::Painted { scale, unseen } => {
            settings.insert("unseen".into(), unseen.name().into());
            if let Some(scale) = scale {
                settings.insert("scale".into(), scale.into());
            }
        }
        PictureStyle::Grey(depth) => {
            settings.insert("grey".into(), json!(if depth == Depth::Sixteen { 16 } else { 8 }));
        }
    }
    settings.into()
}

impl ExportOptions {
    /// The options that a file was exported with, so that its scene exported with them gives the same file. What the
    /// provenance does not say is as [`default`](Self::default).
    ///
    /// # Errors
    /// Words for a layer, a crop or a style that does not exist.
    pub fn of(provenance: &Provenance) -> Result<Self, String> {
        let name = provenance.more.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let settings = provenance.more.get("export").unwrap_or(&Value::Null);
        let word = |key: &str| settings.get(key).and_then(Value::as_str);
        // An atlas has layers of its own; its scene is there all the same.
        let is_atlas = provenance.more.contains_key("atlas");
        let layer = if is_atlas {
            Layer::default()
        } else {
            provenance.layer.parse::<Layer>().map_err(|error| error.to_string())?
        };
        let crop = match word("crop") {
            Some(name) => {
                let crop = Crop::ALL.into_iter().find(|crop| crop.name() == name);
                crop.ok_or_else(|| format!("there is no crop {name:?}"))?
            }
            None => Crop::default(),
        };
        let unseen = match word("unseen") {
            Some(name) => {
                let unseen = Unseen::ALL.into_iter().find(|unseen| unseen.name() == name);
                unseen.ok_or_else(|| format!("there is no way {name:?} to draw what is out of sight"))?
            }
            None => Unseen::Mapped,
        };
        let scale = match settings.get("scale") {
            Some(scale) => {
                let number = scale.as_u64().and_then(|scale| u32::try_from(scale).ok());
                Some(number.ok_or_else(|| format!("there is no scale {scale}"))?)
            }
            None => None,
        };
        let style = match settings.get("grey").map(Value::as_u64) {
            None => PictureStyle::Painted { scale, unseen },
            Some(Some(8)) => PictureStyle::Grey(Depth::Eight),
            Some(Some(16)) => PictureStyle::Grey(Depth::Sixteen),
            Some(_) => return Err(format!("there are no grey pixels of {} bits", settings["grey"])),
        };
        Ok(Self { layer, crop, style, name, map: provenance.map.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_back_from_a_provenance() {
        for style in [
            PictureStyle::default(),
            PictureStyle::Painted { scale: Some(7), unseen: Unseen::Remembered },
            PictureStyle::Grey(Depth::Eight),
            PictureStyle::Grey(Depth::Sixteen),
        ] {
            for crop in Crop::ALL {
                let options = ExportOptions { layer: Layer::Humidity, crop, style, name: "fog".into(), map: None };
                let provenance = Provenance {
                    layer: "humidity".into(),
                    more: [("name".into(), "fog".into()), ("export".into(), settings(&options))].into(),
                    ..Provenance::default()
                };
                assert_eq!(ExportOptions::of(&provenance), Ok(options));
            }
        }
    }

    #[test]
    fn what_does_not_exist_is_named() {
        let of = |layer: &str, settings: Value| {
            let more = [("export".into(), settings)].into();
            ExportOptions::of(&Provenance { layer: layer.into(), more, ..Provenance::default() }).unwrap_err()
        };
        assert!(of("visibilty", json!({})).starts_with("layer \"visibilty\" is not known"));
        assert_eq!(of("light", json!({"crop": "half"})), "there is no crop \"half\"");
        assert_eq!(of("light", json!({"scale": -3})), "there is no scale -3");
        assert_eq!(of("light", json!({"grey": 3})), "there are no grey pixels of 3 bits");
    }
}
