//! [`App`](state::App) joins document, view and session: input produces commands, commands change these three, and a
//! frame shows them.

mod execute;
mod files;
mod filming;
mod frame;
mod recorder;
mod redraw;
mod run_loop;
mod state;
mod typing;

pub(crate) use redraw::triggers;
pub(crate) use run_loop::run;
pub(crate) use state::App;
