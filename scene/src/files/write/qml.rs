//! [`qml_style`]: a QGIS style for a raster.

use std::fmt::Write;

use crate::paint::ramp_colours;
use crate::preset::Ramp;

/// The colours of a style.
const STEPS: usize = 16;

/// Returns a QGIS style (`.qml`) for values from 0 to `high`, in the colours of a ramp; 0 is transparent. QGIS applies
/// it to a raster of the same name.
///
/// # References
/// QGIS, *The QML style file format* (user guide, B. Appendices).
pub(super) fn qml_style(ramp: Ramp, high: f32) -> String {
    let high = if high > 0.0 { f64::from(high) } else { 1.0 };
    let mut items = String::from("<item value=\"0\" label=\"0\" color=\"#000000\" alpha=\"0\"/>\n");
    for (i, [red, green, blue]) in ramp_colours(ramp, STEPS).into_iter().enumerate() {
        // The first colour starts just above 0.
        let value = high * (i as f64 / (STEPS - 1) as f64).max(1e-6);
        let label = high * i as f64 / (STEPS - 1) as f64;
        let _ = writeln!(
            items,
            "<item value=\"{value}\" label=\"{label:.1}\" color=\"#{red:02x}{green:02x}{blue:02x}\" alpha=\"255\"/>"
        );
    }
    let ends = format!("minimumValue=\"0\" maximumValue=\"{high}\"");
    format!(
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n\
         <qgis version=\"3.0\" styleCategories=\"Symbology\">\n<pipe>\n\
         <rasterrenderer type=\"singlebandpseudocolor\" band=\"1\" opacity=\"1\" alphaBand=\"-1\" \
         classificationMin=\"0\" classificationMax=\"{high}\">\n<rastershader>\n\
         <colorrampshader colorRampType=\"INTERPOLATED\" classificationMode=\"1\" clip=\"0\" {ends}>\n{items}\
         </colorrampshader>\n</rastershader>\n</rasterrenderer>\n</pipe>\n</qgis>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_rise_from_transparent_zero_to_the_greatest() {
        let style = qml_style(Ramp::Viridis, 8.0);
        let values: Vec<f64> = style
            .split("<item value=\"")
            .skip(1)
            .map(|item| item.split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!((values.len(), values[0], values[16]), (17, 0.0, 8.0));
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
        assert!(style.contains("color=\"#440154\" alpha=\"255\"") && style.contains("color=\"#fee825\""), "{style}");
    }
}
