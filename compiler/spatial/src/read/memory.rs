//! Declarations of memories, on chip and off.

use comet_diag::Diagnostic;

use super::arguments::{Signature, single};
use super::call::Call;
use super::function::dimensions;
use super::reader::Reader;
use super::scope::What;
use crate::app::{Copies, Expr, HostKind, Kind, Memory, MemoryKind, SparseVariant, Type};
use crate::text::tree::{Argument, TermKind, TypeName, Word};

const BARRIER: Signature = Signature { shown: "Barrier[Token](0)", names: &["init"], required: 1 };

impl Reader {
    /// What a `val` of the accelerator declares, if its value is a memory or a barrier.
    pub(super) fn memory(
        &mut self,
        name: &Word,
        call: &Call<'_>,
    ) -> Result<Option<(Kind, What)>, Diagnostic> {
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
            "Barrier" => return self.barrier_declaration(name, call).map(Some),
            other => return not_here(other, call),
        };
        let resolved = self.types.resolve(&element);
        Ok(Some((Kind::Memory(Memory { name: name.text.clone(), kind, element }), what(resolved))))
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
                (HostKind::Dram { name: named(), element: of, size, is_sparse: false, par: None }, what)
            }
            "SparseDRAM" => self.sparse_dram(name, call)?,
            "SRAM" | "FIFO" | "Reg" | "SparseSRAM" | "SparseParSRAM" | "SparseParSRAMSwizzle" | "Barrier" => {
                let message = format!("`{}` is on chip, and found outside of `Accel`", call.name.text);
                return Err(Diagnostic::error(call.span, message).hint("declare it inside of `Accel { … }`"));
            }
            _ => return Ok(None),
        }))
    }

    /// `SparseDRAM[T](n)`, `SparseDRAM[T](par)(n)`
    fn sparse_dram(&self, name: &Word, call: &Call<'_>) -> Result<(HostKind, What), Diagnostic> {
        let shown = "SparseDRAM[T](par)(n)";
        let [par, size] = call.lists[..] else {
            let (size, of) = self.sized(call, "SparseDRAM[T](n)")?;
            return Ok(self.declared_sparse_dram(name, of, size, None));
        };
        let of = self.element_type(call, shown)?;
        let par = single(par).ok_or_else(|| call.not_as(shown))?;
        let size = single(size).ok_or_else(|| dimensions(call))?;
        Ok(self.declared_sparse_dram(name, of, self.integer(size)?, Some(self.integer(par)?)))
    }

    fn declared_sparse_dram(&self, name: &Word, of: Type, size: Expr, par: Option<Expr>) -> (HostKind, What) {
        let what = What::SparseDram { element: self.types.resolve(&of), size: size.clone() };
        (HostKind::Dram { name: name.text.clone(), element: of, size, is_sparse: true, par }, what)
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
            [size] => (size, true),
            [size, Argument { value, .. }] => match value.kind {
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

    /// The type between brackets.
    fn element_type(&self, call: &Call<'_>, shown: &'static str) -> Result<Type, Diagnostic> {
        let [of] = call.types else { return Err(call.not_as(shown)) };
        self.types.read(of)
    }
}

/// Memories that are not of the accelerator's chip.
fn not_here(name: &str, call: &Call<'_>) -> Result<Option<(Kind, What)>, Diagnostic> {
    match name {
        "DRAM" | "SparseDRAM" | "ArgIn" | "ArgOut" => {
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
