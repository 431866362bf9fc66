//! Formats that pad, and what a kernel is with others in their place: none may change a result.

use super::format::Format;
use super::kernel::{Content, Kernel, Operand};
use super::rng::Rng;

/// Stores an operand that is not dense in a format that pads.
pub fn pad(rng: &mut Rng, operand: &mut Operand) {
    if operand.format.is_dense() || operand.labels.is_empty() {
        return;
    }
    operand.format = format(rng, operand.labels.len());
}

/// Makes some values of a file 0, which are entries as others, and of a few files some NaN, whose products
/// with padding are no zeros. Infinities are not drawn: what becomes of them depends on the order of a sum.
pub fn spoil_values(rng: &mut Rng, operand: &mut Operand, element: &str) {
    let is_float = element != "int" && operand.element != "int";
    let share = if is_float && rng.percent(15) { 10 } else { 0 };
    let Content::File(_, entries) = &mut operand.content else { return };
    for (_, value) in entries {
        if rng.percent(20) {
            *value = 0.0;
        } else if rng.percent(share) {
            *value = f64::NAN;
        }
    }
}

/// Whether a kernel reads NaN.
pub fn reads_nan(kernel: &Kernel) -> bool {
    kernel.operands.iter().any(|operand| match &operand.content {
        Content::File(_, entries) => entries.iter().any(|(_, value)| value.is_nan()),
        _ => false,
    })
}

/// The same kernel in the formats that do not pad: the compact ones of its own, and COO or CSR.
pub fn twins(kernel: &Kernel) -> [Kernel; 2] {
    let with = |format: &dyn Fn(&Operand) -> Format| {
        let mut twin = kernel.clone();
        let sparse = twin.operands.iter_mut().filter(|operand| !operand.format.is_dense());
        sparse.for_each(|operand| operand.format = format(operand));
        twin
    };
    let plain =
        |operand: &Operand| Format::Other(if operand.labels.len() == 2 { "CSR" } else { "COO" }.to_owned());
    [with(&|operand| compact(&operand.format)), with(&plain)]
}

/// A format with dense levels below others.
fn format(rng: &mut Rng, rank: usize) -> Format {
    let (rows, columns) = (rng.between(1, 4), rng.between(1, 4));
    match (rank, rng.below(6)) {
        (1, _) => Format::Other(format!("{{ (i) -> (i/{rows} : CU, i%{rows} : D) }}")),
        (2, 0 | 1) => Format::Other(format!("BCSR<{rows},{columns}>")),
        (2, 2) => map(format!("i/{rows} : CU, j/{columns} : CU, j%{columns} : D, i%{rows} : D")),
        (2, 3) => map(format!("j/{columns} : D, i/{rows} : CU, i%{rows} : D, j%{columns} : D")),
        (2, 4) => map(format!("i : CU, j/{columns} : CU, j%{columns} : D")),
        (2, _) if rng.percent(50) => levels_of(rng, &["D", "CU", "R"], &["R"], rank),
        (3, 0) => Format::Other("ModeGeneric".to_owned()),
        _ => levels(rng, rank),
    }
}

fn map(levels: String) -> Format {
    Format::Other(format!("{{ (i, j) -> ({levels}) }}"))
}

fn levels(rng: &mut Rng, rank: usize) -> Format {
    levels_of(rng, &["CU", "CU", "BV<8>", "R"], &["D", "D", "R"], rank)
}

/// Innermost levels that are contiguous below others.
fn levels_of(rng: &mut Rng, last: &[&'static str], contiguous: &[&'static str], rank: usize) -> Format {
    let below = rng.between(1, rank - 1);
    let mut kinds: Vec<&'static str> = (0..rank)
        .map(|level| rng.pick(if level < rank - below { &["D", "CU", "BV<8>"] } else { contiguous }))
        .collect();
    kinds[rank - below - 1] = rng.pick(last);
    let order = rng.some(&(0..rank).collect::<Vec<_>>(), rank);
    Format::Levels { kinds, order: Some(order).filter(|order| !order.is_sorted()) }
}

/// With compressed levels in the place of the innermost dense ones, and of ranges.
fn compact(format: &Format) -> Format {
    match format {
        Format::Dense => Format::Dense,
        Format::Levels { kinds, order } => {
            let is_contiguous = |kind: &&str| ["D", "R"].contains(kind);
            let contiguous = kinds.iter().rev().take_while(|kind| is_contiguous(kind)).count();
            let full = kinds.iter().take_while(|kind| **kind == "D").count();
            let kept = (kinds.len() - contiguous).max(full);
            let kinds = kinds.iter().enumerate();
            let kinds =
                kinds.map(|(level, kind)| if level < kept && *kind != "R" { *kind } else { "CU" }).collect();
            Format::Levels { kinds, order: order.clone() }
        }
        Format::Other(text) => compact_other(text),
    }
}

fn compact_other(text: &str) -> Format {
    if text == "ModeGeneric" {
        return Format::Levels { kinds: vec!["CN", "S", "CU"], order: None };
    }
    let block = text.strip_prefix("BCSR<").and_then(|rest| rest.strip_suffix('>'));
    if let Some((rows, columns)) = block.and_then(|block| block.split_once(',')) {
        let levels = format!("i/{rows} : D, j/{columns} : CU, i%{rows} : CU, j%{columns} : CU");
        return map(levels);
    }
    let Some((above, below)) = text.rsplit_once(" : CU") else { return Format::Other(text.to_owned()) };
    Format::Other(format!("{above} : CU{}", below.replace(" : D", " : CU")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_dense_levels_are_compressed() {
        let levels = |kinds| Format::Levels { kinds, order: None };
        assert_eq!(compact(&levels(vec!["D", "CU", "D"])), levels(vec!["D", "CU", "CU"]));
        assert_eq!(compact(&levels(vec!["BV<8>", "D", "D"])), levels(vec!["BV<8>", "CU", "CU"]));
        assert_eq!(compact(&levels(vec!["D", "R"])), levels(vec!["D", "CU"]));
        assert_eq!(compact(&levels(vec!["R", "CN", "R", "D"])), levels(vec!["CU", "CN", "CU", "CU"]));
        let blocks = map("i/2 : D, j/3 : CU, i%2 : CU, j%3 : CU".to_owned());
        assert_eq!(compact(&Format::Other("BCSR<2,3>".to_owned())), blocks);
        let vector = Format::Other("{ (i) -> (i/2 : CU, i%2 : CU) }".to_owned());
        assert_eq!(compact(&Format::Other("{ (i) -> (i/2 : CU, i%2 : D) }".to_owned())), vector);
    }
}
