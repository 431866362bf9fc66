//! Enumerations that the dialect and applications both have, with the same words.

use comet_ir::spatial as ops;
use comet_spatial::app;

/// Converts to the case of the same word.
pub(crate) trait SameWords<Other> {
    fn same_word(self) -> Other;
}

macro_rules! same_words {
    ($($Name:ident)*) => {
        $(
            impl SameWords<ops::$Name> for app::$Name {
                fn same_word(self) -> ops::$Name {
                    ops::$Name::from_word(self.word()).expect("the dialect has the same words")
                }
            }

            impl SameWords<app::$Name> for ops::$Name {
                fn same_word(self) -> app::$Name {
                    app::$Name::of_word(self.word()).expect("applications have the same words")
                }
            }
        )*

        #[cfg(test)]
        #[test]
        fn words_are_the_same() {
            $(
                let ours = app::$Name::ALL.iter().map(|case| case.word());
                assert!(ops::$Name::ALL.iter().map(|case| case.word()).eq(ours), stringify!($Name));
            )*
        }
    };
}

same_words! { Function Modification Operator Role ScanMode }
