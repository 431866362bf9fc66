//! Values of any shape come back from their text: with the parentheses that they need, and no others.

use comet_diag::Span;
use comet_spatial::app::{App, AppExpr, ExprKind, Function, Kind, Operator, Scalar, Type};
use comet_spatial::read::read;
use comet_spatial::write::write;
use proptest::prelude::*;

const TEXT: &str = "@spatial object K extends SpatialApp {
  type T = Int

  def main(args: Array[String]): Unit = {
    val d = DRAM[T](16)
    Accel {
      val s = SRAM[T](16)
      val f = FIFO[T](16)
      val r = Reg[T](0)
      val x = 0
    }
  }
}
";

fn application() -> App {
    read(TEXT).expect("the text is right")
}

/// The application with another value.
fn with(value: &AppExpr) -> App {
    let mut app = application();
    let last = app.accel.last_mut().expect("it has statements");
    last.kind = Kind::Val("x".to_owned(), value.clone());
    app
}

/// The text of the value alone.
fn shown(value: &AppExpr) -> String {
    let text = write(&with(value));
    let line = text.lines().find_map(|line| line.trim().strip_prefix("val x = ")).expect("it is there");
    line.to_owned()
}

fn expr(kind: ExprKind) -> AppExpr {
    AppExpr { kind, span: Span::default() }
}

fn binary(operator: Operator, left: AppExpr, right: AppExpr) -> AppExpr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

fn leaf() -> impl Strategy<Value = AppExpr> {
    prop_oneof![
        any::<i64>().prop_map(ExprKind::Int),
        (-3..3_i64).prop_map(ExprKind::Int),
        Just(ExprKind::Name("r".to_owned())),
        Just(ExprKind::Dequeue("f".to_owned())),
    ]
    .prop_map(expr)
}

fn numeric() -> impl Strategy<Value = Operator> {
    use Operator::{Add, Divide, Max, Min, Multiply, Remainder, Subtract};
    prop::sample::select(vec![Add, Subtract, Multiply, Divide, Remainder, Min, Max])
}

fn comparison() -> impl Strategy<Value = Operator> {
    use Operator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    prop::sample::select(vec![Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual])
}

/// Decisions over numbers.
fn condition(of: impl Strategy<Value = AppExpr> + Clone + 'static) -> impl Strategy<Value = AppExpr> {
    let compared = (comparison(), of.clone(), of).prop_map(|(sign, a, b)| binary(sign, a, b));
    let truth = any::<bool>().prop_map(|value| expr(ExprKind::Bool(value)));
    prop_oneof![4 => compared, 1 => truth].prop_recursive(3, 8, 2, |of| {
        let logical =
            prop::sample::select(vec![Operator::And, Operator::Or, Operator::Equal, Operator::NotEqual]);
        prop_oneof![
            (logical, of.clone(), of.clone()).prop_map(|(sign, a, b)| binary(sign, a, b)),
            of.prop_map(|of| expr(ExprKind::Not(Box::new(of)))),
        ]
    })
}

fn value() -> impl Strategy<Value = AppExpr> {
    leaf().prop_recursive(5, 40, 3, |of| {
        prop_oneof![
            4 => (numeric(), of.clone(), of.clone()).prop_map(|(sign, a, b)| binary(sign, a, b)),
            1 => of.clone().prop_map(|of| expr(ExprKind::Negate(Box::new(of)))),
            1 => of.clone().prop_map(|of| expr(ExprKind::To(Box::new(of), Type::Named("T".to_owned())))),
            1 => of.clone().prop_map(|of| expr(ExprKind::Read("s".to_owned(), Box::new(of)))),
            1 => of.clone().prop_map(|of| expr(ExprKind::Call(Function::Abs, Box::new(of)))),
            1 => (condition(of.clone()), of.clone(), of)
                .prop_map(|(c, a, b)| expr(ExprKind::Mux(Box::new(c), Box::new(a), Box::new(b)))),
        ]
    })
}

/// A text without the pair of parentheses that opens at `open`, if something stands between them.
fn without_parentheses(text: &str, open: usize) -> Option<String> {
    let mut depth = 0;
    let close = text[open..].char_indices().find_map(|(at, character)| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        (depth == 0).then_some(open + at)
    })?;
    Some(format!("{}{}{}", &text[..open], &text[open + 1..close], &text[close + 1..]))
}

proptest! {
    #[test]
    fn values_come_back(value in value()) {
        let app = with(&value);
        let text = write(&app);
        let again = read(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        prop_assert_eq!(again, app, "{}", text);
    }

    /// Without a pair of parentheses, the text says something else. Those of calls, and those that keep signs
    /// apart, are none of these.
    #[test]
    fn no_parentheses_are_idle(value in value()) {
        let text = shown(&value);
        for (open, _) in text.match_indices('(') {
            let before = text[..open].chars().next_back();
            if before.is_some_and(|before| before.is_alphanumeric() || "-!".contains(before)) {
                continue;
            }
            let changed = without_parentheses(&text, open).expect("they are closed");
            let whole = TEXT.replace("val x = 0", &format!("val x = {changed}"));
            if let Ok(app) = read(&whole) {
                prop_assert_ne!(app, with(&value), "{} is enough for {}", changed, text);
            }
        }
    }
}

/// Numbers are what they were, to the last bit.
#[test]
fn numbers_come_back() {
    let floats =
        [0.0, -0.0, 0.1, 1e21, -1e-7, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::INFINITY, -f64::INFINITY];
    for float in floats {
        let text = write(&with(&expr(ExprKind::Float(float))));
        let again = read(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let Kind::Val(_, AppExpr { kind: ExprKind::Float(found), .. }) = &again.accel[3].kind else {
            panic!("{text}")
        };
        assert_eq!(found.to_bits(), float.to_bits(), "{text}");
    }
    for integer in [0, -1, i64::from(i32::MAX), i64::from(i32::MAX) + 1, i64::MAX, i64::MIN] {
        let app = with(&expr(ExprKind::Int(integer)));
        assert_eq!(read(&write(&app)), Ok(app), "{integer}");
    }
}

/// What Scala takes together is kept apart, and nothing else.
#[test]
fn parentheses_where_they_are_needed() {
    let int = |value| expr(ExprKind::Int(value));
    let name = || expr(ExprKind::Name("r".to_owned()));
    let negate = |of| expr(ExprKind::Negate(Box::new(of)));
    let to = |of| expr(ExprKind::To(Box::new(of), Scalar::Int.into()));
    assert_eq!(shown(&negate(int(1))), "-(1)");
    assert_eq!(shown(&negate(negate(name()))), "-(-r)");
    assert_eq!(shown(&to(int(-1))), "-1.to[Int]");
    assert_eq!(shown(&to(negate(name()))), "(-r).to[Int]");
    assert_eq!(shown(&negate(to(name()))), "-r.value.to[Int]");
    let difference = |a, b| binary(Operator::Subtract, a, b);
    assert_eq!(shown(&difference(difference(name(), int(1)), int(-2))), "r - 1 - -2");
    assert_eq!(shown(&difference(name(), difference(int(1), int(2)))), "r - (1 - 2)");
    let product = binary(Operator::Multiply, difference(name(), int(1)), name());
    assert_eq!(shown(&binary(Operator::Add, product.clone(), product)), "(r - 1) * r + (r - 1) * r");
}
