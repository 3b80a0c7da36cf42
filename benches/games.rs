//! Run time of typical queries of games, compared with that of a view in the same run: a line of sight, a cone of
//! vision, who sees whom, a view on a game's own map, lamps that move, daylight in rooms, teams, and saves. Minima of
//! many runs, in µs.
//!
//! `cargo bench -p benches --bench games`.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::light::{Daylight, Flicker, Lamp, LightMap};
use farsight::perception::TeamView;
use farsight::sight::{FieldOfView, Method, MethodKind, OpacityCells, OpacityMap, OwnedView, Sector, SightConfig};
use farsight::viewshed::{Canopy, Surface, Viewshed};
use farsight_scene::compare::kinds::{KINDS, MapMaker, open, rooms, scene};

type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    let mut out = std::io::stdout().lock();
    lines(&mut out)?;
    sectors(&mut out)?;
    crowds(&mut out)?;
    own_maps(&mut out)?;
    lamps(&mut out)?;
    daylight(&mut out)?;
    teams(&mut out)?;
    saves(&mut out)
}

/// Work whose run time is measured.
type Work<'a> = Box<dyn FnMut() + 'a>;

/// Returns the shortest run time of a call of each work, in µs. They take turns, so that a slow phase of the machine affects all.
fn minima<const N: usize>(mut work: [Work<'_>; N]) -> [f64; N] {
    const ROUNDS: usize = 200;
    const SECONDS_A_ROUND: f64 = 0.3e-3;
    let mut best = [f64::INFINITY; N];
    let mut calls = [1u32; N];
    for (work, calls) in work.iter_mut().zip(&mut calls) {
        work();
        let start = Instant::now();
        work();
        *calls = (SECONDS_A_ROUND / start.elapsed().as_secs_f64()).clamp(1.0, 5000.0) as u32;
    }
    for _ in 0..ROUNDS {
        for ((work, calls), best) in work.iter_mut().zip(calls).zip(&mut best) {
            work();
            let start = Instant::now();
            (0..calls).for_each(|_| work());
            *best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(calls));
        }
    }
    best
}

const MAPS: [(&str, MapMaker); 4] =
    [("open field", open), ("10 % walls", KINDS[0].1), ("rooms", rooms), ("thin haze", haze)];

/// Opacities up to 0.02.
fn haze(side: usize, _: u64) -> Grid<f32> {
    Grid::from_fn(side, side, |cell| ((cell.x * 37 + cell.y * 101) % 97) as f32 / 4850.0)
}

fn view_work<'a>(config: &SightConfig, map: &'a OpacityMap, viewer: IVec2) -> Result<Work<'a>, AnyError> {
    let mut fov = FieldOfView::new(config.clone())?;
    Ok(Box::new(move || {
        black_box(fov.compute(black_box(map), viewer).is_ok());
    }))
}

/// Lines to cells 40 cells away, next to a view of radius 64.
fn lines(out: &mut impl Write) -> Result<(), AnyError> {
    const TARGETS: [(i32, i32); 4] = [(40, 0), (39, 9), (36, -17), (-28, 28)];
    writeln!(out, "A line of sight to a cell 40 cells away, mean of four directions, and a view of radius 64:\n")?;
    writeln!(out, "| method | map | view | line | line / view |\n|---|---|---|---|---|")?;
    for method in [MethodKind::TwoParent.into(), MethodKind::Beam.into(), Method::Exact { samples: 3 }] {
        let config = SightConfig::default().with_radius(64).with_method(method);
        let method = method.kind();
        for (name, make) in MAPS {
            if method == MethodKind::Exact && name != "10 % walls" {
                continue; // a view takes a second
            }
            let (map, viewer) = scene(150, 1, make);
            let mut fov = FieldOfView::new(config.clone())?;
            let line: Work<'_> = Box::new(|| {
                for (x, y) in TARGETS {
                    black_box(fov.line_of_sight(black_box(&map), viewer, viewer + ivec2(x, y)).is_ok());
                }
            });
            let [view, lines] = if method == MethodKind::Exact {
                let mut view = view_work(&config, &map, viewer)?;
                let start = Instant::now();
                view();
                let view = start.elapsed().as_secs_f64() * 1e6;
                let [lines] = minima([line]);
                [view, lines]
            } else {
                minima([view_work(&config, &map, viewer)?, line])
            };
            let line = lines / TARGETS.len() as f64;
            writeln!(out, "| {method:?} | {name} | {view:.2} | {line:.3} | {:.4} |", line / view)?;
        }
    }
    Ok(())
}

/// Cones of vision next to whole views.
fn sectors(out: &mut impl Write) -> Result<(), AnyError> {
    writeln!(out, "\nCones of vision as shares of a whole view, by facing and span:\n")?;
    writeln!(out, "| method | radius | map | whole | 0° 90° | 20° 90° | 45° 90° | 0° 45° | 70° 180° |")?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
    for (method, radius) in
        [(MethodKind::TwoParent, 24), (MethodKind::TwoParent, 64), (MethodKind::TwoParent, 256), (MethodKind::Beam, 64)]
    {
        for (name, make) in MAPS {
            let (map, viewer) = scene(2 * radius as usize + 9, 1, make);
            let config = SightConfig::default().with_radius(radius).with_method(method);
            let sector = |facing: f64, span: f64| -> Result<Work<'_>, AnyError> {
                let mut fov = FieldOfView::new(config.clone())?;
                let map = &map;
                Ok(Box::new(move || {
                    black_box(fov.compute_sector(black_box(map), viewer, Sector::new(facing, span)).is_ok());
                }))
            };
            let [whole, shares @ ..] = minima([
                view_work(&config, &map, viewer)?,
                sector(0.0, 90.0)?,
                sector(20.0, 90.0)?,
                sector(45.0, 90.0)?,
                sector(0.0, 45.0)?,
                sector(70.0, 180.0)?,
            ]);
            let shares = shares.map(|time| format!("{:.2}", time / whole)).join(" | ");
            writeln!(out, "| {method:?} | {radius} | {name} | {whole:.2} | {shares} |")?;
        }
    }
    Ok(())
}

/// Who sees whom among 64 creatures of radius 24, next to 20 views: anywhere on a map of 512 x 512 cells, and in a crowd.
fn crowds(out: &mut impl Write) -> Result<(), AnyError> {
    writeln!(out, "\n64 creatures of radius 24 on 512 x 512 cells, all pairs, and 20 views of radius 24:\n")?;
    writeln!(out, "| map | within | 20 views | mutual | mutual / views |\n|---|---|---|---|---|")?;
    for (name, make) in MAPS {
        let (map, _) = scene(512, 1, make);
        for within in [512, 128, 32] {
            let place = |i: i32| ivec2(i * 97 % within, i * 61 % within) + (512 - within) / 2;
            let creatures: Vec<(IVec2, u32)> = (0..64).map(|i| (place(i), 24)).collect();
            let mut fov = FieldOfView::new(SightConfig::default().with_radius(24))?;
            let (map, cells) = (&map, creatures.clone());
            let views: Work<'_> = Box::new(move || {
                for (cell, _) in &cells[..20] {
                    black_box(fov.compute(black_box(map), *cell).is_ok());
                }
            });
            let mut fov = FieldOfView::new(SightConfig::default().with_radius(24))?;
            let mutual: Work<'_> = Box::new(move || {
                black_box(fov.mutual(black_box(map), &creatures).is_ok());
            });
            let [views, mutual] = minima([views, mutual]);
            writeln!(out, "| {name} | {within} | {views:.2} | {mutual:.2} | {:.2} |", mutual / views)?;
        }
    }
    Ok(())
}

/// Views through a closure next to views on an `OpacityMap`.
fn own_maps(out: &mut impl Write) -> Result<(), AnyError> {
    writeln!(out, "\nA view on a game's own map in `OpacityCells`, next to an `OpacityMap`:\n")?;
    writeln!(out, "| radius | map | OpacityMap | OpacityCells | ratio |\n|---|---|---|---|---|")?;
    for radius in [24, 64] {
        for (name, make) in MAPS {
            let (map, viewer) = scene(2 * radius as usize + 9, 1, make);
            let tiles: Grid<u8> = map.grid().map(|opacity| (opacity * 255.0) as u8);
            let config = SightConfig::default().with_radius(radius);
            let mut fov = FieldOfView::new(config.clone())?;
            let with = Box::new(|| {
                let opacity = |cell| tiles.get(cell).map_or(f32::NAN, |&tile| f32::from(tile) / 255.0);
                black_box(fov.compute(OpacityCells::new(opacity), viewer).is_ok());
            });
            let [compute, with] = minima([view_work(&config, &map, viewer)?, with]);
            writeln!(out, "| {radius} | {name} | {compute:.2} | {with:.2} | {:.1} |", with / compute)?;
        }
    }
    Ok(())
}

/// A turn of a game with 1,000 lamps of reach 12 on 512² cells: ten lamps move, and a door opens or shuts.
fn lamps(out: &mut impl Write) -> Result<(), AnyError> {
    const LAMPS: usize = 1000;
    const SIDE: usize = 512;
    writeln!(out, "\n{LAMPS} lamps of reach 12 on {SIDE}x{SIDE} cells:\n")?;
    writeln!(out, "| map | all lamps anew | ten move, a door opens | all flicker |\n|---|---|---|---|")?;
    for (name, make) in MAPS {
        let mut map = OpacityMap::try_from(make(SIDE, 1))?;
        let mut random = 1u64;
        let mut cell = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ivec2((random >> 33) as i32 % SIDE as i32, (random >> 48) as i32 % SIDE as i32)
        };
        let placed: Vec<Lamp> = (0..LAMPS).map(|_| Lamp::new(cell()).with_flicker(Flicker::Flame)).collect();
        let mut light = LightMap::new(&map);
        let ids = light.insert_many(&map, &placed)?;
        let (still, mut flickering) = (map.clone(), light.clone());
        let (mut turn, mut ticks, mut anew) = (0, 0, light.clone());
        let [all, a_turn, flicker] = minima([
            Box::new(|| {
                black_box(anew.changed_everywhere(&still).is_ok());
            }),
            Box::new(|| {
                turn += 1;
                for (&id, lamp) in ids.iter().zip(&placed).skip(turn % 90 * 10).take(10) {
                    let step = ivec2(turn as i32 / 90 % 2, 0);
                    let moved = (lamp.at + step).min(IVec2::splat(SIDE as i32 - 1));
                    black_box(light.move_to(&map, id, moved).is_ok());
                }
                let door = placed[turn % LAMPS].at;
                let shut = if turn % 2 == 0 { 1.0 } else { 0.0 };
                black_box(map.set(door, shut).is_ok() && light.changed(&map, [door]).is_ok());
            }),
            Box::new(|| {
                ticks += 1;
                black_box(flickering.set_time(f64::from(ticks) * 0.1));
            }),
        ]);
        writeln!(out, "| {name} | {all:.0} | {a_turn:.0} | {flicker:.0} |")?;
    }
    Ok(())
}

/// Daylight on 512² cells with twenty houses of 24x16 cells, each with three windows and two doors, next to a view of radius 64.
fn daylight(out: &mut impl Write) -> Result<(), AnyError> {
    const SIDE: usize = 512;
    const HOUSE: IVec2 = ivec2(24, 16);
    const WINDOWS: [IVec2; 3] = [ivec2(5, 0), ivec2(18, 0), ivec2(0, 5)];
    const DOORS: [IVec2; 2] = [ivec2(12, 15), ivec2(23, 8)];
    let corners: Vec<IVec2> = (0..20).map(|i| ivec2(i % 5 * 100 + 20, i / 5 * 120 + 40)).collect();
    let in_house = |cell: IVec2| {
        let inside = corners.iter().map(|corner| cell - corner);
        inside.into_iter().find(|at| at.cmpge(IVec2::ZERO).all() && at.cmplt(HOUSE).all())
    };
    let opacity = |cell| match in_house(cell) {
        Some(at) if WINDOWS.contains(&at) => 0.1,
        Some(at) if at.cmpeq(IVec2::ZERO).any() || at.cmpeq(HOUSE - 1).any() || at.x == 11 && at.y != 7 => 1.0,
        _ => 0.0,
    };
    let doors: Vec<IVec2> = corners.iter().flat_map(|corner| DOORS.map(|door| corner + door)).collect();
    let mut map = OpacityMap::try_from(Grid::from_fn(SIDE, SIDE, opacity))?.with_doors(doors.iter().copied())?;
    let roofs = Grid::from_fn(SIDE, SIDE, |cell| in_house(cell).is_some());
    let (still, mut day, mut turn) = (map.clone(), Daylight::new(&map, &roofs, 12.0)?, 0);
    let [view, whole, door] = minima([
        view_work(&SightConfig::default().with_radius(64), &still, corners[7] + HOUSE / 2)?,
        Box::new(|| {
            black_box(Daylight::new(black_box(&still), &roofs, 12.0).is_ok());
        }),
        Box::new(|| {
            turn += 1;
            let door = doors[turn % doors.len()];
            black_box(map.toggle_door(door));
            black_box(day.changed(&map, [door]).is_ok());
        }),
    ]);
    writeln!(out, "\nDaylight of reach 12 in twenty houses on {SIDE}x{SIDE} cells:\n")?;
    writeln!(out, "| a view in a house | all houses | a door opens or shuts |\n|---|---|---|")?;
    writeln!(out, "| {view:.1} | {whole:.0} | {door:.1} |")?;
    Ok(())
}

/// Forests in patches, from a quarter to three quarters of the light, on a third of the map.
fn forests(side: usize, seed: u64) -> Grid<f32> {
    let height = hills(side, seed);
    height.map(|metres| if *metres > 12.0 { (metres / 40.0).clamp(0.25, 0.75) } else { 0.0 })
}

/// Hills of up to 30 m.
fn hills(side: usize, seed: u64) -> Grid<f32> {
    Grid::from_fn(side, side, |cell| {
        let at = cell.as_dvec2() / 11.0 + seed as f64;
        (15.0 + 7.5 * (at.x.sin() + (at.y * 1.3 + at.x * 0.7).cos())) as f32
    })
}

/// A tick of a strategy game on 512² cells: of 400 units of radius 20 a sixth moves, and the team lists newly seen
/// cells. Then merged views of a team, and a viewshed with and without a canopy.
fn teams(out: &mut impl Write) -> Result<(), AnyError> {
    const SIDE: i32 = 512;
    const UNITS: i32 = 400;
    let map = OpacityMap::try_from(forests(SIDE as usize, 1))?;
    let (ground, bare) = (hills(SIDE as usize, 1), Grid::new(SIDE as usize, SIDE as usize, 0.0));
    let woods = map.grid();
    let flat = Surface::of(&ground, 10.0).with_eye_height(2.0).with_target_height(1.0);
    let place = |unit: i32, tick: i32| {
        let start = ivec2(unit * 197 % SIDE, unit * 61 % SIDE) * 3 / 5 + 100;
        start + ivec2(tick / 6 % 2, 0)
    };
    writeln!(
        out,
        "\nA tick of {UNITS} units of radius 20 on {SIDE}x{SIDE} cells with forests, of which a sixth moves:\n"
    )?;
    writeln!(out, "| sight | tick | of it views |\n|---|---|---|")?;
    let config = |method| SightConfig::default().with_radius(20).with_method(method);
    for method in [MethodKind::TwoParent, MethodKind::SymmetricShadowcast] {
        let mut fov = FieldOfView::new(config(method))?;
        let mut views = fov.clone();
        let mut team = TeamView::new(CellRect::of_size((SIDE, SIDE))).with_threshold(0.1);
        for unit in 0..UNITS {
            team.set(unit as u64, &fov.compute(&map, place(unit, 0))?);
        }
        let (mut tick, mut view_tick) = (0, 0);
        let [time, of_views] = minima([
            Box::new(|| {
                tick += 1;
                for unit in (tick % 6..UNITS).step_by(6) {
                    if let Ok(view) = fov.compute(&map, place(unit, tick)) {
                        team.set(unit as u64, &view);
                    }
                }
                black_box(team.update());
            }),
            Box::new(|| {
                view_tick += 1;
                for unit in (view_tick % 6..UNITS).step_by(6) {
                    black_box(views.compute(&map, place(unit, view_tick)).is_ok());
                }
            }),
        ]);
        writeln!(out, "| {} | {time:.0} | {of_views:.0} |", method.name())?;
    }
    for (name, canopy) in [("hills", None), ("hills with woods", Some(canopy_of(woods)))] {
        let surface = flat.with_canopy(canopy);
        let mut viewshed = Viewshed::new(config(MethodKind::TwoParent))?;
        let mut team = TeamView::new(CellRect::of_size((SIDE, SIDE))).with_threshold(0.1);
        let mut tick = 0;
        let [time] = minima([Box::new(|| {
            tick += 1;
            for unit in (tick % 6..UNITS).step_by(6) {
                if let Ok(view) = viewshed.compute(&surface, place(unit, tick), Job::none()) {
                    team.set(unit as u64, &view);
                }
            }
            black_box(team.update());
        })]);
        writeln!(out, "| {name} | {time:.0} | |")?;
    }

    let mut fov = FieldOfView::new(config(MethodKind::TwoParent))?;
    let views: Vec<OwnedView> =
        (0..200).map(|unit| Ok(fov.compute(&map, place(unit, 0))?.to_owned())).collect::<Result<_, AnyError>>()?;
    let [merged] = minima([Box::new(|| {
        let mut team = views[0].clone();
        team.merge_max(black_box(&views[1..]));
        black_box(team);
    })]);
    writeln!(out, "\n200 views of radius 20 merged: {merged:.0}")?;

    writeln!(out, "\nA viewshed of radius 64, by its canopy:\n\n| none | no trees in reach | woods |\n|---|---|---|")?;
    let covers = [None, Some(canopy_of(&bare)), Some(canopy_of(woods))];
    let work = covers.map(|canopy| -> Work<'_> {
        let surface = flat.with_canopy(canopy);
        let mut viewshed = Viewshed::new(SightConfig::default().with_radius(64)).expect("a valid configuration");
        Box::new(move || {
            black_box(viewshed.compute(&surface, ivec2(256, 256), Job::none()).is_ok());
        })
    });
    let [none, bare, with_woods] = minima(work);
    writeln!(out, "| {none:.1} | {bare:.1} | {with_woods:.1} |")?;

    writeln!(out, "\nOne pair over hills 20 cells apart, next to a viewshed of radius 64:\n")?;
    writeln!(out, "| grade | canopy | view | visibility | clearance |\n|---|---|---|---|---|")?;
    for (method, (name, canopy)) in [MethodKind::TwoParent, MethodKind::Exact]
        .into_iter()
        .flat_map(|method| [("none", None), ("woods", Some(canopy_of(woods)))].map(|canopy| (method, canopy)))
    {
        let surface = flat.with_canopy(canopy);
        let viewshed = Viewshed::new(config(method).with_radius(64))?;
        let [mut views, mut lines, mut clearances] = [(); 3].map(|()| viewshed.clone());
        let (viewer, target) = (ivec2(256, 256), ivec2(274, 247));
        let times = minima([
            Box::new(move || {
                black_box(views.compute(&surface, viewer, Job::none()).is_ok());
            }),
            Box::new(move || {
                black_box(lines.line_of_sight(&surface, viewer, target).is_ok());
            }),
            Box::new(move || {
                black_box(clearances.clearance_of(&surface, viewer, target).is_ok());
            }),
        ]);
        let times = times.map(|time| format!("{time:.2}")).join(" | ");
        writeln!(out, "| {} | {name} | {times} |", method.name())?;
    }
    Ok(())
}

/// Woods that absorb a twentieth of the light per metre, with trees of up to 15 m.
fn canopy_of(cover: &Grid<f32>) -> Canopy<'_> {
    Canopy::of(cover).with_extinction(0.05).with_height(15.0)
}

/// Saves of the team of 400 units, as JSON.
fn saves(out: &mut impl Write) -> Result<(), AnyError> {
    let map = OpacityMap::try_from(forests(512, 1))?;
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(20))?;
    let mut team = TeamView::new(CellRect::of_size((512, 512)));
    for unit in 0..400 {
        team.set(unit as u64, &fov.compute(&map, ivec2(unit * 197 % 512, unit * 61 % 512))?);
    }
    let saved = serde_json::to_string(&team)?;
    let [save, load] = minima([
        Box::new(|| {
            black_box(serde_json::to_string(black_box(&team)).is_ok());
        }),
        Box::new(|| {
            black_box(serde_json::from_str::<TeamView>(black_box(&saved)).is_ok());
        }),
    ]);
    writeln!(out, "\nA team of 400 units, {} kB of JSON: saved {save:.0}, loaded {load:.0}", saved.len() / 1000)?;
    Ok(())
}
