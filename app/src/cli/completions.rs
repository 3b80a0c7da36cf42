//! `farsight completions`: scripts that let a shell complete the flags.

use clap_complete::Shell;

use super::failure::Failure;
use super::stdio::print_stdout;

const EXAMPLES: &str = "\
Examples:
  farsight completions bash > ~/.local/share/bash-completion/completions/farsight
  farsight completions zsh > ~/.zfunc/_farsight
  farsight completions fish > ~/.config/fish/completions/farsight.fish";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, mut command: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "farsight", &mut script);
    print_stdout(script)
}
