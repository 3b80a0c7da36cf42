//! [`Redraw`]: decides whether the window draws another frame immediately, or waits for input.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use egui_macroquad::egui;
use macroquad::conf::UpdateTrigger;
use macroquad::miniquad::window::schedule_update;
use macroquad::time::get_time;

use super::state::App;
use crate::host::ON_PAGE;

/// The duration of continuous frames after input, in seconds. Panels need some frames to settle. At the end of the last
/// frame, miniquad waits for one more event than have arrived, so a press and its release during that frame wait for
/// the next input: this frame must not be at the time of a typical click, half a second after the pointer stops.
const SECONDS_AFTER_INPUT: f64 = 2.0;

/// The number of frames after the last moving frame, which can still show finished work, such as the progress of a
/// world, regardless of the duration of its last frame.
const FRAMES_AFTER_MOTION: u32 = 3;

/// The duration of continuous frames at the start, in seconds, while a window manager arranges the window.
const SECONDS_AFTER_START: f64 = 2.0;

/// The maximum duration of a frame, in seconds. The first frame after a pause counts as an ordinary frame.
const FRAME_SECONDS: f64 = 1.0 / 60.0;
const MAX_FRAME_SECONDS: f64 = 0.25;

/// The interval of frames that only wait for a tooltip, in milliseconds: the maximum delay of the first input.
const PANELS_MS: u64 = 30;

/// The interval of frames that only wait for a change of the preset file, in milliseconds: initially, and after
/// [`SECONDS_OF_REST`] without input.
const FILE_MS: [u64; 2] = [250, 700];
const SECONDS_OF_REST: f64 = 5.0;

/// Returns the triggers that wake the window: all input draws a frame.
pub(crate) fn triggers() -> UpdateTrigger {
    UpdateTrigger {
        key_down: true,
        mouse_down: true,
        mouse_up: true,
        mouse_motion: true,
        mouse_wheel: true,
        specific_key: None,
        touch: true,
    }
}

/// The end of continuous frames.
pub(crate) struct Redraw {
    /// In seconds.
    until: f64,
    /// The number of frames after the last motion.
    frames: u32,
    /// The time of the last frame, in seconds; `None` after a pause.
    last_frame: Option<f64>,
    panels: PanelRepaint,
}

/// The event that starts the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// None: something moves, and the next frame follows immediately.
    Moving,
    /// A time set by the panels, for a tooltip or a blinking cursor.
    Panels,
    /// The next state of flickering lamps.
    Flicker,
    /// A change of the preset file.
    File,
    /// Input.
    Input,
}

/// The time of the next redraw requested by the panels, in milliseconds; [`u64::MAX`] for never.
#[derive(Clone)]
struct PanelRepaint(Arc<AtomicU64>);

impl PanelRepaint {
    fn watch() -> Self {
        let due = Self(Arc::new(AtomicU64::new(u64::MAX)));
        let asked = due.clone();
        egui_macroquad::cfg(|context: &egui::Context| {
            context.set_request_repaint_callback(move |request| asked.ask(get_time() + request.delay.as_secs_f64()));
        });
        due
    }

    fn ask(&self, seconds: f64) {
        self.0.fetch_min((seconds * 1000.0) as u64, Ordering::Relaxed); // saturates to never
    }

    /// Returns `true` if the panels have requested a later redraw. It clears a due request.
    fn is_waiting(&self, now: f64) -> bool {
        let due = self.0.load(Ordering::Relaxed);
        if due as f64 <= now * 1000.0 {
            self.0.store(u64::MAX, Ordering::Relaxed);
            return true; // draws what was due
        }
        // egui requests a frame in a day or never to mean never.
        due < ((now + 10.0) * 1000.0) as u64
    }
}

impl Redraw {
    pub(crate) fn new() -> Self {
        let until = get_time() + SECONDS_AFTER_START;
        Self { until, frames: FRAMES_AFTER_MOTION, last_frame: None, panels: PanelRepaint::watch() }
    }

    /// Starts a frame and returns the time since the last frame, in seconds.
    pub(crate) fn begin_frame(&mut self) -> f32 {
        let now = get_time();
        let seconds = match self.last_frame.replace(now) {
            Some(last) => (now - last).min(MAX_FRAME_SECONDS),
            None => {
                self.until = self.until.max(now + SECONDS_AFTER_INPUT); // only input ends a pause
                FRAME_SECONDS
            }
        };
        seconds as f32
    }

    /// Ends a frame: draws the next frame immediately, or waits for input.
    pub(crate) fn end_frame(&mut self, app: &App, is_scripted: bool) {
        let now = get_time();
        if app.session.has_input {
            self.until = now + SECONDS_AFTER_INPUT;
        }
        let is_moving = app.is_moving() || app.session.has_input;
        self.frames = if is_moving { FRAMES_AFTER_MOTION } else { self.frames.saturating_sub(1) };
        let panels_wait = self.panels.is_waiting(now);
        let waiting = match () {
            () if is_scripted || now < self.until || self.frames > 0 => Waiting::Moving,
            () if panels_wait => Waiting::Panels,
            () if app.document.flickers() => Waiting::Flicker,
            () if app.document.watches_file() => Waiting::File,
            () => Waiting::Input,
        };
        if waiting == Waiting::Input {
            self.last_frame = None;
            return;
        }
        match waiting {
            _ if ON_PAGE => {} // the browser cannot sleep
            Waiting::Panels | Waiting::Flicker => std::thread::sleep(std::time::Duration::from_millis(PANELS_MS)),
            Waiting::File => {
                let is_at_rest = now > self.until + SECONDS_OF_REST;
                std::thread::sleep(std::time::Duration::from_millis(FILE_MS[usize::from(is_at_rest)]));
            }
            Waiting::Moving | Waiting::Input => {}
        }
        schedule_update();
    }
}

impl App {
    /// Returns `true` if the picture changes without input.
    fn is_moving(&self) -> bool {
        let Self { document, session, view, .. } = self;
        view.is_easing()
            || !document.is_settled()
            || document.time_runs()
            || !session.input.is_released
            || !session.messages.is_empty()
            || session.screenshot.is_some()
            || session.film_progress.is_some()
            || session.ticker.is_showing()
            || session.introduction.is_showing()
            || session.settings.is_unsaved()
            || session.kept.is_due(document)
    }
}
