//! What is around a chart: its title, axes with units, and on the right of it the names of the series.

use super::mark::{Mark, colour};
use comet_chart::Axis;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::path::Path;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Drawn = Result<(), Box<dyn Error>>;
pub(super) type Context<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

/// The height of a line of names, and the width of a character, about.
const LINE: i32 = 22;
const CHARACTER: usize = 7;

/// What stands in front of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key {
    /// A full bar in the colour of a series.
    Bar(usize),
    /// The outline of one.
    Outline(usize),
    Line(usize),
    Dot(Mark),
}

/// A frame for one chart.
pub(super) struct Frame<'c> {
    /// Of the chart, without the names beside it.
    pub(super) size: (u32, u32),
    pub(super) title: &'c str,
    pub(super) keys: Vec<(String, Key)>,
}

impl Frame<'_> {
    /// Draws a chart into the frame, and both to a file.
    pub(super) fn draw(&self, path: &Path, chart: impl FnOnce(&Area<'_>) -> Drawn) -> Drawn {
        let (width, height) = self.size;
        let widest = self.keys.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let beside = if self.keys.len() > 1 { 56 + widest * CHARACTER } else { 0 };
        let root = SVGBackend::new(path, (width + beside as u32, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let (left, right) = root.split_horizontally(width);
        let title = ("sans-serif", 17).into_text_style(&root).pos(Pos::new(HPos::Left, VPos::Top));
        root.draw_text(self.title, &title, (14, 10))?;
        chart(&left.margin(34, 0, 0, 0))?;
        if beside > 0 {
            self.draw_keys(&right)?;
        }
        root.present()?;
        Ok(())
    }

    fn draw_keys(&self, area: &Area<'_>) -> Drawn {
        let style = ("sans-serif", 14).into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
        for (place, (name, key)) in (0..).zip(&self.keys) {
            let down = 58 + LINE * place;
            key.draw(area, down)?;
            area.draw_text(name, &style, (42, down))?;
        }
        Ok(())
    }
}

impl Key {
    fn draw(self, area: &Area<'_>, down: i32) -> Drawn {
        let line = |number| PathElement::new(vec![(6, down), (36, down)], colour(number).stroke_width(2));
        match self {
            Self::Bar(number) => {
                area.draw(&Rectangle::new([(12, down - 7), (30, down + 6)], colour(number).filled()))?;
            }
            Self::Outline(number) => {
                area.draw(&Rectangle::new([(12, down - 7), (30, down + 6)], colour(number).stroke_width(2)))?;
            }
            Self::Line(number) => {
                area.draw(&line(number))?;
                Mark::full(number).draw(area, (21, down))?;
            }
            Self::Dot(mark) => mark.draw(area, (21, down))?,
        }
        Ok(())
    }
}

/// Axes around a chart, with lines at the ticks of the numbers.
pub(super) fn axes<'a, 'b>(
    area: &'a Area<'b>,
    across: Axis,
    up: Axis,
    names: Names<'_>,
) -> Result<Context<'a, 'b>, Box<dyn Error>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(10).margin_right(18).y_label_area_size(72).x_label_area_size(names.room());
    let mut chart = builder.build_cartesian_2d(across, up)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT).bold_line_style(BLACK.mix(0.12));
    mesh.label_style(("sans-serif", 14)).axis_desc_style(("sans-serif", 15)).y_desc(names.up);
    match names.categories {
        None => mesh.x_desc(names.across).draw()?,
        Some(_) => mesh.disable_x_mesh().disable_x_axis().draw()?,
    }
    if let Some((categories, first)) = names.categories {
        names.draw_categories(area, &chart, categories, first)?;
    }
    Ok(chart)
}

/// What stands at axes.
pub(super) struct Names<'n> {
    pub(super) across: &'n str,
    pub(super) up: &'n str,
    /// Names in place of numbers, and where the first one is; the others are 1 apart.
    pub(super) categories: Option<(&'n [String], f64)>,
}

impl Names<'_> {
    /// Below the chart.
    fn room(&self) -> u32 {
        match self.categories {
            Some((categories, _)) if is_turned(categories) => 44 + (widest(categories) * CHARACTER) as u32,
            _ => 48,
        }
    }

    /// Each in the middle below what it is of.
    fn draw_categories(
        &self,
        area: &Area<'_>,
        chart: &Context<'_, '_>,
        names: &[String],
        first: f64,
    ) -> Drawn {
        let bottom = chart.plotting_area().get_pixel_range().1.end;
        let base = area.get_base_pixel();
        let font = ("sans-serif", 14).into_font();
        let style = match is_turned(names) {
            true => font
                .transform(FontTransform::Rotate90)
                .into_text_style(area)
                .pos(Pos::new(HPos::Left, VPos::Center)),
            false => font.into_text_style(area).pos(Pos::new(HPos::Center, VPos::Top)),
        };
        let left = chart.plotting_area().get_pixel_range().0;
        let up = chart.as_coord_spec().get_y_range().start;
        for (place, name) in names.iter().enumerate() {
            let (across, _) = chart.backend_coord(&(first + place as f64, up));
            area.draw_text(name, &style, (across - base.0, bottom - base.1 + 8))?;
        }
        area.draw(&PathElement::new(
            vec![(left.start - base.0, bottom - base.1), (left.end - base.0, bottom - base.1)],
            BLACK,
        ))?;
        let middle = (left.start + left.end) / 2 - base.0;
        let style = ("sans-serif", 15).into_text_style(area).pos(Pos::new(HPos::Center, VPos::Bottom));
        area.draw_text(self.across, &style, (middle, area.dim_in_pixel().1 as i32 - 8))?;
        Ok(())
    }
}

fn is_turned(names: &[String]) -> bool {
    names.len() * (widest(names) + 2) * CHARACTER > 560
}

fn widest(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0)
}

/// Where points are in the pixels of the area around a chart.
pub(super) fn pixel(area: &Area<'_>, chart: &Context<'_, '_>, point: (f64, f64)) -> (i32, i32) {
    let (base, place) = (area.get_base_pixel(), chart.backend_coord(&point));
    (place.0 - base.0, place.1 - base.1)
}
