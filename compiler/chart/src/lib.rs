//! What charts have in common: axes whose ticks people read, numbers in few digits, colours.

mod axis;
mod quantity;

pub use axis::{Axis, AxisScale};
pub use quantity::quantity;

use plotters::coord::Shift;
use plotters::prelude::*;

/// What drawing on memory comes to: it does not fail.
pub type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// A picture of a size in pixels, as SVG.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Returns what is drawn on white, as SVG.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = area.fill(&WHITE).and_then(|()| draw(&area)).and_then(|()| area.present());
        debug_assert!(drawn.is_ok(), "text can always be written");
    }
    text
}

/// Colours that all eyes can distinguish (Okabe and Ito 2008).
pub const COLOURS: [RGBColor; 8] = [
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xf0, 0xe4, 0x42),
    RGBColor(0x99, 0x99, 0x99),
];
