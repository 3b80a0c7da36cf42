//! The program `farsight`: window, command line and explorer in the terminal. The library `farsight` does the work.

// Only three files, all of the page, contain `unsafe` code, for the functions of the browser: `host/page.rs`,
// `window/web.rs` and `background/page_worker.rs`.
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]
#![cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "a page has neither command line nor terminal"))]

mod background;
#[cfg(not(target_arch = "wasm32"))]
mod cli;
mod document;
mod host;
mod save_export;
mod stage_log;
#[cfg(not(target_arch = "wasm32"))]
mod terminal;
mod window;

fn main() -> std::process::ExitCode {
    #[cfg(not(target_arch = "wasm32"))]
    return cli::main();
    #[cfg(target_arch = "wasm32")]
    window::main_of_page()
}
