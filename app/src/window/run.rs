//! [`run`] opens the window.

use std::cell::RefCell;
use std::rc::Rc;

use macroquad::Window;
use macroquad::conf::Conf;
use macroquad::texture::FilterMode;

use super::error::ExploreError;
use super::options::ExploreOptions;
use super::session::{KeptWalk, ReadFiles, SavedSettings};
use super::{app, display, script};
use crate::document::Document;
use crate::host::ON_PAGE;
use crate::{host, stage_log};

/// Opens the window and returns when it is closed.
///
/// # Errors
/// [`ExploreError`].
pub(crate) fn run(options: ExploreOptions) -> Result<(), ExploreError> {
    stage_log::start(false); // the command line can have started it
    let script = options.script.as_deref().map(script::parse).transpose()?;
    let _display = display::check()?;
    // Scripts and screenshots must not change the user's settings.
    let settings = SavedSettings::read(options.script.is_none() && options.screenshot.is_none());
    if let Some(warning) = &settings.warning {
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "{warning}");
    }
    let [width, height] = options.window.map_or(settings.window.size, |(width, height)| [width, height]);
    let screenshot = options.screenshot.clone();
    let read_files = ReadFiles::of(&options);
    let question = options.question;
    let document = Document::new(options.document); // its world is generated while the window opens
    let conf = Conf {
        miniquad_conf: macroquad::miniquad::conf::Conf {
            window_title: "farsight".into(),
            window_width: width as i32,
            window_height: height as i32,
            high_dpi: true,
            platform: macroquad::miniquad::conf::Platform {
                #[cfg(target_os = "linux")]
                linux_wm_class: "farsight",
                blocking_event_loop: true, // a window in which nothing changes costs nothing
                ..Default::default()
            },
            ..Default::default()
        },
        update_on: Some(app::triggers()),
        default_filter_mode: FilterMode::Nearest,
        ..Default::default()
    };
    let outcome = Rc::new(RefCell::new(Ok(())));
    let inside = Rc::clone(&outcome);
    display::guard(move || {
        Window::from_config(conf, async move {
            let mut app = app::App::new(document, settings, read_files);
            app.session.question = question;
            if ON_PAGE || script.is_none() && screenshot.is_none() {
                app.welcome();
            }
            if script.is_none() && screenshot.is_none() {
                app.session.kept = KeptWalk::new(app.session.settings.user_folder());
            }
            let ended = app::run(app, [width, height], screenshot, script).await;
            if let Err(error) = &ended {
                host::fail(&error.to_string()); // a page outlives this function
            }
            *inside.borrow_mut() = ended;
        });
    })?;
    outcome.replace(Ok(()))
}
