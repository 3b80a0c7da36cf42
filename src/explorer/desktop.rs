//! [`Desktop`]: where the window is on an X11 desktop, which the window library does not tell truly: after some events
//! it takes the place within the frame for that on the screen, and it knows neither frames nor screens.

use std::error::Error;
use std::process;

use x11rb::connection::Connection;
use x11rb::protocol::res::{ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, MapState, Window};
use x11rb::rust_connection::RustConnection;

use super::whereabouts::Place;

x11rb::atom_manager! {
    /// What a window manager says of a window.
    Atoms: AtomsCookie {
        _NET_FRAME_EXTENTS,
        _NET_WM_STATE,
        _NET_WM_STATE_FULLSCREEN,
        _NET_WM_STATE_HIDDEN,
        _NET_WM_STATE_MAXIMIZED_HORZ,
        _NET_WM_STATE_MAXIMIZED_VERT,
    }
}

/// A connection of its own to the X server, and the window of this process.
pub(super) struct Desktop {
    connection: RustConnection,
    root: Window,
    window: Window,
    atoms: Atoms,
}

type Answer<T> = Result<T, Box<dyn Error>>;

impl Desktop {
    /// The class of the window, by which it is found.
    pub(super) const CLASS: &str = "farsight";

    /// How deep a window lies below the root: frames within frames.
    const DEPTH: usize = 4;

    /// The window of this process, or `None` where there is none, or no X server that can tell whose a window is.
    pub(super) fn find() -> Option<Self> {
        let (connection, screen) = x11rb::connect(None).ok()?;
        let root = connection.setup().roots.get(screen)?.root;
        let atoms = Atoms::new(&connection).ok()?.reply().ok()?;
        connection.res_query_version(1, 2).ok()?.reply().ok()?;
        let window = own_window(&connection, root).ok()??;
        Some(Self { connection, root, window, atoms })
    }

    /// Where the window is now, or `None` while it is not shown.
    pub(super) fn look(&self) -> Option<Place> {
        self.place().ok().flatten()
    }

    fn place(&self) -> Answer<Option<Place>> {
        let Self { connection, root, window, atoms } = self;
        let property = |name: Atom, kind: AtomEnum| connection.get_property(false, *window, name, kind, 0, 64);
        // All is asked before the first answer is awaited.
        let attributes = connection.get_window_attributes(*window)?;
        let geometry = connection.get_geometry(*window)?;
        let corner = connection.translate_coordinates(*window, *root, 0, 0)?;
        let whole = connection.get_geometry(*root)?;
        let states = property(atoms._NET_WM_STATE, AtomEnum::ATOM)?;
        let frame = property(atoms._NET_FRAME_EXTENTS, AtomEnum::CARDINAL)?;
        if attributes.reply()?.map_state != MapState::VIEWABLE {
            return Ok(None);
        }
        let (geometry, corner, whole) = (geometry.reply()?, corner.reply()?, whole.reply()?);
        let states: Vec<Atom> = states.reply()?.value32().map(Iterator::collect).unwrap_or_default();
        let stretched = [
            atoms._NET_WM_STATE_FULLSCREEN,
            atoms._NET_WM_STATE_HIDDEN,
            atoms._NET_WM_STATE_MAXIMIZED_HORZ,
            atoms._NET_WM_STATE_MAXIMIZED_VERT,
        ];
        // Left, right, top, bottom.
        let title = frame.reply()?.value32().and_then(|mut sides| sides.nth(2)).unwrap_or(0);
        Ok(Some(Place {
            corner: [corner.dst_x.into(), corner.dst_y.into()],
            size: [geometry.width.into(), geometry.height.into()],
            title: title.min(1024) as i32,
            desktop: [whole.width.into(), whole.height.into()],
            is_stretched: states.iter().any(|state| stretched.contains(state)),
        }))
    }
}

/// The window of this process, at most a few frames below the root.
fn own_window(connection: &RustConnection, root: Window) -> Answer<Option<Window>> {
    let mut level = vec![root];
    for _ in 0..Desktop::DEPTH {
        let trees: Vec<_> = level.iter().map(|window| connection.query_tree(*window)).collect::<Result<_, _>>()?;
        // A window may be gone by now.
        level = trees.into_iter().filter_map(|tree| tree.reply().ok()).flat_map(|tree| tree.children).collect();
        let class =
            |window: &Window| connection.get_property(false, *window, AtomEnum::WM_CLASS, AtomEnum::STRING, 0, 64);
        let classes: Vec<_> = level.iter().map(class).collect::<Result<_, _>>()?;
        for (window, class) in level.iter().zip(classes) {
            // Instance and class, each ended by a zero.
            let named = |words: Vec<u8>| words.split(|byte| *byte == 0).any(|word| word == Desktop::CLASS.as_bytes());
            if class.reply().is_ok_and(|class| named(class.value)) && is_own(connection, *window)? {
                return Ok(Some(*window));
            }
        }
    }
    Ok(None)
}

/// Whether a window is of this process.
fn is_own(connection: &RustConnection, window: Window) -> Answer<bool> {
    let spec = ClientIdSpec { client: window, mask: ClientIdMask::LOCAL_CLIENT_PID };
    let ids = connection.res_query_client_ids(&[spec])?.reply()?.ids;
    Ok(ids.iter().any(|id| id.value.first() == Some(&process::id())))
}
