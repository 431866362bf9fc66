//! Axes whose ticks are numbers that people read: 1, 2, 5, 10 and so on.

use crate::quantity;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// More ticks than that are not wanted on an axis.
const MOST_TICKS: usize = 9;

/// Whether equal steps are equal differences or equal ratios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    Linear,
    Logarithmic,
}

/// What an axis reaches, from where to where.
#[derive(Clone, Debug)]
pub struct Axis {
    range: Range<f64>,
    scale: AxisScale,
}

impl Axis {
    /// Equal differences.
    pub fn linear(range: Range<f64>) -> Self {
        let end = if range.end > range.start { range.end } else { range.start + 1.0 };
        Self { range: range.start..end, scale: AxisScale::Linear }
    }

    /// Equal ratios, of numbers above 0.
    pub fn logarithmic(range: Range<f64>) -> Self {
        let start = range.start.max(f64::MIN_POSITIVE);
        let end = if range.end > start { range.end } else { start * 10.0 };
        Self { range: start..end, scale: AxisScale::Logarithmic }
    }

    /// Around the numbers above 0, with a margin at both ends, which is a part of what they reach. Ratios are
    /// equal where the largest number is five times the least or more.
    pub fn around(numbers: impl IntoIterator<Item = f64>, margin: f64) -> Self {
        let positive = numbers.into_iter().filter(|number| *number > 0.0);
        let range = positive.fold(None, |range: Option<(f64, f64)>, number| {
            let (least, largest) = range.unwrap_or((number, number));
            Some((least.min(number), largest.max(number)))
        });
        let Some((least, largest)) = range else { return Self::linear(0.0..1.0) };
        if largest >= 5.0 * least {
            let more = (largest / least).powf(margin);
            Self::logarithmic(least / more..largest * more)
        } else {
            let more = margin * (largest - least).max(largest / 4.0);
            Self::linear((least - more).max(0.0)..largest + more)
        }
    }

    /// How far along the axis a number is: 0 at its start, 1 at its end.
    fn share(&self, number: f64) -> f64 {
        let Range { start, end } = self.range;
        match self.scale {
            AxisScale::Linear => (number - start) / (end - start),
            AxisScale::Logarithmic => (number.max(f64::MIN_POSITIVE) / start).ln() / (end / start).ln(),
        }
    }

    /// The numbers at ticks, no more than `most`.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let most = most.clamp(2, MOST_TICKS);
        match self.scale {
            AxisScale::Linear => self.steps(most),
            AxisScale::Logarithmic => self.decades(most),
        }
    }

    fn steps(&self, most: usize) -> Vec<f64> {
        let Range { start, end } = self.range;
        let least = 10f64.powf(((end - start) / most as f64).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * least);
        let step = steps.into_iter().find(|step| (end - start) / step <= most as f64).unwrap_or(end - start);
        let places = (start / step - 1e-9).ceil() as i64..=(end / step + 1e-9).floor() as i64;
        places.map(|place| place as f64 * step).collect()
    }

    /// Some of each decade where it has room, otherwise each second, third and so on; steps where the axis is
    /// too short for that.
    fn decades(&self, most: usize) -> Vec<f64> {
        let multiples: [&[f64]; 3] = [&[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
        let Some(found) =
            multiples.iter().map(|factors| self.multiples(factors, 1)).find(|ticks| ticks.len() <= most)
        else {
            return (2..)
                .map(|decades| self.multiples(&[1.0], decades))
                .find(|ticks| ticks.len() <= most)
                .unwrap_or_default();
        };
        if found.len() >= 3 { found } else { self.steps(most) }
    }

    /// The multiples of each so many powers of ten that are on the axis.
    fn multiples(&self, factors: &[f64], decades: usize) -> Vec<f64> {
        let Range { start, end } = self.range;
        let exponents = (start.log10().floor() as i32..=end.log10().ceil() as i32)
            .filter(|exponent| exponent.rem_euclid(decades as i32) == 0);
        let all =
            exponents.flat_map(|exponent| factors.iter().map(move |factor| factor * 10f64.powi(exponent)));
        all.filter(|number| (start * (1.0 - 1e-9)..=end * (1.0 + 1e-9)).contains(number)).collect()
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, number: &f64, limit: (i32, i32)) -> i32 {
        limit.0 + (self.share(*number) * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Between the ticks with numbers there are no others.
        self.ticks(hint.bold_points())
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, number: &f64) -> String {
        quantity(*number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(axis: &Axis) -> Vec<String> {
        axis.ticks(8).into_iter().map(quantity).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(shown(&Axis::linear(0.0..100.0)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(
            shown(&Axis::linear(11.3..12.9)),
            ["11.4", "11.6", "11.8", "12", "12.2", "12.4", "12.6", "12.8"]
        );
        assert_eq!(shown(&Axis::logarithmic(1.0..100.0)), ["1", "2", "5", "10", "20", "50", "100"]);
        assert_eq!(
            shown(&Axis::logarithmic(8.0..2500.0)),
            ["10", "20", "50", "100", "200", "500", "1k", "2k"]
        );
        assert_eq!(shown(&Axis::logarithmic(9e4..5e7)), ["100k", "300k", "1M", "3M", "10M", "30M"]);
        assert_eq!(
            shown(&Axis::logarithmic(1.0..1e15)),
            ["1", "100", "10k", "1M", "100M", "10G", "1T", "100T"]
        );
        assert_eq!(
            shown(&Axis::logarithmic(210.0..340.0)),
            ["220", "240", "260", "280", "300", "320", "340"]
        );
    }

    /// Neither nothing nor one number is no range.
    #[test]
    fn axes_around_numbers() {
        assert_eq!(Axis::around([], 0.1).range, 0.0..1.0);
        assert_eq!(Axis::around([8.0], 0.5).range, 7.0..9.0);
        assert_eq!(Axis::around([10.0, 1000.0], 0.5).range, 1.0..10_000.0);
    }
}
