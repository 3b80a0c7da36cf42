//! [`Legend`]: the colours of a raster; [`qml_style`]: a QGIS style for it.

use std::fmt::Write;

use crate::paint::ramp_colours;
use crate::preset::Ramp;

/// The colours of a style.
const STEPS: usize = 16;

/// The colours of a raster: a ramp from 0 to `high`, with a transparent 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// The colours.
    pub ramp: Ramp,
    /// The value of the last colour.
    pub high: f32,
    /// The values with a colour of their own.
    pub steps: LegendSteps,
}

/// The values of a [`Legend`] with a colour of their own.
#[derive(Clone, Debug, PartialEq)]
pub enum LegendSteps {
    /// Colours blend from 0 to the last.
    Continuous,
    /// Whole numbers.
    Counts,
    /// Classes of whole numbers.
    Classes {
        /// The name of the numbers below the first class, and that of each class.
        names: Vec<String>,
        /// The first number of each, ascending from at least 1.
        starts: Vec<u16>,
    },
}

/// An entry of a style: the colour of a value, or of values up to it.
struct StyleItem {
    value: String,
    label: String,
    /// `None` is transparent.
    colour: Option<[u8; 3]>,
}

/// Returns a QGIS style (`.qml`) for the values of a legend; 0 is transparent. QGIS applies it to a raster of the same name.
///
/// # References
/// QGIS, *The QML style file format* (user guide, B. Appendices).
pub(super) fn qml_style(legend: &Legend) -> String {
    let high = if legend.high > 0.0 { f64::from(legend.high) } else { 1.0 };
    // A discrete ramp has the colour of an entry up to its value.
    let kind = if matches!(legend.steps, LegendSteps::Classes { .. }) { "DISCRETE" } else { "INTERPOLATED" };
    let mut items = String::new();
    for StyleItem { value, label, colour } in style_items(legend, high) {
        let ([red, green, blue], alpha) = colour.map_or(([0; 3], 0), |colour| (colour, 255));
        let _ = writeln!(
            items,
            "<item value=\"{value}\" label=\"{label}\" color=\"#{red:02x}{green:02x}{blue:02x}\" alpha=\"{alpha}\"/>"
        );
    }
    let ends = format!("minimumValue=\"0\" maximumValue=\"{high}\"");
    format!(
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n\
         <qgis version=\"3.0\" styleCategories=\"Symbology\">\n<pipe>\n\
         <rasterrenderer type=\"singlebandpseudocolor\" band=\"1\" opacity=\"1\" alphaBand=\"-1\" \
         classificationMin=\"0\" classificationMax=\"{high}\">\n<rastershader>\n\
         <colorrampshader colorRampType=\"{kind}\" classificationMode=\"1\" clip=\"0\" {ends}>\n{items}\
         </colorrampshader>\n</rastershader>\n</rasterrenderer>\n</pipe>\n</qgis>\n"
    )
}

fn style_items(legend: &Legend, high: f64) -> Vec<StyleItem> {
    let zero = || StyleItem { value: "0".to_owned(), label: "0".to_owned(), colour: None };
    match &legend.steps {
        LegendSteps::Continuous => {
            // The first colour starts just above 0.
            let share = |i: usize| i as f64 / (STEPS - 1) as f64;
            let item = |(i, colour)| StyleItem {
                value: (high * share(i).max(1e-6)).to_string(),
                label: format!("{:.1}", high * share(i)),
                colour: Some(colour),
            };
            [zero()].into_iter().chain(ramp_colours(legend.ramp, STEPS).into_iter().enumerate().map(item)).collect()
        }
        LegendSteps::Counts => {
            let (last, colours) = (high as usize, ramp_colours(legend.ramp, high as usize + 1));
            // Evenly spaced whole numbers, and the last.
            let step = last.div_ceil(STEPS).max(1);
            let numbers = (1..last).step_by(step).chain([last]);
            let item = |n: usize| StyleItem { value: n.to_string(), label: n.to_string(), colour: Some(colours[n]) };
            [zero()].into_iter().chain(numbers.map(item)).collect()
        }
        LegendSteps::Classes { names, starts } => {
            let colours = ramp_colours(legend.ramp, names.len()).into_iter().enumerate();
            let colours = colours.map(|(i, colour)| (i > 0).then_some(colour));
            let ends = starts.iter().map(|start| (start - 1).to_string()).chain(["inf".to_owned()]);
            let item =
                |((name, value), colour): ((&String, String), _)| StyleItem { value, label: name.clone(), colour };
            names.iter().zip(ends).zip(colours).map(item).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_rise_from_transparent_zero_to_the_greatest() {
        let style = qml_style(&Legend { ramp: Ramp::Viridis, high: 8.0, steps: LegendSteps::Continuous });
        let values: Vec<f64> = style
            .split("<item value=\"")
            .skip(1)
            .map(|item| item.split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!((values.len(), values[0], values[16]), (17, 0.0, 8.0));
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
        assert!(style.contains("color=\"#440154\" alpha=\"255\"") && style.contains("color=\"#fee825\""), "{style}");
    }
    /// Returns the values and labels of a style.
    fn entries(steps: LegendSteps, high: f32) -> Vec<(String, String)> {
        let style = qml_style(&Legend { ramp: Ramp::Viridis, high, steps });
        let attribute = |item: &str, name: &str| {
            let (_, rest) = item.split_once(&format!("{name}=\"")).unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        let items = style.lines().filter(|line| line.starts_with("<item"));
        items.map(|item| (attribute(item, "value"), attribute(item, "label"))).collect()
    }

    #[test]
    fn labels_of_counts_are_whole() {
        let pairs = |numbers: &[u32]| numbers.iter().map(|n| (n.to_string(), n.to_string())).collect::<Vec<_>>();
        assert_eq!(entries(LegendSteps::Counts, 5.0), pairs(&[0, 1, 2, 3, 4, 5]));
        let many = entries(LegendSteps::Counts, 1000.0);
        assert!(many.len() <= STEPS + 2 && many.iter().all(|(value, label)| value == label), "{many:?}");
        assert_eq!((&*many[1].0, &*many.last().unwrap().0), ("1", "1000"));
        assert_eq!(entries(LegendSteps::Counts, 0.0), pairs(&[0, 1]), "nothing is seen");
    }

    #[test]
    fn classes_end_before_the_next() {
        let names = ["0", "1–5", "6–10", "11 or more"].map(str::to_owned).to_vec();
        let found = entries(LegendSteps::Classes { names, starts: vec![1, 6, 11] }, 25.0);
        let found: Vec<(&str, &str)> = found.iter().map(|(value, label)| (&**value, &**label)).collect();
        assert_eq!(found, [("0", "0"), ("5", "1–5"), ("10", "6–10"), ("inf", "11 or more")]);
    }
}
