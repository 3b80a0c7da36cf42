//! The explorer: a window for walking through a scene, changing its settings and exporting the view.
//!
//! Keys, panel, gestures and scripts return commands (`command`). `app` executes them on the `document` (settings,
//! terrain, scene, undo), the `view` (camera, layers, inspector) and the `session` (input, messages, saved settings), and
//! shows all three each frame.

mod address;
mod app;
mod command;
mod dialogs;
mod display;
mod error;
mod goal_card;
mod keys;
mod my_presets;
mod options;
mod overlay;
mod panel;
mod run;
mod script;
mod session;
mod slots;
mod status_line;
mod theme;
mod toolbar;
mod view;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(target_arch = "wasm32")]
pub(crate) use web::main_of_page;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use {display::has_display, error::ExploreError, options::ExploreOptions, run::run};
