#![no_main]

farsight_fuzz::target!("map_csv");
