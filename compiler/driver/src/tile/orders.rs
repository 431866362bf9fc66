//! `--orders`: the order of the loops is chosen with the tiles. For each order, tiles are chosen and their
//! traffic is predicted as for the one that the compiler has; the best order of those that can be compiled is
//! what [`super::schemes`] evaluates then. What was looked at is shown by [`super::orders_table`].

use super::json::{measured_bytes, predicted_bytes};
use super::report::CHOSEN;
use super::statement::Tileable;
use crate::failure::{Failure, Result};
use crate::middle::Checked;
use crate::progress::Steps;
use comet_diag::{Diagnostic, Source};
use comet_sema::program::{Command, CommandArgKind};
use comet_tiling::{
    Counting, Machine, Observed, Prediction, Statement, TiledOperands, Tiles, Traffic, Var, measure,
};
use serde_json::{Map, Value, json};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::fmt::Write as _;

/// How many orders are looked at, at most: the one that the compiler has, and those that differ least
/// from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Most(usize);

/// All orders of four loops.
const AUTO: usize = 24;

/// All orders of six loops.
const ALL: usize = 720;

/// Of another order less than this share of the compiler's own must be expected to take it without counting:
/// expectations are a few per cent off.
const SURE: f64 = 0.95;

/// Parses `auto`, `all` and `100`.
pub(crate) fn parse(text: &str) -> std::result::Result<Most, String> {
    match text {
        "auto" => Ok(Most(AUTO)),
        "all" => Ok(Most(ALL)),
        _ => text.parse().ok().filter(|&most| most > 0).map(Most).ok_or_else(|| {
            "expected `auto` for up to 24 orders, `all` for up to 720, or a whole number from 1".to_owned()
        }),
    }
}

/// An order of the loops with the tiles that are chosen in it.
pub(crate) struct EvaluatedOrder {
    order: Vec<Var>,
    pub(crate) names: Vec<String>,
    pub(crate) tiles: Tiles,
    pub(crate) predicted: Prediction,
    /// Of the best and of the compiler's own, if anything is counted.
    pub(crate) measured: Option<Traffic>,
    /// Why it cannot be compiled, if that was tried.
    pub(crate) refused: Option<String>,
}

pub(crate) struct Searched {
    /// The first one is the compiler's own.
    pub(crate) evaluated: Vec<EvaluatedOrder>,
    pub(crate) best: usize,
    pub(crate) left_out: usize,
}

pub(crate) struct OrderSearch<'a> {
    pub(crate) checked: Checked<'a>,
    pub(crate) seed: u64,
    pub(crate) counting: Counting,
    pub(crate) most: Most,
}

impl OrderSearch<'_> {
    /// The statement with its loops in the best order, and what was looked at.
    pub(crate) fn of(&self, own: Tileable, machine: Machine) -> (Tileable, Searched) {
        let orders = nearest(own.statement.variables.len(), self.most.0);
        let left_out = factorial(own.statement.variables.len()).saturating_sub(orders.len());
        let steps = Steps::new(orders.len());
        let evaluate = |order: Vec<Var>| {
            let evaluated = self.evaluate(&own.statement, order, machine);
            steps.end();
            evaluated
        };
        let mut evaluated: Vec<EvaluatedOrder> = orders.into_iter().map(evaluate).collect();
        let mut best = self.best(&own, &mut evaluated);
        let is_better = match self.counting {
            Counting::Done if best != 0 => {
                Self::count(&own.statement, &mut evaluated, best, machine);
                let counted = |place: usize| evaluated[place].measured.as_ref().map(Traffic::total);
                counted(best) < counted(0)
            }
            _ => evaluated[best].predicted.total() < SURE * evaluated[0].predicted.total(),
        };
        if !is_better {
            best = 0;
        }
        (own.in_order(&evaluated[best].order), Searched { evaluated, best, left_out })
    }

    /// Counts what moves in the best order and in the compiler's own.
    fn count(statement: &Statement, evaluated: &mut [EvaluatedOrder], best: usize, machine: Machine) {
        for place in [0, best] {
            let EvaluatedOrder { order, tiles, .. } = &evaluated[place];
            evaluated[place].measured = Some(measure(&statement.in_order(order), tiles, &machine));
        }
    }

    fn evaluate(&self, statement: &Statement, order: Vec<Var>, machine: Machine) -> EvaluatedOrder {
        let other = statement.in_order(&order);
        let cut = TiledOperands::small(&other, &machine);
        let observed = Observed::new(&other, machine, &cut, self.seed);
        let tiles = CHOSEN.choose(&observed);
        let predicted = observed.predict(&tiles);
        let names = other.variables.iter().map(|variable| variable.name.clone()).collect();
        EvaluatedOrder { order, names, tiles, predicted, measured: None, refused: None }
    }

    /// The place of the best order that can be compiled as the compiler's own can.
    fn best(&self, own: &Tileable, evaluated: &mut [EvaluatedOrder]) -> usize {
        let loops = |evaluated: &EvaluatedOrder| (evaluated.names.clone(), evaluated.sizes());
        let ways = OnceCell::new();
        let first = loops(&evaluated[0]);
        best(evaluated, |other| {
            let ways = ways.get_or_init(|| self.checked.ways(own.span, first.clone()));
            self.checked.refusal(own.span, loops(other), ways)
        })
    }
}

/// The place of the order of which least is expected among those that are not refused. The first one, the
/// compiler's own, is not asked for. Those that are better and refused get to know why.
fn best(evaluated: &mut [EvaluatedOrder], refusal: impl Fn(&EvaluatedOrder) -> Option<String>) -> usize {
    let mut places: Vec<usize> = (0..evaluated.len()).collect();
    places.sort_by(|&one, &other| {
        evaluated[one].predicted.total().total_cmp(&evaluated[other].predicted.total())
    });
    for place in places {
        if place == 0 {
            break;
        }
        evaluated[place].refused = refusal(&evaluated[place]);
        if evaluated[place].refused.is_none() {
            return place;
        }
    }
    0
}

impl Tileable {
    /// The same with its loops in another order, of all variables.
    fn in_order(self, order: &[Var]) -> Self {
        let place = |var: &Var| Var(order.iter().position(|other| other == var).expect("an order has all"));
        let places = |vars: &Vec<Var>| vars.iter().map(place).collect::<Vec<_>>();
        let entries = self.entries.into_iter();
        Self {
            statement: self.statement.in_order(order),
            entries: entries.map(|own| own.map(|(list, vars)| (list, places(&vars)))).collect(),
            as_written: self.as_written.iter().map(places).collect(),
            ..self
        }
    }
}

impl EvaluatedOrder {
    fn sizes(&self) -> Vec<(String, u64)> {
        self.names.iter().cloned().zip(self.tiles.0.iter().copied()).collect()
    }

    /// `i: 128, k: 64`
    pub(crate) fn tiles_text(&self) -> String {
        self.tiles.named(self.names.iter().map(String::as_str))
    }
}

/// Refuses schedules with sizes of tiles, whose loops have an order.
pub(crate) fn refuse_sizes(found: &[Tileable], source: &Source, flag: &str) -> Result<()> {
    let is_sized = |command: &&Command| {
        let mut kinds = command.args.iter().map(|argument| &argument.kind);
        command.name.name == "tile" && kinds.any(|kind| matches!(kind, CommandArgKind::Sized(..)))
    };
    let Some(command) = found.iter().flat_map(|own| &own.commands).find(is_sized) else { return Ok(()) };
    let message =
        format!("found sizes of tiles in a schedule, expected none with `{flag}`, which chooses them");
    let error = Diagnostic::error(command.span, message).hint(format!("leave the `tile` out, or `{flag}`"));
    Err(Failure::in_source(vec![error], source))
}

/// Orders of so many loops, at most so many: the first one is that of the numbers, and each that follows is
/// one swap of neighbours away from one before.
fn nearest(count: usize, most: usize) -> Vec<Vec<Var>> {
    let mut found: Vec<Vec<Var>> = vec![(0..count).map(Var).collect()];
    let mut known: HashSet<Vec<Var>> = found.iter().cloned().collect();
    let mut next = 0;
    while next < found.len() && found.len() < most {
        for place in 1..count {
            let mut order = found[next].clone();
            order.swap(place - 1, place);
            if found.len() < most && known.insert(order.clone()) {
                found.push(order);
            }
        }
        next += 1;
    }
    found
}

fn factorial(count: usize) -> usize {
    (1..=count).fold(1, usize::saturating_mul)
}

/// How many orders are shown; the JSON has all.
const SHOWN: usize = 24;

impl Searched {
    /// A table, one line an order, the best first.
    pub(crate) fn text(&self, statement: &str) -> String {
        let mut text = format!("{statement}\norders of the loops, least bytes expected first\n");
        let places = self.places();
        let name = |place: usize| self.evaluated[place].names.join(", ");
        let width = places.iter().map(|&place| name(place).len()).max().unwrap_or(0).max("order".len());
        let titles =
            ["expected in", "out", "all", "counted all"].map(|title| format!("{title:>15}")).concat();
        let _ = writeln!(text, "{:<width$}{titles}   tiles", "order");
        for &place in places.iter().take(SHOWN) {
            let evaluated = &self.evaluated[place];
            let numbers = evaluated.numbers().map(|number| format!("{number:>15}")).concat();
            let _ = writeln!(
                text,
                "{:<width$}{numbers}   {}{}",
                name(place),
                evaluated.tiles_text(),
                self.remark(place)
            );
        }
        if places.len() > SHOWN {
            let _ = writeln!(text, "and {} orders of which more is expected", places.len() - SHOWN);
        }
        if self.left_out > 0 {
            let all = self.left_out.saturating_add(self.evaluated.len());
            let _ = writeln!(
                text,
                "not looked at: {} of {all} orders, those that differ most from the one without `--orders`",
                self.left_out
            );
        }
        text
    }

    /// Those of which least is expected first.
    fn places(&self) -> Vec<usize> {
        let total = |place: usize| self.evaluated[place].predicted.total();
        let mut places: Vec<usize> = (0..self.evaluated.len()).collect();
        places.sort_by(|&one, &other| total(one).total_cmp(&total(other)));
        places
    }

    fn remark(&self, place: usize) -> String {
        let mut remarks = Vec::new();
        if place == self.best {
            remarks.push("chosen".to_owned());
        }
        if place == 0 {
            remarks.push("without `--orders`".to_owned());
        }
        remarks.extend(self.evaluated[place].refused.as_ref().map(|reason| format!("refused: {reason}")));
        if remarks.is_empty() { String::new() } else { format!("   {}", remarks.join(", ")) }
    }

    pub(crate) fn json(&self) -> Value {
        let evaluated = self.places().into_iter().map(|place| {
            let own = &self.evaluated[place];
            let sizes = own.names.iter().zip(&own.tiles.0).map(|(name, &size)| (name.clone(), json!(size)));
            let mut report = json!({
                "order": own.names,
                "tiles": sizes.collect::<Map<_, _>>(),
                "predicted": predicted_bytes(&own.predicted),
                "chosen": place == self.best,
                "own": place == 0,
            });
            if let Some(counted) = &own.measured {
                report["measured"] = measured_bytes(counted);
            }
            if let Some(reason) = &own.refused {
                report["refused"] = json!(reason);
            }
            report
        });
        json!({ "looked_at": evaluated.collect::<Vec<_>>(), "left_out": self.left_out })
    }
}

impl EvaluatedOrder {
    /// Input, output and all that is expected, and all that was counted.
    fn numbers(&self) -> [String; 4] {
        let expected = [self.predicted.input(), self.predicted.output, self.predicted.total()];
        let [input, output, all] = expected.map(|bytes| format!("{bytes:.0}"));
        let counted = self.measured.as_ref().map_or_else(|| "-".to_owned(), |own| own.total().to_string());
        [input, output, all, counted]
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, AUTO, EvaluatedOrder, Most, best, factorial, nearest, parse};
    use comet_tiling::{Prediction, Tiles, Var};

    #[test]
    fn orders_are_each_once_and_the_nearest_first() {
        for (count, all) in [(0, 1), (1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
            let orders = nearest(count, usize::MAX);
            assert_eq!((orders.len(), factorial(count)), (all, all));
            let swaps = |order: &Vec<Var>| -> usize {
                (0..count).map(|place| order[..place].iter().filter(|&&var| var > order[place]).count()).sum()
            };
            assert!(orders.iter().map(swaps).is_sorted(), "{orders:?}");
            let mut different = orders.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), all);
        }
        assert_eq!(nearest(20, 3).len(), 3);
        assert_eq!(nearest(3, 1), [[Var(0), Var(1), Var(2)]]);
    }

    /// Orders are asked for from the best one on, up to the first that is taken, or the compiler's own.
    #[test]
    fn the_best_order_that_is_taken_is_chosen() {
        let evaluated = |output: f64| EvaluatedOrder {
            order: Vec::new(),
            names: vec![output.to_string()],
            tiles: Tiles(Vec::new()),
            predicted: Prediction { output, ..Prediction::default() },
            measured: None,
            refused: None,
        };
        let chosen = |bytes: &[f64], refused: &[&str]| {
            let mut all: Vec<EvaluatedOrder> = bytes.iter().map(|&bytes| evaluated(bytes)).collect();
            let refusal = |own: &EvaluatedOrder| {
                refused.contains(&&own.names[0][..]).then(|| format!("no {}", own.names[0]))
            };
            let place = best(&mut all, refusal);
            (place, all.into_iter().filter_map(|own| own.refused).collect::<Vec<_>>())
        };
        assert_eq!(chosen(&[3.0, 2.0, 1.0, 4.0], &[]), (2, vec![]));
        assert_eq!(chosen(&[3.0, 2.0, 1.0, 4.0], &["1"]), (1, vec!["no 1".to_owned()]));
        let both = vec!["no 2".to_owned(), "no 1".to_owned()];
        assert_eq!(chosen(&[3.0, 2.0, 1.0, 4.0], &["1", "2", "4"]), (0, both));
        // Of equal ones the compiler's own is taken.
        assert_eq!(chosen(&[1.0, 1.0], &[]), (0, vec![]));
    }

    #[test]
    fn numbers_of_orders_are_read() {
        assert_eq!([parse("auto"), parse("all"), parse("7")], [AUTO, ALL, 7].map(|most| Ok(Most(most))));
        for text in ["", "0", "-1", "some", "1.5"] {
            assert!(parse(text).unwrap_err().starts_with("expected `auto`"), "{text}");
        }
    }
}
