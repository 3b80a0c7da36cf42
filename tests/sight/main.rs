//! Tests of fields of view: kernels, methods, properties, viewsheds and the classic methods.

mod accuracy;
mod allocations;
mod beams;
mod classic;
mod classic_faults;
mod compute_with;
mod corridor;
mod crisp;
mod decay;
mod grid;
mod kernels;
mod line;
mod line_of_sight;
mod mutual;
mod offsets;
mod owned_view;
mod points;
mod properties;
mod radius_shape;
mod rectangles;
mod reference;
mod sector;
mod support;
mod viewshed;
mod viewshed_gdal;
mod woods;
