//! Files that the window saves and loads on request.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use macroquad::texture::get_screen_data;

use super::state::App;
use crate::document::OpenedFile;
use crate::host::{self, ON_PAGE, preset_name, save, shell};
use crate::save_export::{save_export, saved_message};
use crate::window::command::ExportedPart;
use crate::window::dialogs::LoadedFile;
use crate::window::error::{CommandError, ExploreError};
use crate::window::my_presets::{self, open_file};
use crate::window::session::{ReadContent, Screenshot, ScreenshotContent};
use farsight::Job;
use farsight::grid::CellRect;
use farsight_scene::export::{Crop, ExportOptions, PictureStyle, SavedWalk};
use farsight_scene::files::{self, FileError, Format, OutputFile, PlacedPicture, save_product};
use farsight_scene::paint::Picture;
use glam::IVec2;

/// The maximum length of links that chats and servers do not truncate, in characters.
const LONGEST_LINK: usize = 2000;

impl App {
    /// Exports the view to a path, or to the file of the panel.
    pub(crate) fn export(&mut self, path: Option<PathBuf>, part: ExportedPart) -> Result<(), CommandError> {
        self.document.steady_lamps();
        let (scene, stem) = (self.document.scene_to_save()?, self.document.file_stem().unwrap_or_default());
        let path = path.unwrap_or_else(|| self.session.file_names.export_path(&stem));
        let shown = match part {
            ExportedPart::Shown | ExportedPart::WholeMap => self.view.exported_scene(scene)?,
            ExportedPart::View(_) => Cow::Borrowed(scene),
        };
        let look = match part {
            ExportedPart::Shown => self.view.export_options(scene),
            ExportedPart::WholeMap => {
                let scale = Some(self.session.file_names.map_scale).filter(|scale| *scale > 0);
                let style = PictureStyle::Painted { scale, unseen: self.view.unseen() };
                self.view.export_options(scene).with_cells(None).with_crop(Crop::Map).with_style(style)
            }
            ExportedPart::View(unseen) => {
                ExportOptions::default().with_style(PictureStyle::Painted { scale: None, unseen })
            }
        };
        let format = Format::from_path(&path).map_err(|error| error.to_string())?;
        let output = OutputFile::new(&path, format);
        self.session.read_files.ensure_exportable::<CommandError>(&output)?;
        let options = look.with_name(self.document.name()).with_map(self.document.map().cloned());
        if ON_PAGE {
            let product = options.product(&shown, format)?;
            save(&path, |out| product.write(format.into(), Job::none(), out))?;
        } else {
            save_export::<CommandError>(&shown, &options, &output)?;
        }
        let mut words = saved_message(&path);
        if self.document.comparison().scene.is_some() {
            words += ". It shows the left side of the divider; \"screenshot\" saves both sides.";
        }
        self.session.messages.saved(words, &path);
        Ok(())
    }

    pub(crate) fn save_preset(&mut self) -> Result<(), CommandError> {
        let my_presets = self.session.settings.my_presets();
        let path = self.session.file_names.preset_path(self.document.name(), my_presets.as_deref());
        if !self.document.is_from(&path) {
            self.session.read_files.ensure_not_read(&path, ReadContent::Preset)?;
        }
        let base = self.document.name().to_owned();
        let may_replace = self.document.is_from(&path) || self.session.file_names.is_confirmed(&path, &base);
        self.session.file_names.confirm(&path, &base);
        if !may_replace && my_presets::is_saved(&path) {
            let name = preset_name(&path);
            let words =
                format!("There is a preset {name:?}: save again to replace it by this {base}, or choose another name");
            self.session.messages.info(words);
            return Ok(());
        }
        if let Some(folder) = my_presets.filter(|folder| path.starts_with(folder)) {
            let _ = std::fs::create_dir_all(folder); // a failure is that of the file
        }
        let text = self.document.preset_to_save().to_toml(); // complete and commented
        save(&path, |out| Ok(out.write_all(text.as_bytes())?))?;
        if ON_PAGE {
            // The download is for other devices and programs.
            self.session.messages.info(kept_message(&path, host::keep(&path, &text)));
        } else {
            self.session.messages.saved(saved_message_with_command(&path, "--preset"), &path);
        }
        Ok(())
    }

    /// Saves the walk to a path, or to the file of the panel.
    pub(crate) fn save_walk(&mut self, path: Option<PathBuf>) -> Result<(), CommandError> {
        let walk = self.document.saved_walk()?.to_bytes();
        let path = path.unwrap_or_else(|| self.session.file_names.new_walk_path());
        self.session.read_files.ensure_not_read(&path, ReadContent::Walk)?;
        save(&path, |out| Ok(out.write_all(&walk)?))?;
        self.session.settings.window.add_recent(&path);
        self.session.messages.saved(saved_message_with_command(&path, "--load"), &path);
        Ok(())
    }

    /// Loads a walk from a path, or from the file of the panel.
    pub(crate) fn load_walk(&mut self, path: Option<PathBuf>) -> Result<(), String> {
        let path = path.unwrap_or_else(|| {
            let last = self.session.file_names.last_walk_path();
            let recent = || self.session.settings.recent_walk();
            if last.exists() { last } else { recent().unwrap_or(last) }
        });
        let OpenedFile::Walk(walk) = open_file(Some(path.clone()), None)? else {
            return Err(format!("{}: not a saved walk (.{})", path.display(), SavedWalk::EXTENSION));
        };
        let opened = OpenedFile::Walk(walk);
        if self.document.cost_of(&opened).is_over_budget() {
            self.ask_or_open(LoadedFile { opened, path: Some(path), picture: None });
            return Ok(());
        }
        self.session.read_files.add_opened(ReadContent::Walk, &path);
        self.document.open(opened, None, &mut self.view.state);
        self.session.messages.info(format!("Loaded {}", path.display()));
        Ok(())
    }

    /// Checks that a screenshot replaces no file that was read.
    pub(crate) fn ensure_not_read(&self, path: &Path) -> Result<(), CommandError> {
        Ok(self.session.read_files.ensure_not_read(path, ReadContent::Other)?)
    }

    /// Saves the screen. A failure ends a script, and is shown to a person.
    pub(crate) fn save_screenshot(&mut self, shot: &Screenshot, is_scripted: bool) -> Result<(), ExploreError> {
        let Screenshot { path, content } = shot;
        let part = (*content != ScreenshotContent::Window).then(|| self.view.picture_on_screen());
        match save_screen(path, part) {
            Ok(()) => self.session.messages.saved(saved_message(path), path),
            Err(error) if is_scripted => return Err(error.into()),
            Err(error) => self.session.messages.error(error.to_string()),
        }
        Ok(())
    }

    /// Copies the command line that exports the view.
    pub(crate) fn copy_command_line(&mut self) {
        let scene = self.document.scene();
        if let Some(((link, stem), scene)) = self.document.link().zip(self.document.file_stem()).zip(scene) {
            let shell = shell();
            let (flags, file) = (link.flags(shell), shell.quote(&format!("{stem}.png")));
            let command = format!("farsight export {flags}{} -o {file}", self.view.export_flags(scene, shell));
            egui_macroquad::cfg(|context| context.copy_text(command.clone()));
            self.session.messages.info("Copied the command that exports this view.");
        }
    }
}

impl App {
    /// Copies the link to the scene, with the comparison and the shown part of the map. It offers a file instead of a
    /// link that is too long.
    pub(crate) fn copy_link(&mut self) -> Result<(), CommandError> {
        if ON_PAGE {
            host::copy_page_link();
            return Ok(());
        }
        let query =
            self.document.link().map(|link| link.query() + &self.query_of_view()).ok_or("there is no scene yet")?;
        if self.document.map().is_some() || query.len() > LONGEST_LINK {
            let reason = match self.document.map() {
                Some(map) => format!("A link cannot hold {}", map.name),
                None => format!("The link has {} characters; many programs cut more than {LONGEST_LINK}", query.len()),
            };
            self.session.messages.info(format!("{reason}. Send the walk instead:"));
            return self.save_walk(None);
        }
        let page = self.session.settings.window.page.trim().trim_end_matches('?');
        egui_macroquad::cfg(|context| context.copy_text(format!("{page}?{query}")));
        let words = match page {
            "" => "Copied a link for \"open\" in another farsight. With the address of a page with farsight, under \"Window\", \
                it opens in a browser."
                .to_owned(),
            page => format!("Copied the address of this view on {page}"),
        };
        self.session.messages.info(words);
        Ok(())
    }

    /// Returns the part of a query with the comparison and the shown part of the map.
    pub(crate) fn query_of_view(&self) -> String {
        let comparison = self.document.comparison();
        let compared = comparison.is_open().then(|| comparison.to.script_words()).flatten();
        let parts = [("split", compared), ("look", self.view.look_words())];
        let parts = parts.into_iter().filter_map(|(key, words)| Some(format!("&{key}={}", words?.replace(' ', ","))));
        parts.collect()
    }
}

/// Shows a folder in the file manager of the system.
pub(crate) fn show_folder(folder: &Path) -> Result<(), String> {
    use std::process::{Command, Stdio};
    let program = match () {
        () if cfg!(target_os = "macos") => "open",
        () if cfg!(windows) => "explorer",
        () => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{program} {}: {error}", folder.display()))?;
    std::thread::spawn(move || child.wait()); // leaves no zombie
    Ok(())
}

/// Returns the message for a saved file, with the command that reads it.
fn saved_message_with_command(path: &Path, flag: &str) -> String {
    format!("{}: farsight {flag} {}", saved_message(path), shell().quote(&path.to_string_lossy()))
}

/// Returns the message of a page for a saved preset that the browser stored or refused.
fn kept_message(path: &Path, is_kept: bool) -> String {
    let name = preset_name(path);
    if is_kept {
        format!("Saved {name}: this browser keeps it under \"My presets\", and the download is for other devices")
    } else {
        format!("Downloaded {name}. This browser has no storage for the page: open the file to use it again")
    }
}

/// Saves the window, or a part of it in pixels.
pub(crate) fn save_screen(path: &Path, part: Option<CellRect>) -> Result<(), FileError> {
    let (opaque, size) = screen_pixels(part);
    if ON_PAGE {
        return save(path, |out| files::write_picture(out, size.x as u32, size.y as u32, &opaque, None));
    }
    // Not `save`: the world file of an older picture would georeference this one.
    let picture = Picture::from_rgb(size.x as usize, &opaque);
    let picture = PlacedPicture { picture, provenance: None, georeference: None };
    save_product(&OutputFile::new(path, Format::Png), picture.into())
}

/// Returns the window, or a part of it in pixels, with rows from the top and three bytes per pixel, and its size.
pub(crate) fn screen_pixels(part: Option<CellRect>) -> (Vec<u8>, IVec2) {
    let screen = get_screen_data();
    let whole = CellRect::of_size(IVec2::new(screen.width.into(), screen.height.into()));
    let part = part.map(|part| part.intersect(whole)).filter(|part| part.width() > 0 && part.height() > 0);
    opaque_pixels(&screen.bytes, whole.width(), part.unwrap_or(whole))
}

/// Converts a part of a picture of `width` columns with rows from the bottom and four bytes per pixel to rows from the
/// top and three bytes per pixel; also returns its size.
fn opaque_pixels(bytes: &[u8], width: usize, part: CellRect) -> (Vec<u8>, IVec2) {
    let rows: Vec<&[u8]> = bytes.chunks_exact((width * 4).max(1)).rev().collect();
    let [left, top] = part.min.max(IVec2::ZERO).to_array().map(|side| side as usize);
    let rows = rows.into_iter().skip(top).take(part.height());
    let pixels = rows.flat_map(|row| row.chunks_exact(4).skip(left).take(part.width()));
    (pixels.flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(), part.size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_screen_is_upright_and_opaque() {
        // Two rows of three pixels, the lower row first, as in the frame buffer.
        let bytes: Vec<u8> = [4, 5, 6, 1, 2, 3].iter().flat_map(|&value| [value, value, value, 0]).collect();
        let part = |min, max| opaque_pixels(&bytes, 3, CellRect { min, max });
        assert_eq!(part(IVec2::ZERO, IVec2::new(3, 2)).0, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6]);
        assert_eq!(part(IVec2::new(1, 1), IVec2::new(3, 2)), (vec![5, 5, 5, 6, 6, 6], IVec2::new(2, 1)));
    }
}
