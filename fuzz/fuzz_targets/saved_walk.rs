#![no_main]

farsight_fuzz::target!("saved_walk");
