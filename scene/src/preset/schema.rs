//! The JSON schema of a preset, for editors that check and complete TOML.

use serde_json::{Map, Value, json};

use crate::creatures::Species;
use crate::preset::{PlaceName, Preset, Setting, SettingKind};

/// Returns the JSON schema (draft 2020-12) of a preset file.
pub fn schema() -> String {
    let mut root = section("A farsight preset");
    let extends = json!({"type": "string", "description": "A shipped preset or a path to a file: the source of all values that this file leaves out."});
    let about = json!({"type": "string", "description": "A sentence about the subject of the preset."});
    properties(&mut root).insert("extends".into(), extends);
    properties(&mut root).insert("about".into(), about);
    for list in Preset::lists() {
        let mut entry = section(&format!("[[{}]]", list.key));
        for setting in list.settings {
            properties(&mut entry).insert(setting.name().into(), property(setting));
        }
        entry["required"] = json!(list.required);
        let entries = json!({"type": "array", "items": entry, "maxItems": list.max_len, "description": list.help});
        properties(&mut root).insert(list.key.into(), entries);
    }
    for setting in Preset::settings() {
        let mut place = &mut root;
        for part in setting.section().split('.') {
            place = properties(place).entry(part).or_insert_with(|| section(&format!("[{part}]")));
        }
        properties(place).insert(setting.name().into(), property(setting));
    }
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    format!("{root:#}\n")
}

fn section(title: &str) -> Value {
    json!({"title": title, "type": "object", "additionalProperties": false, "properties": {}})
}

fn properties(section: &mut Value) -> &mut Map<String, Value> {
    match &mut section["properties"] {
        Value::Object(properties) => properties,
        other => unreachable!("every section has properties: {other}"),
    }
}

fn property(setting: &Setting) -> Value {
    let mut property = match setting.kind {
        SettingKind::Number { min, max, .. } | SettingKind::Optional { min, max, .. } if max.is_finite() => {
            json!({"type": "number", "minimum": min, "maximum": max})
        }
        SettingKind::Number { min, .. } | SettingKind::Optional { min, .. } => {
            json!({"type": "number", "minimum": min})
        }
        SettingKind::Integer { min, max, .. } => json!({"type": "integer", "minimum": min, "maximum": max}),
        SettingKind::Choice(words) => json!({"type": "string", "enum": words}),
        SettingKind::Name([]) => json!({"type": "string", "minLength": 1, "maxLength": PlaceName::MAX_LENGTH}),
        SettingKind::Name(words) => {
            json!({"type": "string", "minLength": 1, "maxLength": Species::MAX_NAME, "examples": words})
        }
        SettingKind::Glyph => json!({"type": "string", "pattern": "^[0-9A-Za-z&]$"}),
        SettingKind::Switch => json!({"type": "boolean"}),
        SettingKind::Points => json!({
            "type": "array",
            "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
        }),
        SettingKind::Cell => json!({
            "type": "array",
            "items": {"type": "integer", "minimum": 0},
            "minItems": 2,
            "maxItems": 2
        }),
        SettingKind::Cells(most) => json!({
            "type": "array",
            "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
            "minItems": 1,
            "maxItems": most
        }),
        SettingKind::Colour => json!({"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}),
    };
    let unit = if setting.unit.is_empty() { String::new() } else { format!(" Unit: {}.", setting.unit) };
    property["description"] = json!(format!("{}{unit}", setting.help()));
    let default = Preset::default().value(setting.key);
    if let Some(Ok(default)) = default.map(serde_json::to_value) {
        property["default"] = default;
    }
    property
}
