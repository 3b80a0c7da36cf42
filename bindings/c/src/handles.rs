//! The objects behind the handles.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, RwLock};

use farsight::{FieldOfView, Grid, OpacityMap};
use farsight_bindings::scene::NamedScene;

use crate::border::{CallError, FarsightStatus, guard};

/// A map, a sight, a ground or a scene; 0 is none. A handle is used by any number of threads, and closed by one of them: the calls that
/// run end as they would. The number of a closed handle is never used again.
pub type FarsightHandle = u64;

/// Metres over the sea, and the cell size in metres.
pub(crate) struct Heights {
    pub(crate) ground: Grid<f32>,
    pub(crate) cell_size: (f64, f64),
}

#[derive(Clone)]
pub(crate) enum Object {
    Map(Arc<RwLock<OpacityMap>>),
    Sight(Arc<Mutex<FieldOfView>>),
    Ground(Arc<Heights>),
    Scene(Arc<Mutex<NamedScene>>),
}

static OBJECTS: LazyLock<RwLock<HashMap<FarsightHandle, Object>>> = LazyLock::new(RwLock::default);
static LAST_HANDLE: AtomicU64 = AtomicU64::new(0);

/// Returns a new handle to an object.
pub(crate) fn open(object: Object) -> FarsightHandle {
    let handle = LAST_HANDLE.fetch_add(1, Ordering::Relaxed) + 1;
    OBJECTS.write().unwrap_or_else(PoisonError::into_inner).insert(handle, object);
    handle
}

/// Returns the object of a handle.
pub(crate) fn object(handle: FarsightHandle, name: &str) -> Result<Object, CallError> {
    let object = OBJECTS.read().unwrap_or_else(PoisonError::into_inner).get(&handle).cloned();
    object.ok_or_else(|| no_handle(handle, name, "an open handle"))
}

/// Returns the error for a handle of an unexpected kind.
pub(crate) fn no_handle(handle: FarsightHandle, name: &str, expected: &str) -> CallError {
    CallError::new(FarsightStatus::NoHandle, format!("{name}: {handle} is not valid: expected {expected}"))
}

macro_rules! objects {
    ($($function:ident: $kind:ident($type:ty), $words:literal;)*) => {
        $(pub(crate) fn $function(handle: FarsightHandle) -> Result<Arc<$type>, CallError> {
            let name = stringify!($function);
            match object(handle, name)? {
                Object::$kind(object) => Ok(object),
                _ => Err(no_handle(handle, name, $words)),
            }
        })*
    };
}

objects! {
    map: Map(RwLock<OpacityMap>), "a handle of farsight_map_new";
    sight: Sight(Mutex<FieldOfView>), "a handle of farsight_sight_new";
    ground: Ground(Heights), "a handle of farsight_ground_new";
    scene: Scene(Mutex<NamedScene>), "a handle of farsight_scene_new";
}

/// Locks an object for a call, unless an earlier call has left it inconsistent.
pub(crate) fn lock<T>(object: &Mutex<T>) -> Result<MutexGuard<'_, T>, CallError> {
    object.lock().map_err(|_| after_panic())
}

/// Returns the error for an object left inconsistent by a panic.
pub(crate) fn after_panic() -> CallError {
    CallError::new(FarsightStatus::Panic, "an earlier call with this handle failed by a fault in farsight: close it")
}

/// Closes a handle. 0 is accepted.
#[unsafe(no_mangle)]
pub extern "C" fn farsight_close(handle: FarsightHandle) -> FarsightStatus {
    guard(|| {
        let closed = OBJECTS.write().unwrap_or_else(PoisonError::into_inner).remove(&handle);
        match closed {
            None if handle != 0 => Err(no_handle(handle, "handle", "an open handle, or 0")),
            _ => Ok(()),
        }
    })
}
