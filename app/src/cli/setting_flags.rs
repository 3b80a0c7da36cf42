//! [`SettingFlags`]: the flags that set one key of a preset each, as the settings declare them.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::failure::Failure;
use farsight::sight::MethodKind;
use farsight_scene::preset::{Condition, Flag, Preset, PresetError, Setting, SettingKind};

/// The given flags, with the texts of their values.
#[derive(Clone, Debug)]
pub(crate) struct SettingFlags(Vec<(&'static Setting, Flag, String)>);

/// Returns the settings with a flag of their own.
fn flagged() -> impl Iterator<Item = (&'static Setting, Flag)> {
    Preset::settings().filter_map(|setting| Some((setting, setting.flag?)))
}

impl clap::Args for SettingFlags {
    fn augment_args(command: Command) -> Command {
        command.args(flagged().map(|(setting, flag)| {
            let arg = Arg::new(flag.name).long(flag.name);
            match setting.kind {
                SettingKind::Switch => arg.action(ArgAction::SetTrue).help(flag.help),
                SettingKind::Choice(words) => {
                    arg.value_name(flag.value_name).value_parser(choices(words)).help(flag.help)
                }
                _ => arg.value_name(flag.value_name).allow_negative_numbers(true).help(format!(
                    "{}, {}. Default: the preset's",
                    flag.help,
                    setting.range()
                )),
            }
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Returns the parser of words with `-` instead of `_`; words with `_` are accepted, too.
fn choices(words: &[&'static str]) -> PossibleValuesParser {
    PossibleValuesParser::new(words.iter().map(|&word| {
        let value = PossibleValue::new(word.replace('_', "-"));
        if word.contains('_') { value.alias(word) } else { value }
    }))
}

impl clap::FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = flagged().filter_map(|(setting, flag)| {
            let value = match setting.kind {
                SettingKind::Switch => matches.get_flag(flag.name).then(|| "false".to_owned()),
                _ => matches.get_one::<String>(flag.name).cloned(),
            };
            Some((setting, flag, value?))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl SettingFlags {
    /// Returns the preset with the flags applied. The flag of a method other than the default one needs that method.
    pub(crate) fn applied_to(&self, mut preset: Preset) -> Result<Preset, Failure> {
        for (setting, flag, value) in &self.0 {
            let change = (setting.key, Preset::parse_value(setting.key, value));
            preset = preset.with([change]).map_err(|error| flag_failure(error, &format!("--{}", flag.name)))?;
        }
        for (setting, flag, _) in &self.0 {
            if let [Condition::Method([method])] = setting.conditions
                && *method != MethodKind::default()
                && preset.sight.method != *method
            {
                return Err(Failure::usage(format!("--{} needs --method {}", flag.name, method.name())));
            }
        }
        Ok(preset)
    }

    /// Returns the name of the first given flag of a list.
    pub(crate) fn first_of(&self, names: &[&str]) -> Option<&'static str> {
        self.0.iter().map(|(_, flag, _)| flag.name).find(|name| names.contains(name))
    }

    /// Returns the names of the given flags with their values; a flag that turns a switch off has none.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, Option<String>)> + '_ {
        let is_switch = |setting: &Setting| setting.kind == SettingKind::Switch;
        self.0.iter().map(move |(setting, flag, value)| (flag.name, (!is_switch(setting)).then(|| value.clone())))
    }
}

/// Returns the failure of a key that has its own flag: a value out of range is a usage error, as for the flags that
/// clap checks.
pub(crate) fn flag_failure(error: PresetError, flag: &str) -> Failure {
    match error.with_origin(flag) {
        error @ PresetError::Value { .. } => Failure::usage(error),
        other => other.into(),
    }
}
