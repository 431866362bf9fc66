//! The text of a product of matrices.

/// No contraction has more labels: each has a [`letter`].
pub const MOST_LABELS: usize = 52;

/// What a label is called in the text that `comet_rt_gemm_f64` takes.
pub fn letter(label: usize) -> char {
    let letters = ('a'..='z').chain('A'..='Z');
    letters.into_iter().nth(label).expect("a contraction has no more labels than there are letters")
}
