//! One schedule that a statement could have.

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Candidate {
    /// Commands that cut, fuse or go over positions, which come first.
    pub(super) cuts: Vec<String>,
    /// The order that the loops are put in, where it says one.
    pub(super) order: Option<Vec<String>>,
    pub(super) others: Vec<String>,
    /// The loops, outermost first, as far as they are known.
    pub(super) loops: Vec<String>,
}

impl Candidate {
    /// No commands, for loops that are likely in this order.
    pub(super) fn plain(loops: Vec<String>) -> Self {
        Self { loops, ..Self::default() }
    }

    pub(super) fn ordered(order: &[String]) -> Self {
        let order = order.to_vec();
        Self { cuts: Vec::new(), order: Some(order.clone()), others: Vec::new(), loops: order }
    }

    pub(super) fn with(&self, command: String) -> Self {
        let mut others = self.others.clone();
        others.push(command);
        Self { others, ..self.clone() }
    }

    pub(crate) fn text(&self) -> String {
        let order = self.order.iter().map(|order| format!("order({})", order.join(", ")));
        let all: Vec<String> =
            self.cuts.iter().cloned().chain(order).chain(self.others.iter().cloned()).collect();
        all.join("; ")
    }
}
