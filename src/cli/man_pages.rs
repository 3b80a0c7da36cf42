//! `farsight man-pages`: the help as manual pages, for packages. It is not listed in the help.

use std::path::PathBuf;

use super::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  farsight man-pages man/man1";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(super) struct ManPagesArgs {
    /// An existing folder: farsight.1, farsight-export.1 and so on are written to it
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(super) fn run(args: &ManPagesArgs, command: clap::Command) -> Result<(), Failure> {
    clap_mangen::generate_to(command, &args.folder)
        .map_err(|error| Failure::output(format!("{}: {error}", args.folder.display())))
}
