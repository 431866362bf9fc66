//! A picture of a matrix's pattern.
//!
//! A matrix of at most 1024 rows and columns has a square of pixels for each position, a larger one several
//! positions for each pixel, on both sides as many. White is without entries; the fullest pixel is black,
//! and others are as dark as the square root of their share of its entries says, but never lighter than
//! [`LIGHTEST`], so that a single entry is seen.

use crate::failure::{Failure, Result};
use comet_runtime::CoordinateTensor;

/// The length of the picture's longer side at most.
const SIDE: u64 = 1024;
/// The grey of a pixel with few entries; 255 is white.
const LIGHTEST: f64 = 191.0;

pub(crate) fn png(matrix: &CoordinateTensor) -> Result<Vec<u8>> {
    let [rows, columns] = matrix.dims[..] else {
        let message = format!("`--spy` draws matrices, found a tensor of rank {}", matrix.rank());
        let hint = "leave `--spy` out";
        return Err(Failure::hinted(message, hint));
    };
    let raster = Raster::of(rows.unsigned_abs(), columns.unsigned_abs());
    encode(&raster, &raster.shades(&matrix.coords[0], &matrix.coords[1])).map_err(Failure::internal)
}

fn encode(raster: &Raster, shades: &[u8]) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, raster.width() as u32, raster.height() as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(shades)?;
    writer.finish()?;
    Ok(bytes)
}

/// How positions become pixels: indices fall into cells, and a cell is a square of pixels.
struct Raster {
    down: Axis,
    across: Axis,
    /// The side of a cell in pixels.
    zoom: usize,
}

struct Axis {
    extent: u64,
    cells: usize,
}

impl Axis {
    fn cell(&self, index: i64) -> usize {
        (u128::from(index.unsigned_abs()) * self.cells as u128 / u128::from(self.extent)) as usize
    }
}

impl Raster {
    fn of(rows: u64, columns: u64) -> Self {
        let longest = rows.max(columns).max(1);
        // A picture has one pixel at least, also of a matrix without rows.
        let axis = |extent: u64| {
            let shrunk = (u128::from(extent) * u128::from(SIDE)).div_ceil(u128::from(longest));
            let cells = if longest <= SIDE { extent } else { shrunk as u64 };
            Axis { extent, cells: cells.max(1) as usize }
        };
        Self { down: axis(rows), across: axis(columns), zoom: (SIDE / longest).max(1) as usize }
    }

    fn width(&self) -> usize {
        self.across.cells * self.zoom
    }

    fn height(&self) -> usize {
        self.down.cells * self.zoom
    }

    /// The grey of each pixel, row by row.
    fn shades(&self, rows: &[i64], columns: &[i64]) -> Vec<u8> {
        let mut counts = vec![0u64; self.down.cells * self.across.cells];
        for (&row, &column) in rows.iter().zip(columns) {
            counts[self.down.cell(row) * self.across.cells + self.across.cell(column)] += 1;
        }
        let fullest = counts.iter().copied().max().unwrap_or(0);
        let shade = |down: usize, across: usize| {
            let count = counts[down / self.zoom * self.across.cells + across / self.zoom];
            if count == 0 { 255 } else { (LIGHTEST * (1.0 - (count as f64 / fullest as f64).sqrt())) as u8 }
        };
        let row = |down: usize| (0..self.width()).map(move |across| shade(down, across));
        (0..self.height()).flat_map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use comet_runtime::values::ValueColumn;

    fn matrix(dims: &[i64], rows: Vec<i64>, columns: Vec<i64>) -> CoordinateTensor {
        let values = ValueColumn::F64(vec![1.5; rows.len()]);
        CoordinateTensor { dims: dims.to_vec(), coords: vec![rows, columns], values }
    }

    /// Width, height and pixels.
    fn drawn(matrix: &CoordinateTensor) -> (u32, u32, Vec<u8>) {
        let bytes = png(matrix).expect("a matrix is drawn");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("it is small")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        (info.width, info.height, pixels)
    }

    #[test]
    fn positions_of_a_small_matrix_are_squares() {
        let (width, height, pixels) = drawn(&matrix(&[2, 3], vec![0, 1], vec![2, 0]));
        assert_eq!((width, height), (1023, 682));
        let pixel = |down: usize, across: usize| pixels[down * 1023 + across];
        assert_eq!([pixel(0, 681), pixel(0, 682), pixel(340, 1022), pixel(341, 1022)], [255, 0, 0, 255]);
        assert_eq!([pixel(341, 0), pixel(681, 340), pixel(681, 341)], [0, 0, 255]);
    }

    #[test]
    fn pixels_of_a_large_matrix_show_how_full_they_are() {
        // Four entries in the first pixel, one in the last.
        let (width, height, pixels) =
            drawn(&matrix(&[2048, 100], vec![0, 0, 1, 1, 2047], vec![0, 1, 0, 1, 99]));
        assert_eq!((width, height), (50, 1024));
        assert_eq!((pixels[0], pixels[1], pixels[50 * 1024 - 1]), (0, 255, 95));
    }

    #[test]
    fn a_matrix_without_rows_is_one_white_row() {
        let (width, height, pixels) = drawn(&matrix(&[0, 4], vec![], vec![]));
        assert_eq!((width, height), (1024, 256));
        assert!(pixels.iter().all(|&pixel| pixel == 255));
    }
}
