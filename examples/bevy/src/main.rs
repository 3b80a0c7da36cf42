//! Fog of war in Bevy: units walk, those that moved get a new view, and a system prints the cells that the team newly
//! sees. Without a window.
//!
//! `cargo run --manifest-path examples/bevy/Cargo.toml`

use bevy::prelude::*;
use farsight::sight::MethodKind;
use farsight::{FieldOfView, OpacityMap, SightConfig, perception::TeamView};

/// The cell of a unit, in Bevy's own vectors.
#[derive(Component, Clone, Copy)]
struct Cell(IVec2);

/// The map, the eyes of all units, and the view of the team.
#[derive(Resource)]
struct Sight {
    map: OpacityMap,
    eyes: FieldOfView,
    team: TeamView,
}

fn main() -> Result {
    let map = OpacityMap::from_text("............\n.....##.....\n.....##.....\n............")?;
    let eyes = FieldOfView::new(SightConfig::default().with_radius(5).with_method(MethodKind::SymmetricShadowcast))?;
    let team = TeamView::new(map.extent());
    let mut app = App::new();
    app.add_plugins(MinimalPlugins).insert_resource(Sight { map, eyes, team });
    let units = [ivec2(0, 0), ivec2(11, 3)].map(Cell);
    app.add_systems(Startup, move |mut commands: Commands| {
        units.map(|cell| commands.spawn(cell).id());
    });
    app.add_systems(Update, (walk, look, tell).chain());
    (0..4).for_each(|_| app.update());
    Ok(())
}

fn walk(mut units: Query<&mut Cell>) {
    for mut cell in units.iter_mut().filter(|cell| cell.0.y == 0) {
        cell.0.x += 1;
    }
}

fn look(mut sight: ResMut<Sight>, moved: Query<(Entity, &Cell), Changed<Cell>>) -> Result {
    let Sight { map, eyes, team } = &mut *sight;
    for (unit, cell) in &moved {
        team.set(unit.to_bits(), &eyes.compute(&*map, cell.0.to_array())?);
    }
    Ok(())
}

fn tell(mut sight: ResMut<Sight>) {
    let changes = sight.team.update();
    println!("{} cells newly seen, {} newly hidden", changes.newly_seen.len(), changes.newly_hidden.len());
}
