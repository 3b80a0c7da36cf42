//! The card with the goals: their list or the current goal, and the journal.

use egui::{Context, LayerId, Order, RichText, ScrollArea, Ui};
use egui_macroquad::egui;

use super::command::WindowCommand;
use super::session::{GoalKind, GoalState, Goals};
use super::slots::{Card, Slot, Slots};
use super::theme::palette;

/// The name of the card's area.
const CARD: &str = "goals";

/// The width of the card, in points.
const WIDTH: f32 = 250.0;

/// The number of shown lines of the journal, the last ones.
const LINES: usize = 6;

/// Returns the left edge of the card while it is open, unless it is on the left of the map.
pub(crate) fn left_edge(context: &Context) -> Option<f32> {
    let layer = LayerId::new(Order::Middle, CARD.into());
    let middle = context.screen_rect().center().x;
    context.memory(|memory| {
        let is_open = memory.areas().is_visible(&layer);
        memory.area_rect(layer.id).filter(|card| is_open && card.left() > middle).map(|card| card.left())
    })
}

/// Shows the card on the side of the map without the viewer, whose place is given as fractions of the map. Returns the
/// commands of its buttons.
pub(crate) fn show(slots: &mut Slots<'_>, goals: &Goals, viewer: Option<egui::Vec2>) -> Option<WindowCommand> {
    let mut command = None;
    let is_right = viewer.is_some_and(|at| at.x > 0.6 && at.y < 0.7);
    let slot = if is_right { Slot::UpperLeft } else { Slot::UpperRight };
    let card = Card::new(slots.context, CARD, slot).clickable(true).scroll(ScrollArea::vertical());
    slots.show(card, |ui| {
        ui.set_width(WIDTH);
        ui.horizontal(|ui| {
            ui.label(RichText::new("Goals").strong());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("close").clicked() {
                    command = Some(WindowCommand::ToggleGoals);
                }
            });
        });
        command = command.take().or_else(|| show_goal(ui, goals));
        show_journal(ui, &goals.journal.lines);
    });
    command
}

/// Shows the current goal, or all available goals.
fn show_goal(ui: &mut Ui, goals: &Goals) -> Option<WindowCommand> {
    let Some(goal) = &goals.goal else {
        let begun = GoalKind::ALL.iter().copied().filter(|kind| ui.button(kind.sentence()).clicked()).last();
        let today = ui.button("today's land").on_hover_text("A new land each day, the same for all players");
        return begun.map(WindowCommand::BeginGoal).or(today.clicked().then_some(WindowCommand::ShowTodaysLand));
    };
    ui.label(goal.sentence());
    let (words, colour) = match goal.state {
        GoalState::Open => ("", palette(ui.visuals()).text),
        GoalState::Paused => ("Paused until air, sight and land are as at the beginning: ", palette(ui.visuals()).weak),
        GoalState::Done => ("Done: ", palette(ui.visuals()).info),
        GoalState::Failed => ("Failed: ", palette(ui.visuals()).error),
    };
    ui.label(RichText::new(format!("{words}{}", goal.score())).color(colour));
    let mut command = None;
    ui.horizontal(|ui| {
        if ui.button("picture").on_hover_text("Save the map as it is on the screen").clicked() {
            command = Some(WindowCommand::Screenshot(None));
        }
        if ui.button("copy result").on_hover_text("The score, without a place").clicked() {
            command = Some(WindowCommand::CopyResult);
        }
        if ui
            .button(if matches!(goal.state, GoalState::Open | GoalState::Paused) { "give up" } else { "another goal" })
            .clicked()
        {
            command = Some(WindowCommand::EndGoal);
        }
    });
    command
}

/// Shows the latest entries of the journal.
fn show_journal(ui: &mut Ui, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    ui.separator();
    ui.label(RichText::new("First seen").strong());
    for line in lines.iter().rev().take(LINES) {
        ui.label(line);
    }
    if lines.len() > LINES {
        ui.label(RichText::new(format!("and {} more", lines.len() - LINES)).color(palette(ui.visuals()).weak));
    }
}
