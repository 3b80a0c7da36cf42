//! [`SightOptions`]: the configuration of a field of view as an object of JavaScript.

use farsight::SightConfig;
use farsight::sight::{Decay, Method, MethodKind, Sector};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Numbers and names, whose types `ts/options.ts` has checked.
    pub type SightOptions;

    #[wasm_bindgen(method, getter)]
    fn radius(this: &SightOptions) -> u32;
    #[wasm_bindgen(method, getter)]
    fn shape(this: &SightOptions) -> String;
    #[wasm_bindgen(method, getter)]
    fn path(this: &SightOptions) -> String;
    #[wasm_bindgen(method, getter)]
    fn method(this: &SightOptions) -> String;
    #[wasm_bindgen(method, getter)]
    fn weights(this: &SightOptions) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn beams(this: &SightOptions) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn samples(this: &SightOptions) -> Option<u32>;
    #[wasm_bindgen(method, getter, js_name = wallAt)]
    fn wall_at(this: &SightOptions) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn rays(this: &SightOptions) -> Option<u32>;
    #[wasm_bindgen(method, getter)]
    fn repair(this: &SightOptions) -> Option<bool>;
    #[wasm_bindgen(method, getter)]
    fn decay(this: &SightOptions) -> String;
    #[wasm_bindgen(method, getter)]
    fn reach(this: &SightOptions) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn half(this: &SightOptions) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn near(this: &SightOptions) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn points(this: &SightOptions) -> Option<Vec<f64>>;
    #[wasm_bindgen(method, getter)]
    fn facing(this: &SightOptions) -> f64;
    #[wasm_bindgen(method, getter)]
    fn span(this: &SightOptions) -> f64;
}

impl SightOptions {
    /// Returns the configuration, whose numbers `FieldOfView::new` checks.
    pub(crate) fn config(&self) -> Result<SightConfig, JsError> {
        Ok(SightConfig::default()
            .with_radius(self.radius())
            .with_shape(self.shape().parse()?)
            .with_path(self.path().parse()?)
            .with_method(self.whole_method()?)
            .with_decay(self.whole_decay()?)
            .with_sector(Sector::new(self.facing(), self.span())))
    }

    fn whole_method(&self) -> Result<Method, JsError> {
        let wall_at = self.wall_at().unwrap_or(Method::DEFAULT_WALL_AT);
        let kind: MethodKind = self.method().parse()?;
        Ok(match kind {
            MethodKind::TwoParent => {
                Method::TwoParent { weights: self.weights().map_or(Ok(Default::default()), |name| name.parse())? }
            }
            MethodKind::Beam => Method::Beam { beams: self.beams().unwrap_or(Method::DEFAULT_BEAMS) },
            MethodKind::Exact => Method::Exact { samples: self.samples().unwrap_or(Method::DEFAULT_SAMPLES) },
            MethodKind::SymmetricShadowcast => Method::SymmetricShadowcast { wall_at },
            MethodKind::Shadowcast => Method::Shadowcast { wall_at },
            MethodKind::RaycastBorder => Method::RaycastBorder { wall_at, repair: self.repair().unwrap_or(true) },
            MethodKind::RaycastCircle => {
                Method::RaycastCircle { wall_at, rays: self.rays().unwrap_or(Method::DEFAULT_RAYS) }
            }
            _ => kind.into(),
        })
    }

    fn whole_decay(&self) -> Result<Decay, JsError> {
        let (reach, half) = (self.reach(), self.half());
        Ok(match &*self.decay() {
            "none" => Decay::None,
            "linear" => Decay::Linear { reach },
            "smooth" => Decay::Smooth { reach },
            "inverse-square" => Decay::InverseSquare { half },
            "exponential" => Decay::Exponential { half },
            "lamp" => Decay::Lamp { reach, half },
            "fuzzy" => Decay::Fuzzy { near: self.near().unwrap_or(0.0), half },
            "points" => {
                let points = self.points().unwrap_or_default();
                Decay::Points(points.chunks_exact(2).map(|point| [point[0], point[1]]).collect())
            }
            name => {
                return Err(JsError::new(&format!(
                    "decay: \"{name}\" is not known: expected none, linear, smooth, inverse-square, exponential, lamp, fuzzy or points"
                )));
            }
        })
    }
}
