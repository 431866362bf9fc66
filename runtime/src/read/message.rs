//! Messages about malformed lines: what was expected, what was found, and what to do about it.

use super::FileKind;
use super::field::{FieldFault, FileValue};
use super::lines::{LineRules, ValueField};
use crate::error::index_range;
use crate::options::NumberStyle;
use comet_format::ValueType;
use std::borrow::Cow;

/// Characters of a malformed line that a message shows.
const SHOWN: usize = 60;

/// Returns the message about a line.
pub(super) fn of_line(fault: FieldFault, line: &[u8], rules: &LineRules) -> String {
    let line = WrongLine { fields: fields(line), line, rules };
    let message = line.found(fault);
    match line.remedy(fault) {
        Some(remedy) => format!("{message}; {remedy}"),
        None => message,
    }
}

/// A line that is not what its kind demands.
struct WrongLine<'a> {
    line: &'a [u8],
    fields: Vec<Cow<'a, str>>,
    rules: &'a LineRules<'a>,
}

type Remedy = Option<Cow<'static, str>>;

impl WrongLine<'_> {
    /// The number of indices of an entry. The value follows them, so this is also its field number, from 0.
    fn modes(&self) -> usize {
        self.rules.largest.len()
    }

    fn field(&self, number: usize) -> Option<&str> {
        self.fields.get(number).map(Cow::as_ref)
    }

    /// Returns a field for a message.
    fn shown(&self, number: usize) -> String {
        self.field(number)
            .map_or_else(|| "nothing".to_owned(), |field| format!("`{}`", shown(field.as_bytes())))
    }

    /// Returns what was expected, and what was found.
    fn found(&self, fault: FieldFault) -> String {
        let (modes, line) = (self.modes(), shown(self.line));
        let value = self.shown(modes);
        match fault {
            FieldFault::Index { mode } if self.is_digits(mode) => self.out_of_range(mode),
            FieldFault::Index { mode } => {
                let expected = self.expected_fields();
                format!("expected {expected}, found {} as index {} in `{line}`", self.shown(mode), mode + 1)
            }
            FieldFault::Range { mode } => self.out_of_range(mode),
            FieldFault::Value if self.rules.field == ValueField::Complex => {
                format!(
                    "expected two numbers as the value, the real part and the imaginary one, found `{line}`"
                )
            }
            FieldFault::Value => format!("expected a number as the value, found {value} in `{line}`"),
            FieldFault::NotInteger => format!("expected an integer of 64 bits as the value, found {value}"),
            FieldFault::Fraction => format!(
                "expected an integer{} as the value, since the banner says `{}`, found {value}",
                if self.rules.field == ValueField::Unsigned { " of at least 0" } else { "" },
                self.banner()
            ),
            FieldFault::TooLarge => {
                let largest = self.rules.value.word();
                format!("expected a number up to the largest `{largest}` as the value, found {value}")
            }
            FieldFault::Rest => {
                let fields = modes + self.rules.field.fields();
                format!(
                    "expected the end of the line after {}, found {} in `{line}`",
                    counted(fields as u64, "field", "fields"),
                    self.shown(fields)
                )
            }
        }
    }

    fn out_of_range(&self, mode: usize) -> String {
        let expected = index_range(self.rules.base, self.rules.largest[mode]);
        format!("index {} is {}, expected {expected}", mode + 1, self.shown(mode))
    }

    fn expected_fields(&self) -> String {
        let indices = counted(self.modes() as u64, "index", "indices");
        match self.rules.field {
            ValueField::Nothing => indices,
            _ => format!("{indices} and a value"),
        }
    }

    /// Returns what the banner says of values.
    fn banner(&self) -> &'static str {
        match self.rules.field {
            ValueField::Nothing => "pattern",
            ValueField::Number => "real",
            ValueField::Whole => "integer",
            ValueField::Unsigned => "unsigned-integer",
            ValueField::Complex => "complex",
        }
    }

    fn is_market(&self) -> bool {
        self.rules.kind == FileKind::Market
    }

    fn is_digits(&self, number: usize) -> bool {
        self.field(number).is_some_and(|field| field.bytes().all(|byte| byte.is_ascii_digit()))
    }

    fn is_number(&self, number: usize) -> bool {
        self.field(number).is_some_and(|field| field.parse::<f64>().is_ok())
    }

    /// Returns what to do.
    fn remedy(&self, fault: FieldFault) -> Remedy {
        match fault {
            FieldFault::Index { mode } if self.is_digits(mode) => None,
            FieldFault::Index { mode } => self.comment(mode).or_else(|| self.index_remedy(mode)),
            FieldFault::Range { mode } => self.range_remedy(mode),
            FieldFault::Value => self.value_remedy(),
            FieldFault::NotInteger => Some("a tensor of `double` can hold other numbers".into()),
            FieldFault::Fraction if self.rules.field == ValueField::Unsigned => {
                Some("write `integer` or `real` in the banner".into())
            }
            FieldFault::Fraction => Some("write `real` in the banner".into()),
            FieldFault::TooLarge => self.large_remedy(),
            FieldFault::Rest => {
                let first = self.modes() + self.rules.field.fields();
                self.comment(first).or_else(|| self.rest_remedy(first))
            }
        }
    }

    /// Returns what to do about a comment that begins with a field.
    fn comment(&self, number: usize) -> Remedy {
        if !self.field(number)?.starts_with(['%', '#']) {
            return None;
        }
        Some(match self.is_market() {
            true => "comments begin with `%` and are allowed before the line of the sizes only".into(),
            false => "comments begin with `#` and have lines of their own".into(),
        })
    }

    fn index_remedy(&self, mode: usize) -> Remedy {
        let field = self.field(mode)?;
        if field.contains([',', ';']) {
            return Some("separate the fields by blanks".into());
        }
        let number = field.parse::<f64>().ok().filter(|number| number.fract() == 0.0 && *number >= 0.0)?;
        Some(format!("write `{number}`: an index has neither a sign nor a fraction").into())
    }

    fn range_remedy(&self, mode: usize) -> Remedy {
        let index: i64 = self.field(mode)?.parse().ok()?;
        if !self.is_market() {
            return None;
        }
        Some(match index {
            0 => "indices of Matrix Market begin with 1".into(),
            _ => format!("line {} states the sizes", self.rules.first_line - 1).into(),
        })
    }

    fn value_remedy(&self) -> Remedy {
        let complex = self.rules.field == ValueField::Complex;
        let last = self.modes() + self.rules.field.fields() - 1;
        let wrong = (self.modes()..=last).find_map(|number| spelling(self.field(number)?));
        match self.fields.len() {
            _ if wrong.is_some() => wrong.map(Cow::from),
            found if !self.is_market() || found > last => None,
            found if complex && found > self.modes() => {
                Some("the banner says `complex`: write `real` if values are one number".into())
            }
            _ => Some(
                format!("the banner says `{}`: write `pattern` if entries have no values", self.banner())
                    .into(),
            ),
        }
    }

    fn large_remedy(&self) -> Remedy {
        let is_double = || self.field(self.modes())?.parse().ok().filter(|number: &f64| number.is_finite());
        match self.rules.value.part() {
            ValueType::F64 => Some("write `inf` if it is infinite".into()),
            _ => is_double().map(|_| "a tensor of `double` can hold it".into()),
        }
    }

    fn rest_remedy(&self, first: usize) -> Remedy {
        let is_one_number = self.fields.len() == first + 1 && self.is_number(first);
        match self.rules.field {
            _ if !self.is_market() => None,
            _ if self.modes() == 0 => {
                Some("an `array` file has the value of one position in each line".into())
            }
            ValueField::Nothing => {
                Some("the banner says `pattern`: write `real` or `complex` if entries have values".into())
            }
            ValueField::Complex => None,
            _ if is_one_number => Some(
                format!("the banner says `{}`: write `complex` if values are two numbers", self.banner())
                    .into(),
            ),
            _ => None,
        }
    }
}

/// Spellings of values that other programs read or write, each with what to write in their place.
fn spelling(field: &str) -> Option<&'static str> {
    let word = field.to_lowercase();
    let number = word.trim_start_matches(['+', '-']);
    match number {
        "na" | "n/a" | "null" | "none" | "missing" | "." | "" => {
            Some("write `nan` for a value that is missing")
        }
        "true" | "false" => Some("write `1` or `0`"),
        _ if number.starts_with("nan") || number.contains('#') => Some("write `inf`, `-inf` or `nan`"),
        _ if number.starts_with("0x") => Some("write it as a decimal number"),
        _ if number.contains([',', '\'', '_']) => {
            Some("write a decimal point, and nothing between the digits of thousands")
        }
        _ if number.contains(is_unseen) => Some("separate the fields by ordinary blanks"),
        _ if number.ends_with(['i', 'j']) => Some("a complex value is two numbers with a blank between them"),
        _ if number.contains('/') => Some("write a fraction as a decimal number"),
        _ => None,
    }
}

fn fields(line: &[u8]) -> Vec<Cow<'_, str>> {
    let fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    fields.map(String::from_utf8_lossy).collect()
}

/// Formats a value for an error message, in the shortest form that reads back as the same value.
pub(super) fn number<V: FileValue>(value: V) -> String {
    let mut text = Vec::new();
    value.write(&mut text, NumberStyle::Exact);
    String::from_utf8_lossy(&text).into_owned()
}

/// A number of things, for a message.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Things of which one is expected, for a message.
pub(super) fn alternatives(all: &[String]) -> String {
    match all.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => all.concat(),
    }
}

/// Control characters, blanks that do not separate fields, and the mark with which some editors begin a text.
fn is_unseen(character: char) -> bool {
    character.is_control() || character == '\u{feff}' || character.is_whitespace() && !character.is_ascii()
}

/// Returns the beginning of a text for a message, readable whatever its bytes are. A tab is shown as a blank.
pub(super) fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text.trim_ascii());
    let visible = |character: char| match character {
        '\t' => ' ',
        unseen if is_unseen(unseen) => char::REPLACEMENT_CHARACTER,
        seen => seen,
    };
    let mut shown: String = text.chars().take(SHOWN).map(visible).collect();
    if text.chars().count() > SHOWN {
        shown.push('…');
    }
    shown
}
