//! A script of the window. Its parser is in the program, not in the library.

#![no_main]

farsight_fuzz::libfuzzer_sys::fuzz_target!(init: farsight_fuzz::let_panics_unwind(), |text: &str| {
    if let Err(error) = farsight_app::count_script_steps(text) {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
});
