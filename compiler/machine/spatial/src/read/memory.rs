//! Declarations of memories, on chip and off.

use super::call::{Call, Signature, single};
use super::function::dimensions;
use super::name::word;
use super::scope::{Declared, TextReader, What};
use super::transfer::agree;
use super::typed::Typed;
use crate::app::{Copies, Expr, HostKind, Kind, Mark, Memory, MemoryKind, SparseVariant, Type};
use crate::text::Result;
use crate::text::tree::{Term, TermArgument, TermKind, TypeName, Word};
use comet_diag::Diagnostic;

const BARRIER: Signature<1, 0> = Signature { shown: "Barrier[Token](0)", required: ["init"], optional: [] };

impl TextReader {
    /// What a `val` of the accelerator declares, if its value is a memory or a barrier.
    pub(super) fn memory(&mut self, name: &Word, call: &Call<'_>) -> Result<Option<(Kind, Declared)>> {
        if let Some((mark, of)) = marked(call) {
            let Some((kind, declared)) = self.memory(name, &of)? else { return Ok(None) };
            return self.with_mark(kind, mark, call).map(|kind| Some((kind, declared)));
        }
        if call.receiver.is_some() {
            return Ok(None);
        }
        let ((kind, element), what) = match call.name.text.as_str() {
            "SRAM" => (self.sized(call, "SRAM[T](n)", |size| MemoryKind::Sram { size })?, What::Sram),
            "FIFO" => (self.sized(call, "FIFO[T](16)", |depth| MemoryKind::Fifo { depth })?, What::Fifo),
            "Reg" => (self.initialized(call)?, What::Register),
            "SparseSRAM" => {
                let kind = |size| MemoryKind::SparseSram { variant: SparseVariant::Plain, size };
                (self.sized(call, "SparseSRAM[T](n)", kind)?, What::SparseSram)
            }
            "SparseParSRAM" | "SparseParSRAMSwizzle" => (self.copied(call)?, What::SparseSram),
            "SparseDRAM" => (self.sparse_dram(call)?, What::SparseDram),
            "Barrier" => return self.barrier_declaration(name, call).map(Some),
            other => return not_here(other, call),
        };
        let typed = self.types.resolve(&element).into();
        let memory = Memory { name: name.text.clone(), kind, element, marks: Vec::new() };
        Ok(Some((Kind::Memory(memory), Declared { what, typed, size: None, span: name.span })))
    }

    /// A declaration with `.buffer`, `.nonbuffer` or `.retiming` behind it.
    fn with_mark(&self, kind: Kind, mark: Mark, call: &Call<'_>) -> Result<Kind> {
        let Kind::Memory(mut memory) = kind else {
            return Err(Diagnostic::error(call.name.span, format!("a barrier has no `.{}`", call.name.text)));
        };
        let is_fifo = matches!(memory.kind, MemoryKind::Fifo { .. });
        if is_fifo != (mark == Mark::Retiming) {
            let (what, hint) = match is_fifo {
                true => ("a FIFO", "a FIFO is one already: it needs no copy for each iteration"),
                false => (
                    "a memory that is no FIFO",
                    "`.retiming` is of FIFOs; others have `.buffer` and `.nonbuffer`",
                ),
            };
            let message = format!("{what} has no `.{}`", call.name.text);
            return Err(Diagnostic::error(call.name.span, message).hint(hint));
        }
        if let Some(other) = memory.marks.first() {
            let message = match *other == mark {
                true => "a mark that is there already".to_owned(),
                false => format!("`{}` is said to be both `.buffer` and `.nonbuffer`", memory.name),
            };
            return Err(Diagnostic::error(call.name.span, message).hint("leave one of them out"));
        }
        memory.marks.push(mark);
        Ok(Kind::Memory(memory))
    }

    /// The argument or DRAM that a `val` of the host declares, if it does.
    pub(super) fn host_memory(&self, name: &Word, call: &Call<'_>) -> Result<Option<(HostKind, Declared)>> {
        if call.receiver.is_some() {
            return Ok(None);
        }
        let named = name.text.clone();
        let (kind, of, what, size) = match call.name.text.as_str() {
            "ArgIn" => {
                let of = self.scalar(call, "ArgIn[T]")?;
                (HostKind::ArgIn(named, of.clone()), of, What::ArgIn, None)
            }
            "ArgOut" => {
                let of = self.scalar(call, "ArgOut[T]")?;
                (HostKind::ArgOut(named, of.clone()), of, What::ArgOut, None)
            }
            "DRAM" => {
                let (size, element) = self.sized(call, "DRAM[T](n)", |size| size)?;
                let kind = HostKind::Dram { name: named, element: element.clone(), size: size.clone() };
                (kind, element, What::Dram, Some(size))
            }
            "SparseDRAM" => {
                let message = "`SparseDRAM` is found outside of `Accel` [sparse-dram]";
                return Err(Diagnostic::error(call.span, message).hint(
                    "declare a `DRAM` here, and in `Accel { … }` its sparse accesses: `val m = SparseDRAM[T](par)(n)`, `m.alias = d`",
                ));
            }
            "SRAM" | "FIFO" | "Reg" | "SparseSRAM" | "SparseParSRAM" | "SparseParSRAMSwizzle" | "Barrier" => {
                let message = format!("`{}` is on chip, and found outside of `Accel`", call.name.text);
                return Err(Diagnostic::error(call.span, message).hint("declare it inside of `Accel { … }`"));
            }
            _ => return Ok(None),
        };
        let typed = self.types.resolve(&of).into();
        Ok(Some((kind, Declared { what, typed, size, span: name.span })))
    }

    /// `SparseDRAM[T](par)(n)`
    fn sparse_dram(&self, call: &Call<'_>) -> Result<(MemoryKind, Type)> {
        let shown = "SparseDRAM[T](par)(n)";
        let element = self.element_type(call, shown)?;
        let [par, size] = call.lists[..] else { return Err(call.not_as(shown)) };
        let par = self.integer(single(par).ok_or_else(|| call.not_as(shown))?)?;
        let size = self.integer(single(size).ok_or_else(|| dimensions(call))?)?;
        Ok((MemoryKind::SparseDram { par, size }, element))
    }

    /// `m.alias = d`
    pub(super) fn alias(&self, of: &Term, dram: &Term) -> Result<Kind> {
        let (memory, name) = (word(of, "a `SparseDRAM`")?, word(dram, "a DRAM")?);
        let hint = "only a `SparseDRAM` has the elements of another memory";
        let element = self.one_of(&memory, &[What::SparseDram], "a `SparseDRAM`", |_| hint)?;
        agree(&memory, element, self.dram(&name)?)?;
        Ok(Kind::Alias { memory: memory.text, dram: name.text })
    }

    /// `M[T]`
    fn scalar(&self, call: &Call<'_>, shown: &'static str) -> Result<Type> {
        if !call.lists.iter().all(|list| list.is_empty()) {
            return Err(call.not_as(shown));
        }
        self.element_type(call, shown)
    }

    /// `M[T](n)`
    fn sized<Kind>(
        &self,
        call: &Call<'_>,
        shown: &'static str,
        kind: impl FnOnce(Expr) -> Kind,
    ) -> Result<(Kind, Type)> {
        let element = self.element_type(call, shown)?;
        let list = call.list(shown)?;
        if list.len() > 1 {
            return Err(dimensions(call));
        }
        let size = single(list).ok_or_else(|| call.not_as(shown))?;
        Ok((kind(self.integer(size)?), element))
    }

    /// `Reg[T](0)`, `Reg[T]`
    fn initialized(&self, call: &Call<'_>) -> Result<(MemoryKind, Type)> {
        let shown = "Reg[T](0)";
        let element = self.element_type(call, shown)?;
        let init = match call.lists[..] {
            [] | [[]] => return Ok((MemoryKind::Register { init: None }, element)),
            [list] => single(list).ok_or_else(|| call.not_as(shown))?,
            _ => return Err(call.not_as(shown)),
        };
        let init = self.expression(init)?.stored_as(self.types.resolve(&element))?;
        Ok((MemoryKind::Register { init: Some(init) }, element))
    }

    /// `SparseParSRAM[T](par)(n, true)`
    fn copied(&self, call: &Call<'_>) -> Result<(MemoryKind, Type)> {
        let shown = "SparseParSRAM[T](par)(n, true)";
        let element = self.element_type(call, shown)?;
        let [par, size] = call.lists[..] else { return Err(call.not_as(shown)) };
        let par = self.integer(single(par).ok_or_else(|| call.not_as(shown))?)?;
        let (size, has_barriers) = match size {
            [size, TermArgument { value, .. }] => match value.kind {
                TermKind::Bool(has_barriers) => (size, has_barriers),
                _ => return Err(call.not_as(shown)),
            },
            _ => return Err(call.not_as(shown)),
        };
        let size = self.integer(&size.value)?;
        let copies = Copies { par, has_barriers };
        let is_swizzled = call.name.text == "SparseParSRAMSwizzle";
        let variant =
            if is_swizzled { SparseVariant::ParSwizzle(copies) } else { SparseVariant::Par(copies) };
        Ok((MemoryKind::SparseSram { variant, size }, element))
    }

    /// `Barrier[Token](0)`, `Barrier[Token](init=1)`
    fn barrier_declaration(&self, name: &Word, call: &Call<'_>) -> Result<(Kind, Declared)> {
        let is_of_tokens = matches!(call.types, [TypeName { name, .. }] if name == "Token");
        if !is_of_tokens {
            return Err(call.not_as(BARRIER.shown));
        }
        let ([init], []) = BARRIER.fill(call)?;
        let kind = Kind::Barrier { name: name.text.clone(), init: self.integer(init)? };
        Ok((kind, Declared { what: What::Barrier, typed: Typed::Unknown, size: None, span: name.span }))
    }

    fn element_type(&self, call: &Call<'_>, shown: &'static str) -> Result<Type> {
        let [of] = call.types else { return Err(call.not_as(shown)) };
        self.types.read(of)
    }
}

/// A call with a mark behind it, apart: `SRAM[T](n).buffer`.
fn marked<'tree>(call: &Call<'tree>) -> Option<(Mark, Call<'tree>)> {
    let mark = match call.name.text.as_str() {
        "buffer" => Mark::Buffer,
        "nonbuffer" => Mark::NonBuffer,
        "retiming" => Mark::Retiming,
        _ => return None,
    };
    let of = Call::of(call.receiver?).filter(|of| !of.is_bare())?;
    call.lists.is_empty().then_some((mark, of))
}

/// Memories that are not of the accelerator's chip.
fn not_here(name: &str, call: &Call<'_>) -> Result<Option<(Kind, Declared)>> {
    match name {
        "DRAM" | "ArgIn" | "ArgOut" => {
            let message = format!("`{name}` is of the host, and found inside of `Accel`");
            Err(Diagnostic::error(call.span, message).hint("declare it in front of `Accel { … }`"))
        }
        "LUT" | "RegFile" | "FIFOReg" | "LIFO" | "LineBuffer" | "MergeBuffer" if !call.types.is_empty() => {
            Err(Diagnostic::not_supported(call.span, format!("memories of kind `{name}`"))
                .hint("there are `SRAM`, `SparseSRAM`, `FIFO` and `Reg`"))
        }
        _ => Ok(None),
    }
}
