//! What counts look for.

pub(crate) mod bools;
pub(crate) mod calls;
pub(crate) mod comments;
pub(crate) mod functions;
pub(crate) mod levels;
pub(crate) mod literals;
pub(crate) mod types;
pub(crate) mod words;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Finding;
    use crate::file::RustFile;
    use crate::tree::{Language, Region, TextFile};

    fn lines(text: &str, find: fn(&RustFile<'_>) -> Vec<Finding>) -> Vec<usize> {
        let file = TextFile {
            path: "runtime/src/unpack.rs".to_owned(),
            package: "runtime".to_owned(),
            language: Language::Rust,
            region: Region::Product,
            text: text.to_owned(),
        };
        let file = RustFile::parse(&file).expect("the text is Rust");
        find(&file).into_iter().map(|finding| finding.line).collect()
    }

    /// Patterns and comparisons decide on the kind of a level; constructions do not.
    #[test]
    fn decisions_are_patterns_and_comparisons() {
        let text = "
            use LevelKind::{Dense as D, Singleton};
            fn f(level: &Level) -> LevelKind {
                if level.kind == LevelKind::Dense { return LevelKind::Dense; }
                assert!(matches!(level.kind, D | LevelKind::BitVector(_)), \"{}\", level.kind);
                let sparse = [LevelKind::CompressedUnique, Singleton].contains(&level.kind);
                match level.kind {
                    Singleton => StoredLevel::Dense,
                    _ => LevelKind::Dense,
                }
            }";
        assert_eq!(lines(text, levels::decisions), [4, 5, 5, 6, 6, 8]);
    }

    /// A file that defines a kind of levels may ask for it.
    #[test]
    fn own_files_are_left_out() {
        let text = "enum LevelKind { Dense }\nfn f(a: LevelKind) -> bool { a == LevelKind::Dense }";
        assert_eq!(lines(text, levels::decisions), []);
    }

    /// What cannot choose its signature is left out.
    #[test]
    fn positional_bools() {
        let text = "
            fn own(a: u8, is_last: bool) {}
            extern \"C\" fn abi(is_last: bool) {}
            impl From<bool> for A { fn from(value: bool) -> A { A } }
            impl A { fn with(self, is_last: bool) -> bool { true } }
            trait Ours { fn asked(&self, is_last: bool); }
            fn option(is_last: Option<bool>) {}";
        assert_eq!(lines(text, bools::find), [2, 5, 6]);
    }

    /// Calls are found inside macros, and not in comments.
    #[test]
    fn calls_are_tokens() {
        let text = "
            //! `op.operand(1)`
            /// `op.operand(1)`
            fn f() {
                // op.operand(1)
                assert_eq!(op.operand(1), op.operand(index), \"op.operand(1)\");
                op.operand(0).is::<Forall<'_>>();
            }";
        assert_eq!(lines(text, calls::operand_numbers), [6, 7]);
        assert_eq!(lines(text, calls::is), [7]);
    }

    /// Names of operations are no names in documentation.
    #[test]
    fn documentation_names_nothing() {
        let text = "#![doc = \"ta.copy\"]\n#[doc = \"ta.copy\"]\nfn f() { b.op(\"ta.copy\"); }";
        assert_eq!(lines(text, literals::own_operations), [3]);
    }

    /// Parameters leave `self` out, lengths leave documentation out.
    #[test]
    fn sizes_of_functions() {
        let text = "impl A {\n/// A.\nfn f(&self, a: u8, b: u8) {\n}\n}";
        let amounts = |find: fn(&RustFile<'_>) -> Vec<Finding>| lines(text, find).len();
        assert_eq!((amounts(functions::lengths), amounts(functions::parameters)), (1, 1));
    }
}
