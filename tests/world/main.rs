//! Worlds and dungeons.

mod dungeon;
mod overworld;
