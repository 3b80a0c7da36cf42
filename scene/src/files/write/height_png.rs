//! Writes heights as colours of a picture.

use std::io::Write;

use super::error::WriteError;
use super::png::write_picture;
use super::raster::Raster;
use crate::files::picture_heights::HeightEncoding;

impl Raster {
    /// Writes the values in metres as colours, one pixel per cell. Nodata cells are transparent.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, a height is not in the range of the encoding, or the writer fails.
    pub fn write_height_png(&self, encoding: HeightEncoding, out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let (steps, lowest) = encoding.scale();
        let mut pixels = Vec::with_capacity(4 * self.values.as_slice().len());
        for (cell, &metres) in self.values.iter() {
            let number = ((f64::from(metres) - lowest) * steps).round();
            if number.is_nan() {
                pixels.extend([0; 4]);
            } else if (0.0..f64::from(1 << 24)).contains(&number) {
                let [_, red, green, blue] = (number as u32).to_be_bytes();
                pixels.extend([red, green, blue, u8::MAX]);
            } else {
                let (cell, name) = (self.top_left + cell, encoding.name());
                let highest = lowest + f64::from((1 << 24) - 1) / steps;
                return Err(WriteError::Encode(format!(
                    "{} is {metres} at {},{}: {name} holds {lowest} to {highest} m",
                    self.layer, cell.x, cell.y
                )));
            }
        }
        let side = |cells: usize| u32::try_from(cells).map_err(|_| WriteError::Encode(format!("{cells} cells a side")));
        write_picture(out, side(self.values.width())?, side(self.values.height())?, &pixels, None)
    }
}

#[cfg(test)]
mod tests {
    use glam::IVec2;

    use super::*;
    use crate::files::provenance::Provenance;
    use farsight::grid::Grid;

    #[test]
    fn colours_are_those_of_the_published_formulas() {
        let heights = Grid::from_vec(3, 1, vec![1234.5, -0.25, f32::NAN]).unwrap();
        let mut raster = Raster::new("elevation", heights, IVec2::ZERO, IVec2::ZERO, Provenance::default());
        let pixels = |raster: &Raster, encoding| {
            let mut bytes = Vec::new();
            raster.write_height_png(encoding, &mut bytes).unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            pixels
        };
        // 34002.5 m and 32767.75 m over -32768 m.
        let expected = [132, 210, 128, 255, 127, 255, 192, 255, 0, 0, 0, 0];
        assert_eq!(pixels(&raster, HeightEncoding::Terrarium), expected);
        // 112345 and 99998 (rounded from 99997.5) tenths of a metre over -10000 m.
        let expected = [1, 182, 217, 255, 1, 134, 158, 255, 0, 0, 0, 0];
        assert_eq!(pixels(&raster, HeightEncoding::TerrainRgb), expected);
        raster.values = Grid::new(1, 1, -10_001.0);
        let error = raster.write_height_png(HeightEncoding::TerrainRgb, Vec::new()).unwrap_err().to_string();
        assert!(error.contains("elevation is -10001 at 0,0: terrain-rgb holds -10000 to 1667721.5 m"), "{error}");
    }
}
