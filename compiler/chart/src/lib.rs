//! What charts have in common: axes whose ticks people read, numbers in few digits, colours.

mod axis;
mod quantity;

pub use axis::{Axis, Scale};
pub use quantity::quantity;

use plotters::style::RGBColor;

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
