//! Worlds and dungeons.

mod config;
mod dungeon;
mod overworld;
