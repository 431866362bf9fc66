//! Formats as the language writes them, and back.

use comet_diag::{Diagnostic, Source, Span};
use comet_format::{Format, IndexWidth, LevelExpr, ValueType};
use comet_sema::check;
use comet_syntax::ast::{
    FormatKind, FormatOption, FormatOptionKind, FormatSpec, Ident, LevelIndex, Number, TensorDecl,
    WrittenLevel,
};

/// The names of formats that differ from the language's by their case alone.
const NAMES: [&str; 12] = [
    "Dense",
    "CSR",
    "CSC",
    "DCSR",
    "DCSC",
    "COO",
    "CSF",
    "ELL",
    "BCSR",
    "CSB",
    "SparseVector",
    "ModeGeneric",
];

/// The format of a text such as `csr`, `CSR, index=i64`, `{D, CU}` or `BCSR<4,4>`, for a tensor of that rank;
/// names in any case.
///
/// # Errors
/// The text in the declaration of a tensor, with every error in it.
pub fn format_of_text(text: &str, rank: usize) -> Result<Format, (Source, Vec<Diagnostic>)> {
    let dims = vec!["?"; rank].join(", ");
    let declaration = format!("def f(Tensor<double> T([{dims}], {})) {{ }}", in_case(text));
    let source = Source::new("<format>", declaration);
    let checked = comet_syntax::parse(&source).and_then(|module| check(&module, &source));
    match checked {
        Ok(program) => Ok(program.functions[0].tensors[0].format.clone()),
        Err(errors) => Err((source, errors)),
    }
}

/// The text with its first word in the language's case.
fn in_case(text: &str) -> String {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    // SciPy's name.
    let word = if word.eq_ignore_ascii_case("bsr") { "BCSR" } else { word };
    let known = NAMES.iter().find(|name| name.eq_ignore_ascii_case(word));
    format!("{}{rest}", known.unwrap_or(&word))
}

/// A declaration's format and options; a name where the format has one.
pub fn written(format: &Format) -> (FormatSpec, Vec<FormatOption>) {
    let span = Span::default();
    let kind = match format.name() {
        Some(name) => FormatKind::Name { name: ident(name), args: Vec::new() },
        None => map_of(format),
    };
    let index = FormatOptionKind::Index(IndexWidth::I64);
    let is_wide = format.index_width == IndexWidth::I64 && !format.is_dense();
    let options = is_wide.then_some(FormatOption { kind: index, span });
    (FormatSpec { kind, span }, options.into_iter().collect())
}

/// Every level with what its coordinate is.
fn map_of(format: &Format) -> FormatKind {
    let modes: Vec<Ident> = (0..format.rank).map(|mode| ident(&format!("m{mode}"))).collect();
    let levels = format.levels.iter().map(|level| {
        let mode = |mode: usize| modes[mode].clone();
        let number = |n: u64| Number { value: n as f64, integer: i64::try_from(n).ok() };
        let index = match level.expr {
            LevelExpr::Mode(m) => LevelIndex::Whole(mode(m)),
            LevelExpr::Div(m, n) => LevelIndex::Div(mode(m), number(n)),
            LevelExpr::Mod(m, n) => LevelIndex::Mod(mode(m), number(n)),
            LevelExpr::Slot => unreachable!("a format with a slot has a name"),
        };
        (index, WrittenLevel { kind: level.kind, span: Span::default() })
    });
    FormatKind::Map { levels: levels.collect(), modes: modes.clone() }
}

/// `Tensor<double> A([i, j], CSR)`.
pub(crate) fn declaration(
    name: &Ident,
    element: ValueType,
    dims: Vec<comet_syntax::ast::Dim>,
    format: &Format,
) -> TensorDecl {
    let (format, options) = written(format);
    TensorDecl { element, name: name.clone(), dims, format, options, span: name.span }
}

fn ident(name: &str) -> Ident {
    Ident { name: name.to_owned(), span: Span::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written is read as the same format.
    #[test]
    fn formats_round_trip() {
        for (text, rank) in [
            ("csr", 2),
            ("CSC", 2),
            ("coo", 3),
            ("csf", 4),
            ("dense", 0),
            ("dense, order={1,0}", 2),
            ("bsr<2,3>", 2),
            ("{CU, D}", 2),
            ("ell", 2),
            ("csb<4,4>", 2),
            ("{BV<64>}", 1),
            ("sparsevector", 1),
            ("dcsr, index=i64", 2),
        ] {
            let format = format_of_text(text, rank).unwrap();
            let (spec, options) = written(&format);
            let declared = TensorDecl {
                element: ValueType::F64,
                name: ident("T"),
                dims: Vec::new(),
                format: spec,
                options,
                span: Span::default(),
            };
            assert_eq!(again(declared, rank), format, "{text}");
        }
        let (source, errors) = format_of_text("csx", 2).unwrap_err();
        assert!(errors[0].message.contains("unknown format `csx`"), "{errors:?} {}", source.text());
    }

    fn again(declaration: TensorDecl, rank: usize) -> Format {
        use comet_syntax::ast::{Dim, DimKind, Function, Module, Param};
        let dim = Dim { kind: DimKind::Open, span: Span::default() };
        let declaration = TensorDecl { dims: vec![dim; rank], ..declaration };
        let params = vec![Param::Tensor(declaration)];
        let span = Span::default();
        let function =
            Function { name: ident("f"), params, result: None, properties: None, body: Vec::new(), span };
        let program = check(&Module { functions: vec![function] }, &Source::new("", "")).unwrap();
        program.functions[0].tensors[0].format.clone()
    }
}
