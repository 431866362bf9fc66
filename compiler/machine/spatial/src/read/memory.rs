//! Declarations of memories, on chip and off.

use comet_diag::Diagnostic;

use super::arguments::{Signature, single};
use super::call::Call;
use super::function::dimensions;
use super::name::word;
use super::reader::TextReader;
use super::scope::What;
use super::transfer::agree;
use crate::app::{Copies, Expr, HostKind, Kind, Mark, Memory, MemoryKind, SparseVariant, Type};
use crate::text::tree::{Term, TermArgument, TermKind, TypeName, Word};

const BARRIER: Signature = Signature { shown: "Barrier[Token](0)", names: &["init"], required: 1 };

impl TextReader {
    /// What a `val` of the accelerator declares, if its value is a memory or a barrier.
    pub(super) fn memory(
        &mut self,
        name: &Word,
        call: &Call<'_>,
    ) -> Result<Option<(Kind, What)>, Diagnostic> {
        if let Some((mark, of)) = marked(call) {
            let Some((kind, what)) = self.memory(name, &of)? else { return Ok(None) };
            return self.with_mark(kind, mark, call).map(|kind| Some((kind, what)));
        }
        if call.receiver.is_some() {
            return Ok(None);
        }
        let (kind, element, what): (_, _, fn(Type) -> What) = match call.name.text.as_str() {
            "SRAM" => {
                let (size, element) = self.sized(call, "SRAM[T](n)")?;
                (MemoryKind::Sram { size }, element, What::Sram)
            }
            "FIFO" => {
                let (depth, element) = self.sized(call, "FIFO[T](16)")?;
                (MemoryKind::Fifo { depth }, element, What::Fifo)
            }
            "Reg" => {
                let (init, element) = self.initialized(call)?;
                (MemoryKind::Register { init }, element, What::Register)
            }
            "SparseSRAM" => {
                let (size, element) = self.sized(call, "SparseSRAM[T](n)")?;
                (MemoryKind::SparseSram { variant: SparseVariant::Plain, size }, element, What::SparseSram)
            }
            "SparseParSRAM" | "SparseParSRAMSwizzle" => {
                let (kind, element) = self.copied(call)?;
                (kind, element, What::SparseSram)
            }
            "SparseDRAM" => {
                let (kind, element) = self.sparse_dram(call)?;
                (kind, element, What::SparseDram)
            }
            "Barrier" => return self.barrier_declaration(name, call).map(Some),
            other => return not_here(other, call),
        };
        let resolved = self.types.resolve(&element);
        let memory = Memory { name: name.text.clone(), kind, element, marks: Vec::new() };
        Ok(Some((Kind::Memory(memory), what(resolved))))
    }

    /// A declaration with `.buffer`, `.nonbuffer` or `.retiming` behind it.
    fn with_mark(&self, kind: Kind, mark: Mark, call: &Call<'_>) -> Result<Kind, Diagnostic> {
        let Kind::Memory(mut memory) = kind else {
            return Err(Diagnostic::error(call.name.span, format!("a barrier has no `.{}`", call.name.text)));
        };
        let is_fifo = matches!(memory.kind, MemoryKind::Fifo { .. });
        if is_fifo != (mark == Mark::Retiming) {
            let (what, hint) = match is_fifo {
                true => ("a FIFO", "a FIFO is one already: it needs no copy for each round"),
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
    pub(super) fn host_memory(
        &self,
        name: &Word,
        call: &Call<'_>,
    ) -> Result<Option<(HostKind, What)>, Diagnostic> {
        if call.receiver.is_some() {
            return Ok(None);
        }
        let named = || name.text.clone();
        Ok(Some(match call.name.text.as_str() {
            "ArgIn" => {
                let (of, resolved) = self.scalar(call, "ArgIn[T]")?;
                (HostKind::ArgIn(named(), of), What::ArgIn(resolved))
            }
            "ArgOut" => {
                let (of, resolved) = self.scalar(call, "ArgOut[T]")?;
                (HostKind::ArgOut(named(), of), What::ArgOut(resolved))
            }
            "DRAM" => {
                let (size, of) = self.sized(call, "DRAM[T](n)")?;
                let what = What::Dram { element: self.types.resolve(&of), size: size.clone() };
                (HostKind::Dram { name: named(), element: of, size }, what)
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
        }))
    }

    /// `SparseDRAM[T](par)(n)`
    fn sparse_dram(&self, call: &Call<'_>) -> Result<(MemoryKind, Type), Diagnostic> {
        let shown = "SparseDRAM[T](par)(n)";
        let element = self.element_type(call, shown)?;
        let [par, size] = call.lists[..] else { return Err(call.not_as(shown)) };
        let par = self.integer(single(par).ok_or_else(|| call.not_as(shown))?)?;
        let size = self.integer(single(size).ok_or_else(|| dimensions(call))?)?;
        Ok((MemoryKind::SparseDram { par, size }, element))
    }

    /// `m.alias = d`
    pub(super) fn alias(&self, of: &Term, dram: &Term) -> Result<Kind, Diagnostic> {
        let (memory, name) = (word(of, "a `SparseDRAM`")?, word(dram, "a DRAM")?);
        let element = match &self.find(&memory)?.what {
            What::SparseDram(of) => Some(of.clone()),
            What::Unknown => None,
            _ => {
                return Err(self
                    .unexpected(&memory, "a `SparseDRAM`")
                    .hint("only a `SparseDRAM` has the elements of another memory"));
            }
        };
        let of_dram = self.dram(&name)?.map(|(element, _)| element);
        agree(&memory, element.as_ref(), of_dram.as_ref())?;
        Ok(Kind::Alias { memory: memory.text, dram: name.text })
    }

    /// `M[T]`
    fn scalar(&self, call: &Call<'_>, shown: &'static str) -> Result<(Type, Type), Diagnostic> {
        if !call.lists.iter().all(|list| list.is_empty()) {
            return Err(call.not_as(shown));
        }
        let of = self.element_type(call, shown)?;
        let resolved = self.types.resolve(&of);
        Ok((of, resolved))
    }

    /// `M[T](n)`
    fn sized(&self, call: &Call<'_>, shown: &'static str) -> Result<(Expr, Type), Diagnostic> {
        let element = self.element_type(call, shown)?;
        let list = call.list(shown)?;
        if list.len() > 1 {
            return Err(dimensions(call));
        }
        let size = single(list).ok_or_else(|| call.not_as(shown))?;
        Ok((self.integer(size)?, element))
    }

    /// `Reg[T](0)`, `Reg[T]`
    fn initialized(&self, call: &Call<'_>) -> Result<(Option<Expr>, Type), Diagnostic> {
        let shown = "Reg[T](0)";
        let element = self.element_type(call, shown)?;
        let init = match call.lists[..] {
            [] | [[]] => return Ok((None, element)),
            [list] => single(list).ok_or_else(|| call.not_as(shown))?,
            _ => return Err(call.not_as(shown)),
        };
        let init = self.expression(init)?.stored_as(&self.types.resolve(&element))?;
        Ok((Some(init), element))
    }

    /// `SparseParSRAM[T](par)(n, true)`
    fn copied(&self, call: &Call<'_>) -> Result<(MemoryKind, Type), Diagnostic> {
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
    fn barrier_declaration(&self, name: &Word, call: &Call<'_>) -> Result<(Kind, What), Diagnostic> {
        let is_of_tokens = matches!(call.types, [TypeName { name, .. }] if name == "Token");
        if !is_of_tokens {
            return Err(call.not_as(BARRIER.shown));
        }
        let arguments = BARRIER.fill(call.list(BARRIER.shown)?, call.span)?;
        let [Some(init)] = arguments[..] else { unreachable!("the signature requires it") };
        Ok((Kind::Barrier { name: name.text.clone(), init: self.integer(init)? }, What::Barrier))
    }

    fn element_type(&self, call: &Call<'_>, shown: &'static str) -> Result<Type, Diagnostic> {
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
fn not_here(name: &str, call: &Call<'_>) -> Result<Option<(Kind, What)>, Diagnostic> {
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
