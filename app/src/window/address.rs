//! [`Address`]: the address of a page, which follows the scene.

use crate::host::{shell, show_scene};
use farsight_scene::export::Link;

/// The scene in the address of the page.
#[derive(Default)]
pub(crate) struct Address {
    /// The link, the comparison and part of the map in the query, and the flags of the look.
    shown: Option<(Link, String, String)>,
}

impl Address {
    /// Shows the scene in the address, and the command that exports it to a file, with the flags of its look.
    pub(crate) fn show(&mut self, link: Link, view: String, look: &str, file: &str) {
        let shown = Some((link, view, look.to_owned()));
        if self.shown == shown {
            return;
        }
        if let Some((link, view, _)) = &shown {
            let shell = shell();
            let command = format!("farsight export {}{look} -o {}", link.flags(shell), shell.quote(file));
            let mut query = link.query();
            if !query.is_empty() {
                query += view;
            }
            show_scene(&query, &command);
        }
        self.shown = shown;
    }
}
