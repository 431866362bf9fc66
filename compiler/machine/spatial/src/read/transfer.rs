//! Transfers between DRAMs and memories on chip, and bit vectors from coordinates.

use super::call::{Call, single};
use super::name::{receiver, word};
use super::scope::{TextReader, What};
use super::typed::Typed;
use crate::app::{DramPart, ExprKind, Kind, Scalar, Stream};
use crate::text::Result;
use crate::text::tree::{Term, TermKind, Word};
use comet_diag::Diagnostic;

impl TextReader {
    /// `m load d(a::b par p)`
    pub(super) fn load(&self, call: &Call<'_>) -> Result<Kind> {
        let (_, name) = receiver(call)?;
        let memory = self.on_chip(&name)?;
        let [part] = call.exactly("m load d(a::b par p)")?;
        let (part, element) = self.part(part)?;
        agree(&name, memory, element)?;
        Ok(Kind::Load { memory: name.text, part })
    }

    /// `d(a::b par p) store m`
    pub(super) fn store(&self, call: &Call<'_>) -> Result<Kind> {
        let [memory] = call.exactly("d(a::b par p) store m")?;
        let Some(part) = call.receiver else { return Err(call.not_as("d(a::b par p) store m")) };
        let (part, element) = self.part(part)?;
        let name = word(memory, "an SRAM or a FIFO")?;
        let memory = self.on_chip(&name)?;
        agree(&name, memory, element)?;
        Ok(Kind::Store { memory: name.text, part })
    }

    /// `d stream_load_vec(base, len, f)`
    pub(super) fn stream_load(&self, call: &Call<'_>) -> Result<Kind> {
        let [base, len, fifo] = call.exactly("d stream_load_vec(base, len, fifo)")?;
        let (name, element) = self.fifo(fifo)?;
        if let Typed::Is(element) = element
            && element != Scalar::Int
        {
            let message = format!(
                "`{name}` is a FIFO of `{}`, and streams are loaded to FIFOs of `Int` only [stream-load]",
                element.word()
            );
            return Err(Diagnostic::error(fifo.span, message).hint(format!(
                "load a part, which may be of any type: `{name} load d(base::base + len par p)`"
            )));
        }
        Ok(Kind::StreamLoad(self.stream(call, base, len, fifo)?))
    }

    /// `d stream_store_vec(base, f, len)`
    pub(super) fn stream_store(&self, call: &Call<'_>) -> Result<Kind> {
        let [base, fifo, len] = call.exactly("d stream_store_vec(base, fifo, len)")?;
        Ok(Kind::StreamStore(self.stream(call, base, len, fifo)?))
    }

    fn stream(&self, call: &Call<'_>, base: &Term, len: &Term, fifo: &Term) -> Result<Stream> {
        let (_, dram) = receiver(call)?;
        let element = self.dram(&dram)?;
        let (base, len) = (self.integer(base)?, self.integer(len)?);
        let (name, of) = self.fifo(fifo)?;
        agree(&Word { text: name.clone(), span: fifo.span }, of, element)?;
        Ok(Stream { dram: dram.text, base, len, fifo: name })
    }

    /// `gen_bitvector(shift, max, len, crd, bv)`
    pub(super) fn bit_vector_of_coordinates(&self, call: &Call<'_>) -> Result<Kind> {
        let [shift, max, len, crd, bits] = call.exactly("gen_bitvector(shift, max, len, crd, bv)")?;
        let (shift, max, len) = (self.integer(shift)?, self.integer(max)?, self.integer(len)?);
        let (name, element) = self.fifo(crd)?;
        if let Typed::Is(element) = element
            && !element.is_integer()
        {
            let message = format!("`{name}` is a FIFO of `{}`, expected coordinates", element.word());
            return Err(Diagnostic::error(crd.span, message).hint("coordinates are integers"));
        }
        Ok(Kind::GenBitVector { shift, max, len, crd: name, bits: self.bit_vector(bits)? })
    }

    /// The type of the elements of what transfers fill and empty.
    fn on_chip(&self, name: &Word) -> Result<Typed> {
        let on_chip = [What::Sram, What::SparseSram, What::Fifo];
        self.one_of(name, &on_chip, "an SRAM or a FIFO", |what| match what {
            What::Dram => "the memory on chip loads and is stored: `m load d(0::n)`, `d(0::n) store m`",
            What::SparseDram => "elements of a `SparseDRAM` are read and written: `m(i)`, `m(i) = x`",
            What::Register => "a register is set by `r := x`",
            _ => "it is declared by `val m = SRAM[T](n)`",
        })
    }

    /// `d(a::b par p)`, `d(a until b)`, `d`: the whole of it.
    fn part(&self, term: &Term) -> Result<(DramPart, Typed)> {
        let shown = "d(a::b par p)";
        let Some(call) = Call::of(term).filter(|call| call.receiver.is_none() && call.types.is_empty())
        else {
            return Err(Diagnostic::error(term.span, "expected a part of a DRAM")
                .hint(format!("it is written `{shown}`")));
        };
        let element = self.dram(&call.name)?;
        if call.is_bare() {
            return Ok((self.whole(&call.name)?, element));
        }
        let range = match call.lists[..] {
            [list] if list.len() < 2 => single(list).ok_or_else(|| call.not_as(shown))?,
            _ => return Err(super::function::dimensions(&call)),
        };
        let (range, par) = parallel(range);
        let [from, to] = ends(range).ok_or_else(|| {
            Diagnostic::error(range.span, "expected a range of elements")
                .hint(format!("it is written `{shown}`: those from `a` on and up to, without, `b`"))
        })?;
        let par = par.map(|par| self.integer(par)).transpose()?;
        let part =
            DramPart { dram: call.name.text.clone(), from: self.integer(from)?, to: self.integer(to)?, par };
        Ok((part, element))
    }

    /// All elements, as many as the declaration says, if that means here what it meant there.
    fn whole(&self, name: &Word) -> Result<DramPart> {
        let to = match self.find(name)?.size.as_ref().map(|size| &size.kind) {
            None => ExprKind::Int(0).at(name.span),
            Some(ExprKind::Int(size)) => ExprKind::Int(*size).at(name.span),
            Some(ExprKind::Name(size)) if self.is_in_front(size, name) => {
                self.name_value(&Word { text: size.clone(), span: name.span })?.expr
            }
            Some(_) => {
                let message = format!("the whole of `{}`, whose size is computed", name.text);
                return Err(Diagnostic::not_supported(name.span, message)
                    .hint(format!("say how many elements: `{}(0::n)`", name.text)));
            }
        };
        Ok(DramPart { dram: name.text.clone(), from: ExprKind::Int(0).at(name.span), to, par: None })
    }

    /// Whether a name means what it meant at the declaration of that DRAM.
    fn is_in_front(&self, size: &str, dram: &Word) -> bool {
        let place = |name| self.scope.find(name).map(|declared| declared.span.start);
        place(size) < place(&dram.text)
    }
}

/// A transfer changes no types.
pub(super) fn agree(name: &Word, memory: Typed, dram: Typed) -> Result<()> {
    let (Typed::Is(memory), Typed::Is(dram)) = (memory, dram) else { return Ok(()) };
    if memory == dram {
        return Ok(());
    }
    let (memory, dram) = (memory.word(), dram.word());
    let message = format!("`{}` has elements of type `{memory}`, the DRAM of type `{dram}`", name.text);
    Err(Diagnostic::error(name.span, message).hint("declare both with one type: transfers convert nothing"))
}

/// `x par p` apart.
pub(super) fn parallel(term: &Term) -> (&Term, Option<&Term>) {
    method(term, "par").map_or((term, None), |(of, par)| (of, Some(par)))
}

/// `x f y` apart.
pub(super) fn method<'tree>(term: &'tree Term, name: &str) -> Option<(&'tree Term, &'tree Term)> {
    let TermKind::Apply(callee, arguments) = &term.kind else { return None };
    let TermKind::Select(of, method) = &callee.kind else { return None };
    single(arguments).filter(|_| method.text == name).map(|argument| (&**of, argument))
}

/// `a::b` and `a until b` apart.
pub(super) fn ends(term: &Term) -> Option<[&Term; 2]> {
    if let TermKind::Binary(sign, from, to) = &term.kind {
        return (sign.text == "::").then_some([&**from, &**to]);
    }
    method(term, "until").map(|(from, to)| [from, to])
}
