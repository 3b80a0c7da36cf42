#![no_main]

farsight_fuzz::target!("heightmap_vrt");
