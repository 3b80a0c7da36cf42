#![no_main]

farsight_fuzz::target!("sidecars");
