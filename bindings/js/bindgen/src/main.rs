//! Writes the JavaScript and the final module for a module of `farsight-js`: `farsight-js-bindgen MODULE NAME FOLDER` writes
//! `NAME.js`, `NAME.d.ts` and `NAME_bg.wasm`.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, name, folder] = &*arguments else {
        eprintln!("usage: farsight-js-bindgen MODULE NAME FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let written = bindgen
        .input_path(module)
        .out_name(name)
        .typescript(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("farsight-js-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
