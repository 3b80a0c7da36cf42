//! `farsight man-pages`: the help as manual pages, for packages. It is not listed in the help.

use std::path::{Path, PathBuf};

use clap_mangen::Man;

use super::failure::Failure;
use farsight_scene::files::{FileError, Staged, remove_stale_files};

const EXAMPLES: &str = "\
Examples:
  farsight man-pages man/man1";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct ManPagesArgs {
    /// An existing folder: farsight.1, farsight-export.1 and so on are written to it
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes all pages or none.
pub(crate) fn run(args: &ManPagesArgs, command: clap::Command) -> Result<(), Failure> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    remove_stale_files(&args.folder.join("farsight.1"));
    let mut pages = Vec::new();
    stage_pages(command, &args.folder, &mut pages)?;
    Ok(pages.into_iter().try_for_each(Staged::commit)?)
}

/// Stages the page of a command and those of its subcommands.
fn stage_pages(command: clap::Command, folder: &Path, pages: &mut Vec<Staged>) -> Result<(), FileError> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        stage_pages(subcommand.clone(), folder, pages)?;
    }
    let page = Man::new(command);
    pages.push(Staged::new(&folder.join(page.get_filename()), |out| Ok(page.render(out)?))?);
    Ok(())
}
