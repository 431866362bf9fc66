//! Numbers as Fortran writes them.

/// Returns a number of Fortran with the exponent that other readers expect: `1.5D+02` and, where an exponent
/// of three digits leaves no room for the letter, `1.5+102` as `1.5E+02` and `1.5E+102`. `None` for any
/// other text.
pub fn with_plain_exponent(text: &str) -> Option<String> {
    let (mantissa, exponent) = match text.split_once(['d', 'D']) {
        Some(parts) => parts,
        None => without_letter(text)?,
    };
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    (is_mantissa(mantissa) && is_digits(digits)).then(|| format!("{mantissa}E{exponent}"))
}

fn without_letter(text: &str) -> Option<(&str, &str)> {
    let (mantissa, exponent) = text.split_at(text.rfind(['+', '-'])?);
    (mantissa.contains('.') && exponent.len() == 4).then_some((mantissa, exponent))
}

/// Returns whether a text is a number without an exponent.
fn is_mantissa(text: &str) -> bool {
    let number = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    is_digits(&format!("{whole}{fraction}"))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only exponents change, and only those of numbers.
    #[test]
    fn exponents_of_fortran_become_plain() {
        let numbers = [
            ("1.0D+00", "1.0E+00"),
            ("-.5d3", "-.5E3"),
            ("2D-1", "2E-1"),
            ("+7.d0", "+7.E0"),
            ("0.15-101", "0.15E-101"),
            ("-1.5+100", "-1.5E+100"),
        ];
        for (text, plain) in numbers {
            assert_eq!(with_plain_exponent(text).as_deref(), Some(plain));
        }
        for text in [
            "", "1.5", "1e3", "d", "1d", "1d+", "d3", ".d3", "1.5d1.5", "1-2", "15-101", "1.5-10", "1..5d1",
            "nand1",
        ] {
            assert_eq!(with_plain_exponent(text), None, "{text}");
        }
    }
}
