/// The entries that `comet_read(k, mode)` keeps, by the number of the mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, strum::FromRepr)]
#[repr(i64)]
pub enum Triangle {
    #[default]
    All = 1,
    /// Below the diagonal.
    StrictlyLower = 2,
    /// On and below the diagonal.
    Lower = 3,
    /// Above the diagonal.
    StrictlyUpper = 4,
    /// On and above the diagonal.
    Upper = 5,
}
