//! Cycles against cost, as SVG: every run a dot, the Pareto front a line with numbers, and beside the chart a
//! list of the values that these stand for.

use super::front::{Dot, front};
use comet_chart::{Area, Axis, COLOURS, Drawn, svg};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const CHART: (u32, u32) = (640, 480);
/// What axes have more at their ends than dots reach.
const MARGIN: f64 = 0.1;
/// The height of a line of the list beside the chart, and the width of a character, about.
const LINE: i32 = 18;
const CHARACTER: usize = 7;
const FRONT: RGBColor = COLOURS[4];
const OTHERS: RGBColor = COLOURS[5];

#[derive(Debug)]
pub(crate) struct Picture<'a> {
    pub(crate) title: &'a str,
    /// The names of the axes whose values stand at the front.
    pub(crate) names: &'a [&'a str],
    /// What costs are, with their unit.
    pub(crate) cost: &'static str,
    pub(crate) dots: &'a [Dot],
}

const HEADING: &str = "Pareto front";

impl Picture<'_> {
    pub(crate) fn svg(&self) -> String {
        let front = front(self.dots);
        let list: Vec<String> = front.iter().map(|dot| self.label(dot)).collect();
        let widest = list.iter().map(|line| line.chars().count()).max().unwrap_or(0).max(HEADING.len());
        let size = (CHART.0 + ((widest + 6) * CHARACTER) as u32, CHART.1);
        svg(size, |root| {
            let (chart, beside) = root.split_horizontally(CHART.0);
            self.draw_chart(&chart, &front)?;
            draw_list(&beside, &list)
        })
    }

    fn draw_chart(&self, area: &Area<'_>, front: &[Dot]) -> Drawn {
        let axis =
            |number: fn(&Dot) -> u64| Axis::around(self.dots.iter().map(|dot| number(dot) as f64), MARGIN);
        let mut chart = ChartBuilder::on(area)
            .caption(self.title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(axis(|dot| dot.cost), axis(|dot| dot.cycles))?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12))
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 15))
            .x_desc(self.cost)
            .y_desc("cycles")
            .draw()?;
        let others = self.dots.iter().filter(|dot| !front.contains(dot));
        chart.draw_series(others.map(|dot| Circle::new(place(dot), 4, OTHERS.mix(0.5).filled())))?;
        chart.draw_series([PathElement::new(steps(front), FRONT.stroke_width(2))])?;
        chart.draw_series(front.iter().map(|dot| Circle::new(place(dot), 5, FRONT.filled())))?;
        // Below and to the left of the front there are no dots.
        let style = ("sans-serif", 13).into_text_style(area).pos(Pos::new(HPos::Right, VPos::Top));
        chart.draw_series(front.iter().enumerate().map(|(number, dot)| {
            EmptyElement::at(place(dot)) + Text::new((number + 1).to_string(), (-5, 4), style.clone())
        }))?;
        Ok(())
    }

    /// `o=i,k,j n=2`, of the axes whose values differ.
    fn label(&self, dot: &Dot) -> String {
        let differs = |axis: usize| self.dots.iter().any(|other| other.point[axis] != dot.point[axis]);
        let shown = (0..self.names.len()).filter(|axis| differs(*axis));
        let value = |axis: usize| format!("{}={}", self.names[axis], dot.point[axis].replace(", ", ","));
        shown.map(value).collect::<Vec<_>>().join(" ")
    }
}

/// As many lines as there is room for.
fn draw_list(area: &Area<'_>, list: &[String]) -> Drawn {
    let heading = ("sans-serif", 14).into_text_style(area);
    let style = ("sans-serif", 13).into_text_style(area);
    area.draw_text(HEADING, &heading, (4, 40))?;
    let room = (CHART.1 as i32 - 80) / LINE;
    for (place, line) in (1..=room).zip(list) {
        let is_cut = place == room && list.len() > room as usize;
        let line = if is_cut { "…".to_owned() } else { format!("{place}  {line}") };
        area.draw_text(&line, &style, (4, 46 + LINE * place))?;
    }
    Ok(())
}

fn place(dot: &Dot) -> (f64, f64) {
    (dot.cost as f64, dot.cycles as f64)
}

/// From each dot to the right, then down to the next one.
fn steps(front: &[Dot]) -> Vec<(f64, f64)> {
    let corners = front.windows(2).flat_map(|pair| {
        let (from, to) = (place(&pair[0]), place(&pair[1]));
        [from, (to.0, from.1)]
    });
    corners.chain(front.last().map(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(point: [&str; 2], cost: u64, cycles: u64) -> Dot {
        Dot { point: point.map(str::to_owned).to_vec(), cycles, cost }
    }

    /// Labels leave out what all runs have in common.
    #[test]
    fn the_front_is_a_line_with_labels() {
        let dots = [dot(["i, j", "1"], 10, 500), dot(["j, i", "1"], 20, 100), dot(["j, i", "1"], 30, 400)];
        let picture = Picture { title: "a.ta", names: &["o", "n"], cost: "blocks", dots: &dots };
        assert_eq!(steps(&front(&dots)), [(10.0, 500.0), (20.0, 500.0), (20.0, 100.0)]);
        let svg = picture.svg();
        for text in ["1  o=i,j", "2  o=j,i", "a.ta", "blocks", "cycles"] {
            assert!(svg.contains(text), "{text} is missing in {svg}");
        }
        assert!(!svg.contains("n=1"));
        assert_eq!(svg.matches("<circle").count(), 3);
    }
}
