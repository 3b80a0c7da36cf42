//! Former spellings of flags: they are still read, and a note names the new spelling.

use std::ffi::OsString;

use clap::ArgMatches;

/// The note on a former flag among arguments that were parsed without error, unless `--quiet` is given.
///
/// `--path` was the optical rule in every subcommand but `walk`, where it is the route. It is an alias of `--path-rule`
/// there, and clap does not report which of the two was given.
pub(super) fn former_flag_note(
    matches: &ArgMatches,
    arguments: impl IntoIterator<Item = OsString>,
) -> Option<&'static str> {
    let (subcommand, matches) = matches.subcommand().unwrap_or(("", matches));
    let is_quiet = matches.try_get_one("quiet").ok().flatten() == Some(&true);
    let is_former = |argument: OsString| argument == "--path" || argument.to_string_lossy().starts_with("--path=");
    let is_given = subcommand != "walk" && !is_quiet && arguments.into_iter().any(is_former);
    is_given.then_some("--path is now --path-rule")
}
