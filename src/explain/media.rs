//! [`parts_by_cause`]: what the opacity of cells consists of.

use glam::IVec2;

use crate::explain::Cause;
use crate::scene::{Scene, Terrain};
use crate::sight::Door;

/// The media of a scene, each with its part of the opacity of every cell.
pub(super) fn parts_by_cause(scene: &Scene, cells: impl Iterator<Item = IVec2>) -> Vec<(Cause, Vec<f32>)> {
    match scene.terrain() {
        Terrain::World(optics) => {
            let eye_m = optics.eye_m(scene.viewer());
            let parts: Vec<_> = cells.map(|cell| optics.breakdown(eye_m, cell)).collect();
            vec![
                (Cause::Ridge, parts.iter().map(|part| part.relief).collect()),
                (Cause::Forest, parts.iter().map(|part| part.vegetation).collect()),
                (Cause::Fog, parts.iter().map(|part| part.fog).collect()),
                (Cause::Haze, parts.iter().map(|part| part.haze).collect()),
            ]
        }
        Terrain::Map(map) => {
            let cause = |cell: IVec2, opacity: f32| match map.door(cell) {
                _ if opacity < 1.0 => Cause::Hedge,
                Some(Door::Closed) => Cause::Door,
                _ => Cause::Wall,
            };
            let opacity = cells.map(|cell| (cell, map.get(cell).unwrap_or(1.0)));
            let cells: Vec<(Cause, f32)> = opacity.map(|(cell, opacity)| (cause(cell, opacity), opacity)).collect();
            let of = |wanted: Cause| {
                let part = |&(cause, opacity): &(Cause, f32)| if cause == wanted { opacity } else { 0.0 };
                (wanted, cells.iter().map(part).collect())
            };
            let mut causes = vec![of(Cause::Wall), of(Cause::Hedge)];
            if cells.iter().any(|(cause, _)| *cause == Cause::Door) {
                causes.push(of(Cause::Door));
            }
            causes
        }
    }
}
