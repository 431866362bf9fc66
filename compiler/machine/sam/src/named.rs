//! Enumerations whose cases have names in files and reports.

pub(crate) trait Named: Copy + PartialEq + 'static {
    /// All cases with their names, in the order of messages that list them.
    fn cases() -> Vec<(&'static str, Self)>;

    fn case_name(self) -> &'static str {
        let named = Self::cases().into_iter().find(|(_, case)| *case == self);
        named.expect("each case has a name").0
    }
}

/// Writes the name of a case, for fields of types that others have defined.
pub(crate) fn serialize_name<T: Named, S: serde::Serializer>(
    case: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(case.case_name())
}

impl Named for bool {
    fn cases() -> Vec<(&'static str, Self)> {
        vec![("false", false), ("true", true)]
    }
}

/// Defines an enumeration and the names of its cases: `name` returns them, JSON has them, and files are read
/// with them.
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        $vis:vis enum $enum:ident {
            $($(#[$of_case:meta])* $case:ident = $name:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $enum {
            $($(#[$of_case])* $case,)+
        }

        impl $enum {
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$case),+];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$case => $name,)+
                }
            }
        }

        impl $crate::named::Named for $enum {
            fn cases() -> Vec<(&'static str, Self)> {
                Self::ALL.map(|case| (case.name(), case)).into()
            }
        }

        impl serde::Serialize for $enum {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

pub(crate) use named_enum;
