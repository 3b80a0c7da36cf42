#![no_main]

farsight_fuzz::target!("atlas_checkpoint");
