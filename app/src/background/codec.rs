//! Values that are sent as their text or file format, for `#[serde(with = …)]`: their optional fields do not fit the
//! codec between the page and its workers.

/// A preset as TOML.
pub(crate) mod preset {
    use farsight_scene::preset::Preset;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(preset: &Preset, serializer: S) -> Result<S::Ok, S::Error> {
        preset.to_toml().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Preset, D::Error> {
        Preset::from_toml(<&str>::deserialize(deserializer)?, "the page").map_err(D::Error::custom)
    }
}

/// A saved walk as its file.
pub(crate) mod walk {
    use std::sync::Arc;

    use farsight_scene::export::SavedWalk;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_bytes::Bytes;

    pub(crate) fn serialize<S: Serializer>(walk: &Arc<SavedWalk>, serializer: S) -> Result<S::Ok, S::Error> {
        Bytes::new(&walk.to_bytes()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<SavedWalk>, D::Error> {
        SavedWalk::from_bytes(<&Bytes>::deserialize(deserializer)?).map(Arc::new).map_err(D::Error::custom)
    }
}

/// Anything as JSON.
pub(crate) mod json {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::to_string(value).map_err(S::Error::custom)?.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        serde_json::from_str(<&str>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
