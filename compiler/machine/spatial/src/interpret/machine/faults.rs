//! What an application does that hardware does not.

use super::{MOST_ELEMENTS, Machine};
use crate::interpret::program::{ArrayKind, ArrayUse, Direction, GenBits, MemReduce, PatternSteps, Transfer};
use comet_diag::{Diagnostic, Span};

type Fault = Box<Diagnostic>;

impl Machine<'_> {
    #[cold]
    pub(super) fn in_iteration(&self, fault: Fault, pattern: &PatternSteps) -> Fault {
        let named = pattern.binders.iter().filter(|(name, _)| name != "_");
        let values: Vec<_> =
            named.map(|(name, slot)| format!("{name} = {}", self.slots[*slot] as i64)).collect();
        match values.is_empty() {
            true => fault,
            false => {
                let iteration = format!("in the iteration with {}", values.join(", "));
                fault.also(self.program.patterns[pattern.number].span, iteration).into()
            }
        }
    }

    /// A read that is out of bounds, of what was never written, or of what another iteration writes.
    #[cold]
    pub(super) fn cannot_read(&self, place: &ArrayUse, index: u64, span: Span) -> Fault {
        if !self.has_element(place.array, index) {
            return self.out_of_bounds(place.array, index, span);
        }
        let name = &self.program.arrays[place.array].name;
        if self.arrays[place.array].filled(index as usize).is_some() {
            let error =
                format!("element {index} of `{name}` is read, and an iteration that runs at once writes it");
            return self.about_array(place.array, error, span).hint(ONE_AT_A_TIME).into();
        }
        let error = format!("element {index} of `{name}` is read, and was never written");
        let hint = match self.program.arrays[place.array].kind == ArrayKind::Dram {
            true => "the host fills it by `setMem`, the accelerator by `store`",
            false => "write it before; a memory begins anew where its declaration is reached",
        };
        self.about_array(place.array, error, span).hint(hint).into()
    }

    /// A write that is out of bounds, or of what another iteration writes.
    #[cold]
    pub(super) fn cannot_write(&self, place: &ArrayUse, index: u64, span: Span) -> Fault {
        if !self.has_element(place.array, index) {
            return self.out_of_bounds(place.array, index, span);
        }
        let name = &self.program.arrays[place.array].name;
        let error =
            format!("element {index} of `{name}` is written, and by an iteration that runs at once too");
        self.about_array(place.array, error, span).hint(ONE_AT_A_TIME).into()
    }

    #[cold]
    pub(super) fn out_of_bounds(&self, array: usize, index: u64, span: Span) -> Fault {
        let (name, size) = (&self.program.arrays[array].name, self.arrays[array].size);
        let error = format!("`{name}` has {size} elements, and no element {}", index as i64);
        self.too_small(array, error, span)
    }

    #[cold]
    pub(super) fn is_empty(&self, fifo: usize, span: Span) -> Fault {
        let error = format!("`{}` is dequeued from, and is empty", self.program.fifos[fifo].name);
        self.about_fifo(fifo, error, span).into()
    }

    #[cold]
    pub(super) fn too_few_wait(&self, fifo: usize, needed: usize, span: Span) -> Fault {
        let waiting = self.fifos[fifo].waiting.len();
        let name = &self.program.fifos[fifo].name;
        self.about_fifo(fifo, format!("`{name}` holds {waiting} elements, and {needed} are taken"), span)
            .into()
    }

    #[cold]
    pub(super) fn left_behind(&self, fifo: usize) -> Fault {
        let info = &self.program.fifos[fifo];
        let left = self.fifos[fifo].waiting.len();
        let elements = if left == 1 { "element" } else { "elements" };
        let error = format!("`{}` still holds {left} {elements} at the end of its block", info.name);
        Diagnostic::error(info.span, error)
            .hint("all that is enqueued has to be dequeued: enqueue or load less, or dequeue the rest")
            .into()
    }

    #[cold]
    pub(super) fn by_zero(&self, left: u64, span: Span) -> Fault {
        Diagnostic::error(span, format!("{} is divided by 0", left as i64)).into()
    }

    #[cold]
    pub(super) fn is_no_part(&self, transfer: &Transfer, [from, to]: [i64; 2]) -> Fault {
        let array = transfer.dram.array;
        let (name, size) = (&self.program.arrays[array].name, self.arrays[array].size);
        let error = match from <= to {
            true => format!("`{name}` has {size} elements, and {from} up to {to} are meant"),
            false => format!("elements of `{name}` from {from} up to {to} are meant, which is backwards"),
        };
        self.too_small(array, error, transfer.span)
    }

    #[cold]
    pub(super) fn does_not_fit(&self, transfer: &Transfer, array: usize, len: usize) -> Fault {
        let (name, size) = (&self.program.arrays[array].name, self.arrays[array].size);
        let moved = match transfer.direction {
            Direction::Load => "loaded",
            Direction::Store => "stored",
        };
        let error = format!("`{name}` has {size} elements, and {len} are {moved}");
        self.too_small(array, error, transfer.span)
    }

    /// The memory that iterations are reduced into, and that of an iteration, are not of the same size.
    #[cold]
    pub(super) fn not_alike(&self, reduce: &MemReduce, sizes: [usize; 2]) -> Fault {
        let [target, value] =
            [reduce.target.array, reduce.value.array].map(|array| &self.program.arrays[array]);
        let [into, given] = sizes;
        let error = format!("`{}` has {into} elements, and `{}` {given}", target.name, value.name);
        Diagnostic::error(reduce.span, error)
            .also(target.span, "all iterations are reduced into this")
            .also(value.span, "each iteration gives this")
            .into()
    }

    /// A coordinate that does not follow the one before it, or is not in the vector.
    #[cold]
    pub(super) fn is_no_bit(&self, bits: &GenBits, crd: i64, [shift, max, least]: [i64; 3]) -> Fault {
        let name = &self.program.fifos[bits.crd].name;
        let error = match crd < least && least > shift {
            true => format!("coordinate {crd} of `{name}` comes behind {}, and coordinates rise", least - 1),
            false if max == 0 => {
                format!("coordinate {crd} of `{name}` is not in the bit vector, which has none")
            }
            false => {
                let last = shift.saturating_add(max - 1);
                format!("coordinate {crd} of `{name}` is not in the bit vector, which has {shift} to {last}")
            }
        };
        self.about_fifo(bits.crd, error, bits.span).into()
    }

    #[cold]
    pub(super) fn is_behind_end(&self, fifo: usize, [bit, len]: [usize; 2], span: Span) -> Fault {
        let name = &self.program.fifos[fifo].name;
        let error = format!("bit {bit} of `{name}` is 1, and {len} bits are scanned");
        self.about_fifo(fifo, error, span).into()
    }

    /// An array of the host that does not fit a DRAM.
    #[cold]
    pub(super) fn is_longer(&self, [from, to]: [usize; 2], span: Span) -> Fault {
        let [source, target] = [from, to].map(|array| &self.program.arrays[array].name);
        let [len, size] = [from, to].map(|array| self.arrays[array].size);
        let error = format!("`{source}` has {len} elements, and `{target}` has room for {size}");
        self.too_small(to, error, span)
    }

    fn has_element(&self, array: usize, index: u64) -> bool {
        usize::try_from(index).is_ok_and(|index| index < self.arrays[array].size)
    }

    /// A memory that is too small, with what decides on its size.
    fn too_small(&self, array: usize, error: String, span: Span) -> Fault {
        let fault = self.about_array(array, error, span);
        match &self.program.arrays[array].sized_by {
            None => fault.into(),
            Some(parameter) => fault.hint(format!("`{parameter}` says how large it is")).into(),
        }
    }

    fn about_array(&self, array: usize, error: String, span: Span) -> Diagnostic {
        Diagnostic::error(span, error).also(self.program.arrays[array].span, "declared here")
    }

    fn about_fifo(&self, fifo: usize, error: String, span: Span) -> Diagnostic {
        Diagnostic::error(span, error).also(self.program.fifos[fifo].span, "declared here")
    }
}

const ONE_AT_A_TIME: &str = "let one iteration run at a time: `par 1`";

pub(super) fn room() -> String {
    format!("{MOST_ELEMENTS} elements at most are in all memories together")
}
