//! Figure 5: predicted and measured traffic, by the shape of tiles.

use super::shapes::{FACTORS, Point, Shapes};
use crate::figures::Shown;
use crate::figures::chart::{Chart, Style};
use crate::setting::Outcome;
use comet_chart::AxisScale;

/// Predictions are near up to here (section 5.3).
const NEAR: f64 = 0.15;
/// Shapes whose traffic is nearer to each other than this count as the same.
const SAME: f64 = 0.02;
/// So many matrices with the largest errors have their traffic drawn.
const OUTLIERS: usize = 3;

pub(super) fn show(shapes: &[Shapes]) -> Outcome<Vec<Shown>> {
    let mut outliers: Vec<&Shapes> = shapes.iter().collect();
    outliers.sort_by(|one, other| largest_error(other).abs().total_cmp(&largest_error(one).abs()));
    outliers.truncate(OUTLIERS);
    Ok(vec![errors(shapes, &outliers), traffic(&outliers)])
}

/// Figure 5a.
fn errors(shapes: &[Shapes], outliers: &[&Shapes]) -> Shown {
    let own = shapes.iter().flat_map(|shapes| &shapes.own);
    let (near, all) = (near(own.copied()), shapes.len() * FACTORS.len());
    let orders = Orders::sum(shapes.iter().map(|shapes| Orders::of(&shapes.own)));
    let worst = |shapes: &&Shapes| format!("{} {:+.1} %", shapes.name, 100.0 * largest_error(shapes));
    let here = format!(
        "{near} of {all} predictions are within 15 %, the error is {}; {}. A·R: {}; A·A'ᵀ, A' shifted by a column: {}. Largest \
         for A·Aᵀ: {}. {}",
        size(shapes.iter().map(|shapes| &shapes.own)),
        orders.description(),
        size(shapes.iter().map(|shapes| &shapes.random)),
        size(shapes.iter().map(|shapes| &shapes.shifted)),
        outliers.iter().map(worst).collect::<Vec<_>>().join(", "),
        by_paper(shapes),
    );
    let found = "within 15 % for most matrices; outliers are underestimated, but shapes come in the right order; A·R and A·A'ᵀ \
        within 2.9 to 9.7 % on average and 18 % at worst";
    let holds = 2 * near > all && orders.hold();
    Shown { number: "d2t2-5", chart: error_chart(shapes), found, holds, here }
}

/// How right the paper's own equations are on the same tiles.
fn by_paper(shapes: &[Shapes]) -> String {
    let of = |points: &[Point]| points.iter().map(|point| point.of_paper()).collect::<Vec<_>>();
    let described = |name: &str, of_shapes: &dyn Fn(&Shapes) -> Vec<Point>| {
        let all: Vec<Vec<Point>> = shapes.iter().map(of_shapes).collect();
        let near = near(all.iter().flatten().copied());
        format!("{name} {near} within 15 %, {}", size(all.iter()))
    };
    let orders = Orders::sum(shapes.iter().map(|shapes| Orders::of(&of(&shapes.own))));
    format!(
        "The paper's equations: {}, {}; {}; {}",
        described("A·Aᵀ", &|shapes| of(&shapes.own)),
        orders.description(),
        described("A·R", &|shapes| of(&shapes.random)),
        described("A·A'ᵀ", &|shapes| of(&shapes.shifted))
    )
}

fn near(points: impl Iterator<Item = Point>) -> usize {
    points.filter(|point| point.error().abs() <= NEAR).count()
}

/// Figures 5b to 5d.
fn traffic(outliers: &[&Shapes]) -> Shown {
    let described = |shapes: &&Shapes| format!("{}: {}", shapes.name, Orders::of(&shapes.own).description());
    Shown {
        number: "d2t2-5-traffic",
        chart: traffic_chart(outliers),
        found: "where errors are largest, predictions are too low, but rise and fall with what is measured",
        holds: outliers.iter().all(|shapes| Orders::of(&shapes.own).hold()),
        here: outliers.iter().map(described).collect::<Vec<_>>().join("; "),
    }
}

/// How many pairs of shapes differ, and of how many of these it is predicted which moves less.
struct Orders {
    right: usize,
    pairs: usize,
}

impl Orders {
    fn of(points: &[Point]) -> Self {
        let mut orders = Self { right: 0, pairs: 0 };
        for (place, one) in points.iter().enumerate() {
            for other in &points[place + 1..] {
                let ratio = one.measured / other.measured;
                if ratio.max(ratio.recip()) > 1.0 + SAME {
                    orders.pairs += 1;
                    orders.right += usize::from((one.predicted > other.predicted) == (ratio > 1.0));
                }
            }
        }
        orders
    }

    fn sum(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self { right: 0, pairs: 0 }, |all, own| Self {
            right: all.right + own.right,
            pairs: all.pairs + own.pairs,
        })
    }

    /// Nine of ten are right.
    fn hold(&self) -> bool {
        10 * self.right >= 9 * self.pairs
    }

    fn description(&self) -> String {
        let Self { right, pairs } = self;
        format!(
            "of {pairs} pairs of shapes that differ by more than 2 % it is predicted for {right} which moves less"
        )
    }
}

/// The mean and the largest error.
fn size<'a>(all: impl Iterator<Item = &'a Vec<Point>>) -> String {
    let errors: Vec<f64> = all.flatten().map(|point| point.error().abs()).collect();
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    let largest = errors.iter().copied().fold(0.0, f64::max);
    format!("{:.1} % on average and {:.1} % at worst", 100.0 * mean, 100.0 * largest)
}

fn largest_error(shapes: &Shapes) -> f64 {
    shapes
        .own
        .iter()
        .map(|point| point.error())
        .fold(0.0, |one, other| if one.abs() < other.abs() { other } else { one })
}

fn error_chart(shapes: &[Shapes]) -> Chart {
    let series = shapes
        .iter()
        .map(|shapes| (shapes.name.clone(), shapes.own.iter().map(|point| 100.0 * point.error()).collect()));
    Chart {
        style: Style::Curves(AxisScale::Linear),
        title: "A·Aᵀ in the order i, k, j: error of the predicted traffic".to_owned(),
        of: "RF",
        measure: "predicted over measured traffic, % more",
        categories: FACTORS.iter().map(|(name, _)| (*name).to_owned()).collect(),
        series: series.collect(),
        references: Vec::new(),
    }
}

fn traffic_chart(outliers: &[&Shapes]) -> Chart {
    let series = outliers.iter().flat_map(|shapes| {
        let of = |bytes: fn(&Point) -> f64| shapes.own.iter().map(|point| bytes(point) / 1e6).collect();
        [
            (format!("{}, predicted", shapes.name), of(|point| point.predicted)),
            (format!("{}, measured", shapes.name), of(|point| point.measured)),
        ]
    });
    Chart {
        style: Style::Curves(AxisScale::Logarithmic),
        title: "A·Aᵀ in the order i, k, j: traffic where errors are largest".to_owned(),
        of: "RF",
        measure: "MB",
        categories: FACTORS.iter().map(|(name, _)| (*name).to_owned()).collect(),
        series: series.collect(),
        references: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only pairs that differ count, and errors have no influence as long as the order is right.
    #[test]
    fn orders_are_counted() {
        let point = |predicted, measured| Point { predicted, by_paper: 0.0, measured };
        let orders = Orders::of(&[point(50.0, 100.0), point(60.0, 101.0), point(55.0, 200.0)]);
        assert_eq!((orders.right, orders.pairs), (1, 2));
    }
}
