#![no_main]

farsight_fuzz::target!("beam_exact");
