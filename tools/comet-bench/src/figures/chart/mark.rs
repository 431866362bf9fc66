//! Marks of points: a shape for each series, so that they are distinct without colours, too.

use super::frame::{Area, Drawn};
use comet_chart::COLOURS;
use plotters::prelude::*;

/// A mark by the number of its series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    number: usize,
    look: Look,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Full,
    /// Around a full one, so that both are seen.
    Hollow,
}

/// Shapes: degrees from one corner to the next, and those of the first one.
const SHAPES: [(usize, f64); 6] = [(20, 0.0), (90, 45.0), (120, -90.0), (90, 0.0), (120, 90.0), (60, 0.0)];

impl Mark {
    pub(super) fn full(number: usize) -> Self {
        // Colours come again: the marks of the first ones are full.
        Self { number, look: if number < COLOURS.len() { Look::Full } else { Look::Hollow } }
    }

    pub(super) fn hollow(number: usize) -> Self {
        Self { number, look: Look::Hollow }
    }

    /// At a place in pixels.
    pub(super) fn draw(self, area: &Area<'_>, (across, down): (i32, i32)) -> Drawn {
        let colour = colour(self.number);
        let mut corners: Vec<(i32, i32)> =
            self.corners().into_iter().map(|(x, y)| (across + x, down + y)).collect();
        match self.look {
            Look::Full => area.draw(&Polygon::new(corners, colour.filled()))?,
            Look::Hollow => {
                corners.push(corners[0]);
                area.draw(&PathElement::new(corners, colour.stroke_width(2)))?;
            }
        }
        Ok(())
    }

    /// From the middle.
    fn corners(self) -> Vec<(i32, i32)> {
        let (step, first) = SHAPES[self.number % SHAPES.len()];
        // Where points are the same, the earlier marks are still seen behind the later ones.
        let full = (7 - self.number.min(3)) as f64;
        let radius = match self.look {
            Look::Full => full,
            Look::Hollow => full + 4.0,
        };
        let corner = |angle: usize| {
            let angle = (angle as f64 + first).to_radians();
            ((radius * angle.cos()).round() as i32, (radius * angle.sin()).round() as i32)
        };
        (0..360).step_by(step).map(corner).collect()
    }
}

/// The colour of a series.
pub(super) fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}
