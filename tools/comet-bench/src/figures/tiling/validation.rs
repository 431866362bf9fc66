//! Figure 5: predicted and measured traffic, by the shape of tiles.

use super::shapes::{FACTORS, Point, Shapes};
use crate::figures::Shown;
use crate::figures::chart::{Chart, Scale, Style};
use crate::setting::Outcome;

/// Predictions are near up to here (section 5.3).
const NEAR: f64 = 0.15;
/// Shapes whose traffic is nearer to each other than this count as the same.
const SAME: f64 = 0.02;
/// So many matrices with the largest errors have their traffic drawn.
const OUTLIERS: usize = 3;

pub(super) fn show(shapes: &[Shapes]) -> Outcome<Vec<Shown>> {
    let near = |points: &[Point]| points.iter().filter(|point| point.error().abs() <= NEAR).count();
    let count: usize = shapes.iter().map(|shapes| near(&shapes.own)).sum();
    let all = shapes.len() * FACTORS.len();
    let orders: Vec<Orders> = shapes.iter().map(|shapes| Orders::of(&shapes.own)).collect();
    let (right, pairs): (usize, usize) =
        (orders.iter().map(|orders| orders.right).sum(), orders.iter().map(|orders| orders.pairs).sum());
    let outliers = outliers(shapes);
    let holds = 2 * count > all && 10 * right >= 9 * pairs;
    let here = format!(
        "{count} of {all} predictions are within 15 %, on average {}; which of two shapes moves less is predicted right for \
         {right} of {pairs} pairs that differ by more than 2 %. A·R: {}; A·A'ᵀ, A' shifted by a column: {}. Worst for A·Aᵀ: {}",
        errors(shapes.iter().map(|shapes| &shapes.own)),
        errors(shapes.iter().map(|shapes| &shapes.random)),
        errors(shapes.iter().map(|shapes| &shapes.shifted)),
        outliers.iter().map(|shapes| worst(shapes)).collect::<Vec<_>>().join(", "),
    );
    let found = "within 15 % for most matrices; the outliers are underestimated, but shapes come in the right order; A·R and \
        A·A'ᵀ within 2.9 to 9.7 % on average and 18 % at worst";
    let errors = Shown { number: "d2t2-5", chart: error_chart(shapes), found, holds, here };
    let here = outliers.iter().map(|shapes| Orders::of(&shapes.own).told(&shapes.name)).collect::<Vec<_>>();
    let holds = outliers.iter().map(|shapes| Orders::of(&shapes.own)).all(|orders| orders.hold());
    let traffic = Shown {
        number: "d2t2-5-traffic",
        chart: traffic_chart(&outliers),
        found: "where errors are largest, predictions are too low, but rise and fall with what is measured",
        holds,
        here: here.join("; "),
    };
    Ok(vec![errors, traffic])
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

    fn hold(&self) -> bool {
        10 * self.right >= 9 * self.pairs
    }

    fn told(&self, name: &str) -> String {
        format!("{name}: {} of {} pairs in the right order", self.right, self.pairs)
    }
}

/// The mean and the largest error.
fn errors<'a>(all: impl Iterator<Item = &'a Vec<Point>>) -> String {
    let errors: Vec<f64> = all.flatten().map(|point| point.error().abs()).collect();
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    let largest = errors.iter().copied().fold(0.0, f64::max);
    format!("{:.1} % and {:.1} % at worst", 100.0 * mean, 100.0 * largest)
}

fn largest_error(shapes: &Shapes) -> f64 {
    shapes
        .own
        .iter()
        .map(|point| point.error())
        .fold(0.0, |one, other| if one.abs() < other.abs() { other } else { one })
}

fn worst(shapes: &Shapes) -> String {
    format!("{} {:+.1} %", shapes.name, 100.0 * largest_error(shapes))
}

fn outliers(shapes: &[Shapes]) -> Vec<&Shapes> {
    let mut all: Vec<&Shapes> = shapes.iter().collect();
    all.sort_by(|one, other| largest_error(other).abs().total_cmp(&largest_error(one).abs()));
    all.truncate(OUTLIERS);
    all
}

fn error_chart(shapes: &[Shapes]) -> Chart {
    let series = shapes
        .iter()
        .map(|shapes| (shapes.name.clone(), shapes.own.iter().map(|point| 100.0 * point.error()).collect()));
    Chart {
        style: Style::Curves(Scale::Linear),
        title: "A·Aᵀ in the order i, k, j: error of the predicted traffic".to_owned(),
        of: "RF",
        measure: "predicted over measured traffic, % more",
        categories: FACTORS.iter().map(|(name, _)| (*name).to_owned()).collect(),
        series: series.collect(),
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
        style: Style::Curves(Scale::Logarithmic),
        title: "A·Aᵀ in the order i, k, j: traffic where errors are largest".to_owned(),
        of: "RF",
        measure: "MB",
        categories: FACTORS.iter().map(|(name, _)| (*name).to_owned()).collect(),
        series: series.collect(),
    }
}
