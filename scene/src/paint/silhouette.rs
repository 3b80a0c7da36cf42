//! Silhouettes of the shipped species, as vector shapes for the discs of creatures.

use std::sync::LazyLock;

use glam::{Vec2, vec2};

use super::shape::Path;
use crate::creatures::Species;

/// The shape of an animal around (0, 0), at most 8.5 pixels from it.
#[derive(Debug, PartialEq)]
pub(crate) struct Silhouette {
    pub(crate) body: Path,
    /// Cut-outs, such as faces and stripes, which show the ground.
    pub(crate) cuts: Path,
    /// Details on the cut-outs, such as eyes.
    pub(crate) details: Path,
}

/// Returns the silhouette of a shipped species with its own glyph.
pub(crate) fn of(species: &Species) -> Option<&'static Silhouette> {
    static ALL: LazyLock<Vec<Silhouette>> = LazyLock::new(|| {
        let silhouette = |shape: &Shape| {
            let [body, cuts, details] = [shape.body, shape.cuts, shape.details].map(path);
            Silhouette { body, cuts, details }
        };
        SHAPES.iter().map(silhouette).collect()
    });
    let shipped = Species::named(species.name).filter(|shipped| shipped.glyph == species.glyph)?;
    ALL.get(SHAPES.iter().position(|shape| shape.name == shipped.name)?)
}

/// Reads a path of absolute commands as in SVG: `M x y`, `L x y`, `Q x y x y`, `C x y x y x y`, each once or repeated, `Z`;
/// and `O x y rx ry`, an ellipse. Numbers are separated by spaces.
fn path(text: &str) -> Path {
    let mut path = Path::default();
    let mut command = "";
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.peek() {
        if word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            command = word;
            words.next();
            if command == "Z" {
                path.close();
            }
            continue;
        }
        let mut point = || -> Vec2 {
            let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(f32::NAN);
            vec2(number(), number())
        };
        match command {
            "M" => path.move_to(point()),
            "L" => path.line_to(point()),
            "Q" => path.quad_to(point(), point()),
            "C" => path.curve_to(point(), point(), point()),
            "O" => path.ellipse(point(), point()),
            _ => unreachable!("no command {command:?}"),
        };
    }
    path
}

/// A silhouette as text, see [`path`].
struct Shape {
    name: &'static str,
    body: &'static str,
    cuts: &'static str,
    details: &'static str,
}

/// Overlapping contours of a path have the same orientation: clockwise, as ellipses.
#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    Shape {
        name: "deer",
        body: "M -1.78 0.7 Q 0 -0.15 1.78 0.7 Q 2.43 1.26 2.53 2.1 Q 3.93 0.7 5.71 0.88 Q 5.43 3.32 2.72 3.69 Q \
            2.25 5.75 1.69 7.25 Q 1.4 8.75 0 8.75 Q -1.4 8.75 -1.69 7.25 Q -2.25 5.75 -2.72 3.69 Q -5.43 3.32 \
            -5.71 0.88 Q -3.93 0.7 -2.53 2.1 Q -2.43 1.26 -1.78 0.7 Z M 0.66 0.68 L 1.57 -0.92 L 3.85 -1.98 L \
            4.14 -3.41 L 3.75 -6.14 Q 4.06 -6.98 4.68 -6.33 L 5.41 -3.44 L 4.77 -1.12 L 2.37 0.06 L 1.78 1.28 Z \
            M 1.42 -0.31 L 1.03 -2.08 L 1.36 -4.03 Q 1.85 -4.66 2.2 -3.94 L 2.15 -2.14 L 2.52 -0.55 Z M 4.4 -3.2 \
            L 5.78 -3.63 L 6.44 -5.07 Q 7.08 -5.55 7.23 -4.77 L 6.58 -2.84 L 4.78 -2.14 Z M -1.78 1.28 L -2.37 \
            0.06 L -4.77 -1.12 L -5.41 -3.44 L -4.68 -6.33 Q -4.06 -6.98 -3.75 -6.14 L -4.14 -3.41 L -3.85 -1.98 \
            L -1.57 -0.92 L -0.66 0.68 Z M -2.52 -0.55 L -2.15 -2.14 L -2.2 -3.94 Q -1.85 -4.66 -1.36 -4.03 L \
            -1.03 -2.08 L -1.42 -0.31 Z M -4.78 -2.14 L -6.58 -2.84 L -7.23 -4.77 Q -7.08 -5.55 -6.44 -5.07 L \
            -5.78 -3.63 L -4.4 -3.2 Z",
        cuts: "M -1.78 3.13 Q -0.94 2.94 -0.84 4.07 Q -1.69 4.25 -1.78 3.13 Z M 1.78 3.13 Q 1.69 4.25 0.84 4.07 Q \
            0.94 2.94 1.78 3.13 Z",
        details: "",
    },
    Shape {
        name: "wolf",
        body: "M 5.54 -6.74 Q 6.23 -6.39 5.71 -5.71 L 2.8 -3.05 Q 2.63 -2.28 3.74 -0.73 Q 4.08 0.98 3.23 2.87 L \
            3.05 6.3 L 4.17 6.65 L 4.17 7.33 L 1.34 7.33 L 0.82 4.24 Q 0.22 5.44 -0.12 5.96 L 0.4 6.56 L 0.4 \
            7.33 L -2.86 7.33 Q -5.27 7.85 -6.47 5.62 Q -6.98 4.41 -6.72 2.7 Q -5.95 4.93 -4.06 4.41 Q -3.89 \
            2.36 -2.69 0.64 Q -1.83 -0.9 -1.49 -2.28 Q -1.32 -2.96 -0.98 -3.39 L -2.78 -5.02 L 0.22 -4.93 Q 2.11 \
            -5.36 3.48 -6.22 Q 4.68 -6.99 5.54 -6.74 Z",
        cuts: "",
        details: "",
    },
    Shape {
        name: "bear",
        body: "M -8.01 2.39 Q -8.61 -2.41 -6.01 -4.51 Q -4.41 -5.81 -1.41 -5.51 Q 0.39 -6.51 1.99 -6.11 Q 2.69 \
            -6.21 3.19 -6.51 Q 3.29 -7.61 4.19 -7.51 Q 4.89 -7.31 4.89 -6.31 Q 6.19 -5.61 6.49 -4.51 L 7.79 \
            -3.71 Q 8.09 -2.61 7.19 -2.11 Q 5.99 -1.61 4.79 -1.71 Q 4.59 -0.41 3.99 0.59 L 4.19 4.19 L 4.99 4.69 \
            L 4.99 5.29 L 1.79 5.29 L 1.19 1.79 Q -1.01 2.59 -3.01 1.99 L -3.41 4.19 L -2.61 4.69 L -2.61 5.29 L \
            -6.81 5.29 Z",
        cuts: "",
        details: "",
    },
    Shape {
        name: "goat",
        body: "M -6.13 -2.43 L -6.89 -3.48 L -5.94 -3.38 Q -5.18 -2.91 -4.42 -2.81 L 1.67 -2.62 Q 3 -3.19 3.38 \
            -4.53 L 3.57 -5.48 Q 3.19 -7 1.48 -7.09 Q -0.23 -7 -1.19 -5.1 Q -1.28 -7.38 0.34 -8.33 Q 2.62 -9.19 \
            4.52 -6.81 Q 5.66 -6.71 6.04 -5.86 L 7.76 -4.05 Q 7.95 -3.38 7.28 -3.19 L 6.71 -3.19 L 6.52 -1.1 L \
            5.76 -2.81 L 5.28 -2.91 Q 5.09 -1.1 4.52 0.23 L 4.43 2.7 L 4.52 6.51 L 3.38 6.51 L 3.1 3.08 L 2.62 \
            1.94 L 2.14 3.08 L 2.05 6.51 L 1 6.51 L 1 2.04 Q -1 2.51 -2.71 1.94 L -2.99 3.08 L -2.71 6.51 L \
            -3.75 6.51 L -4.23 3.27 L -4.8 3.66 L -4.8 6.51 L -5.85 6.51 L -5.94 3.08 L -5.56 1.56 Q -6.23 -0.15 \
            -6.13 -2.43 Z",
        cuts: "",
        details: "",
    },
    Shape {
        name: "lion",
        body: "M 0 -7.1 Q 2.73 -9.31 3.84 -5.97 Q 7.33 -6.35 6.46 -2.95 Q 9.6 -1.38 7.03 1.01 Q 8.82 4.03 5.37 4.65 \
            Q 5.24 8.16 2 6.81 Q 0 9.7 -2 6.81 Q -5.24 8.16 -5.37 4.65 Q -8.82 4.03 -7.03 1.01 Q -9.6 -1.38 \
            -6.46 -2.95 Q -7.33 -6.35 -3.84 -5.97 Q -2.73 -9.31 0 -7.1 Z",
        cuts: "M -3.6 -3.4 Q 0 -5.6 3.6 -3.4 Q 5 -0.6 3.5 2.4 Q 2.7 5.4 0 5.6 Q -2.7 5.4 -3.5 2.4 Q -5 -0.6 -3.6 \
            -3.4 Z",
        details: "O -1.9 -1.1 0.85 0.85 O 1.9 -1.1 0.85 0.85 M -1.5 1.2 L 1.5 1.2 L 0.4 2.7 L 0.4 3.4 L 2 3.8 L 1.7 \
            4.6 L 0 4.2 L -1.7 4.6 L -2 3.8 L -0.4 3.4 L -0.4 2.7 Z",
    },
    Shape {
        name: "zebra",
        body: "M -5.47 6.83 Q -5.67 -1.32 -0.82 -5.98 L -1.01 -8.69 Q 0.93 -8.3 1.71 -6.94 Q 4.03 -6.75 5.2 -4.42 L \
            8.3 0.43 Q 9.08 2.37 7.52 3.24 Q 6.17 3.82 5 2.56 L 3.26 0.81 Q 2.29 0.81 2.29 1.78 Q 2.48 4.31 3.94 \
            6.83 Z",
        cuts: "M -3.63 3.53 L -3.34 1.88 L 2.58 4.5 L 3.16 6.25 Z M -2.85 0.23 L -2.08 -1.32 L 2.29 1.59 L 2.29 \
            3.14 Z M -1.4 -2.58 L -0.23 -3.94 L 2.97 -0.74 L 2.48 0.52 Z M 0.93 -5.39 L 2 -6.46 L 3.65 -4.23 L \
            2.87 -3.26 Z M 4.42 -4.04 L 5.39 -3.26 L 6.36 -1.71 L 4.42 -0.74 L 3.84 -1.9 Z",
        details: "",
    },
    Shape {
        name: "tiger",
        body: "M -7.33 -4.03 Q -7.13 -6.61 -4.56 -6.01 L -2.97 -5.22 Q 0 -6.41 2.97 -5.22 L 4.56 -6.01 Q 7.13 -6.61 \
            7.33 -4.03 Q 7.13 -3.04 6.34 -2.25 Q 7.33 -0.07 6.94 1.72 L 7.53 3.9 L 5.94 4.29 Q 4.95 6.87 2.38 \
            8.25 Q 0 9.25 -2.38 8.25 Q -4.95 6.87 -5.94 4.29 L -7.53 3.9 L -6.94 1.72 Q -7.33 -0.07 -6.34 -2.25 \
            Q -7.13 -3.04 -7.33 -4.03 Z",
        cuts: "M -4.95 -2.74 Q -3.37 -4.43 0 -4.62 Q 3.37 -4.43 4.95 -2.74 Q 5.94 -0.27 5.55 1.72 L 6.04 3.2 L 4.85 \
            3.5 Q 3.86 6.08 1.88 7.16 Q 0 7.96 -1.88 7.16 Q -3.86 6.08 -4.85 3.5 L -6.04 3.2 L -5.55 1.72 Q \
            -5.94 -0.27 -4.95 -2.74 Z",
        details: "M -0.89 -5.22 L 0.89 -5.22 L 0.4 -1.65 L -0.4 -1.65 Z M -3.96 -4.23 L -2.38 -4.92 L -1.68 -2.15 Z M \
            3.96 -4.23 L 1.68 -2.15 L 2.38 -4.92 Z O -2.38 0.23 1.09 0.99 O 2.38 0.23 1.09 0.99 M -6.44 0.82 L \
            -3.37 2.9 L -6.24 3.5 Z M 6.44 0.82 L 6.24 3.5 L 3.37 2.9 Z M -5.15 4.49 L -2.77 5.08 L -3.96 6.87 Z \
            M 5.15 4.49 L 3.96 6.87 L 2.77 5.08 Z M -1.78 2.71 L 1.78 2.71 L 0.5 4.49 L 0.5 6.27 L -0.5 6.27 L \
            -0.5 4.49 Z",
    },
    Shape {
        name: "monkey",
        body: "O 0 0.13 5.6 6.2 O -6.2 -0.07 2.2 2.5 O 6.2 -0.07 2.2 2.5 O 0 3.93 4.4 4",
        cuts: "M 0 -2.07 Q 2.2 -4.07 4.1 -1.57 Q 4.7 0.33 3.1 1.93 Q 4.3 3.93 2.7 5.73 Q 0 7.83 -2.7 5.73 Q -4.3 \
            3.93 -3.1 1.93 Q -4.7 0.33 -4.1 -1.57 Q -2.2 -4.07 0 -2.07 Z O -6.4 -0.07 1 1.3 O 6.4 -0.07 1 1.3",
        details: "O -1.7 -0.27 0.85 1 O 1.7 -0.27 0.85 1 M -2.2 3.73 Q 0 4.73 2.2 3.73 Q 1.6 5.53 0 5.53 Q -1.6 5.53 \
            -2.2 3.73 Z",
    },
    Shape {
        name: "camel",
        body: "M -7.01 3.11 Q -7.52 0.69 -6.31 -1.38 Q -5.8 -2.07 -4.93 -2.25 Q -4.24 -5.01 -3.2 -5.19 Q -2.16 \
            -5.01 -1.65 -2.77 Q -0.95 -4.93 0.08 -5.01 Q 1.12 -4.84 1.64 -2.07 Q 2.68 -1.38 3.2 -2.42 Q 3.63 \
            -3.63 3.46 -5.36 Q 3.54 -6.74 4.58 -6.83 L 5.1 -7 L 5.18 -6.57 L 6.48 -5.88 Q 6.65 -5.19 6.05 -4.93 \
            L 4.84 -4.93 Q 5.01 -2.07 3.89 -0.34 Q 3.02 0.69 2.33 1.04 L 2.25 3.11 L 2.59 5.97 L 1.47 5.97 L \
            1.12 3.11 L 0.78 1.56 L 0.26 3.11 L 0.17 5.97 L -0.87 5.97 L -0.87 1.38 L -3.2 1.21 L -3.81 3.11 L \
            -3.55 5.97 L -4.67 5.97 L -4.93 3.29 L -5.45 3.63 L -5.36 5.97 L -6.4 5.97 L -6.31 2.25 Q -6.49 1.04 \
            -6.4 1.04 Z",
        cuts: "",
        details: "",
    },
    Shape {
        name: "heron",
        body: "M -1.87 -6.58 Q -0.71 -7.65 0.84 -7.26 Q 1.8 -6.87 2.19 -6.2 L 7.41 -4.65 L 2.19 -4.75 Q 1.9 -4.07 \
            1.13 -3.39 Q 0.25 -2.43 1.22 -1.65 Q 3.16 -0.3 2.96 1.64 Q 2.58 3.18 0.84 3.57 L 0.74 7.44 L 1.8 \
            7.63 L 1.8 8.31 L -0.52 8.31 L -0.52 3.67 L -1.39 3.57 L -1.49 7.44 L -0.81 7.63 L -0.81 8.31 L \
            -2.74 8.31 L -2.65 3.38 Q -4.58 3.18 -7.48 4.54 Q -5.55 0.67 -2.26 -0.68 Q -0.71 -1.27 -0.91 -2.23 Q \
            -1 -3.2 -0.42 -3.97 Q 0.45 -4.84 0.06 -5.42 Q -0.91 -6 -4 -5.52 Z",
        cuts: "",
        details: "",
    },
    Shape {
        name: "seal",
        body: "M -7.25 4.9 Q -7.07 3.28 -5.45 2.74 Q -3.11 1.67 -1.14 -1.39 Q 0.48 -3.73 1.74 -5.35 Q 2.82 -6.78 \
            4.44 -6.6 Q 5.69 -6.42 6.05 -5.35 L 7.31 -4.81 Q 7.4 -4 6.59 -3.73 Q 5.51 -3.37 5.24 -2.47 Q 4.98 \
            0.05 3.9 1.84 L 5.87 3.82 Q 6.05 4.63 4.98 4.72 L 2.46 4 Q 0.3 4.9 -3.29 4.54 L -5.09 4.72 Q -6.17 \
            5.71 -7.25 4.9 Z M -5.09 3.01 Q -6.71 2.56 -7.34 1.31 Q -5.81 0.95 -4.19 2.38 Z",
        cuts: "O 4.8 -5.17 0.45 0.45",
        details: "",
    },
    Shape {
        name: "ship",
        body: "M -7.62 3.01 L 7.38 3.01 Q 6.58 6.01 4.98 6.61 L -4.82 6.61 Q -6.82 5.81 -7.62 3.01 Z M -0.12 -8.39 \
            L 0.68 -8.39 L 0.68 3.41 L -0.12 3.41 Z M -0.92 -7.19 L -0.92 1.81 L -6.62 1.81 Q -2.42 -1.79 -0.92 \
            -7.19 Z M 1.38 -5.99 Q 5.58 -2.99 6.38 1.81 L 1.38 1.81 Q 2.38 -1.99 1.38 -5.99 Z",
        cuts: "",
        details: "",
    },
    Shape {
        name: "penguin",
        body: "M -0.1 -8.48 Q 1.9 -8.48 2.5 -6.88 L 4.5 -6.18 L 2.5 -5.38 Q 2.5 -4.48 3.1 -3.48 Q 5.1 -0.88 5.5 \
            2.72 L 4 1.32 Q 4.1 4.32 2.7 6.12 L 3.9 6.92 L 3.9 7.52 L -3.9 7.52 L -3.9 6.92 L -2.9 6.12 Q -4.5 \
            4.12 -4.3 1.32 L -5.7 2.92 Q -5.5 -1.08 -3.3 -3.48 Q -2.5 -4.48 -2.6 -5.68 Q -2.5 -8.28 -0.1 -8.48 Z",
        cuts: "M 0.1 -3.98 Q 2.4 -3.28 2.8 0.32 Q 3.1 3.72 1.5 5.72 Q -0.3 6.52 -1.5 5.52 Q -2.9 2.72 -2.1 -0.88 Q \
            -1.4 -3.28 0.1 -3.98 Z O 0.6 -6.68 0.5 0.5",
        details: "",
    },
    Shape {
        name: "rat",
        body: "M 8.2 2 Q 8.3 2.8 7.3 3.2 Q 5.9 3.7 4.5 3.5 L 5.3 4.4 L 5.1 5 L 3.1 5 L 2.7 4 L -1.1 4.2 L -0.5 5 L \
            -3.1 5 Q -5.1 5 -5.3 3.8 Q -7.1 4.6 -7.9 3.2 Q -8.8 0.8 -7.3 -1.4 Q -6.1 -3.2 -6.6 -5.4 L -5.8 -5.8 \
            Q -4.9 -3.2 -6.3 -1 Q -7.5 1.2 -6.9 2.6 Q -6.4 3.2 -5.5 2.6 Q -5.7 -0.2 -3.5 -1.8 Q -1.3 -3.2 1.5 \
            -2.2 Q 2.5 -2 3.1 -1.7 Q 2.3 -3.4 3.5 -4.1 Q 4.9 -4.5 5.4 -3.1 Q 5.6 -2.1 4.9 -1 Q 6.7 0.2 8.2 2 Z",
        cuts: "O 5.9 0.8 0.5 0.5",
        details: "",
    },
    Shape {
        name: "goblin",
        body: "M -4.18 -1.04 Q -3.23 -5.41 0 -5.41 Q 3.23 -5.41 4.18 -1.04 L 8.17 -3.13 Q 7.6 1.81 4.47 3.14 Q 4.18 \
            5.99 2.28 7.89 Q 0 9.61 -2.28 7.89 Q -4.18 5.99 -4.47 3.14 Q -7.6 1.81 -8.17 -3.13 Z",
        cuts: "M -3.61 -0.94 L -0.95 0.77 Q -1.33 2.57 -2.57 2.19 Q -3.71 1.62 -3.61 -0.94 Z M 3.61 -0.94 Q 3.71 \
            1.62 2.57 2.19 Q 1.33 2.57 0.95 0.77 Z M -2.85 4.47 Q 0 5.99 2.85 4.47 Q 2.09 6.94 0 6.94 Q -2.09 \
            6.94 -2.85 4.47 Z",
        details: "",
    },
    Shape {
        name: "ghost",
        body: "M -5.6 6.45 L -5.6 -2.15 Q -5.4 -8.55 0 -8.55 Q 5.4 -8.55 5.6 -2.15 L 5.6 6.45 Q 4.2 7.05 3.8 5.05 Q \
            2.9 4.25 2.4 5.85 Q 1.8 7.65 0.6 6.85 L 0 5.05 L -0.6 6.85 Q -1.8 7.65 -2.4 5.85 Q -2.9 4.25 -3.8 \
            5.05 Q -4.2 7.05 -5.6 6.45 Z",
        cuts: "O -2 -2.95 1.1 1.6 O 2 -2.95 1.1 1.6 O 0 1.25 1 1.3",
        details: "",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_species_has_a_silhouette_of_its_own() {
        let all: Vec<&Silhouette> = Species::all().iter().map(|species| of(species).expect(species.name)).collect();
        for (i, silhouette) in all.iter().enumerate() {
            assert!(!all[..i].contains(silhouette), "{}", Species::all()[i].name);
        }
        assert_eq!(SHAPES.len(), all.len());
    }

    #[test]
    fn all_numbers_are_read() {
        for Shape { name, body, cuts, details } in SHAPES {
            for text in [body, cuts, details] {
                let is_valid = |word: &str| "MLQCOZ".contains(word) || word.parse().is_ok_and(f32::is_finite);
                assert!(text.split_ascii_whitespace().all(is_valid), "{name}");
            }
        }
        let mut triangle = Path::default();
        triangle.polygon(&[vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(0.0, 3.5)]);
        assert_eq!(path("M 0 0 L 4 0 0 3.5 Z"), triangle);
    }
}
