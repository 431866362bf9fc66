//! What the host does.

use super::Writer;
use comet_ir::{Attr, Block, Result, Ty, Val, spatial::Place};
use comet_spatial::app::{Expr, ExprKind, HostKind, Statement, Type};
use melior::ir::{RegionLike, ValueLike};

impl<'a, 'c> Writer<'a, 'c> {
    /// Writes a statement of the host.
    pub(super) fn host(&mut self, kind: &'a HostKind) -> Result<'c, ()> {
        match kind {
            HostKind::ArgIn(name, element) => {
                self.declare_of("spatial.arg_in", name, &[], Place::ArgIn, element)
            }
            HostKind::ArgOut(name, element) => {
                self.declare_of("spatial.arg_out", name, &[], Place::ArgOut, element)
            }
            HostKind::Dram { name, element, size } => {
                let size = self.expr(size, self.int())?;
                self.declare_of("spatial.dram", name, &[size], Place::Dram, element)
            }
            HostKind::LoadCsv(name, element, file) => self.load_csv(name, element, file),
            HostKind::GetMem(name, dram) => {
                let (dram, element) = self.memory(dram)?;
                let ty = self.place(Place::Array(element));
                self.declare("spatial.get_mem", name, &[dram], ty, Vec::new())
            }
            HostKind::Val(name, expr) => self.val(name, expr),
            HostKind::SetArg(name, value) => self.set("spatial.set_arg", name, value),
            HostKind::SetMem(dram, array) => {
                let operands = [self.named(dram)?, self.named(array)?];
                self.statement("spatial.set_mem", &operands, Vec::new())
            }
            HostKind::WriteCsv(array, file) => {
                let file = vec![("file", self.b.string_attribute(file))];
                self.statement("spatial.write_csv", &[self.named(array)?], file)
            }
            HostKind::Print(value) => {
                let value = self.any_expr(value)?;
                self.statement("spatial.print", &[value], Vec::new())
            }
            HostKind::PrintArray(array, text) => {
                let text = text.iter().map(|text| ("text", self.b.string_attribute(text))).collect();
                self.statement("spatial.print_array", &[self.named(array)?], text)
            }
            HostKind::Assert(condition) => {
                let condition = self.expr(condition, self.bit())?;
                self.statement("spatial.assert", &[condition], Vec::new())
            }
        }
    }

    fn load_csv(&mut self, name: &'a str, element: &Type, file: &str) -> Result<'c, ()> {
        let ty = self.place(Place::Array(self.element(element)?));
        let mut attributes = vec![("file", self.b.string_attribute(file))];
        attributes.extend(self.alias(element));
        self.declare("spatial.load_csv", name, &[], ty, attributes)
    }

    /// Writes the part for the accelerator.
    pub(super) fn accel(&mut self, block: &'a [Statement]) -> Result<'c, ()> {
        let region = self.b.region(&[]);
        let op = self.b.op_with_regions("spatial.accel", &[], &[], &[], vec![region])?;
        self.inside(op.body(0), &[], |writer| writer.block(block))
    }

    /// Gives a value a name, on either side; an array is computed under it.
    pub(super) fn val(&mut self, name: &'a str, expr: &'a Expr) -> Result<'c, ()> {
        if let ExprKind::Tabulate { element, size, binder, value } = &expr.kind {
            return self.tabulate(name, element.as_ref(), [size, value], binder);
        }
        let value = self.any_expr(expr)?;
        self.declare("spatial.val", name, &[value], value.r#type(), Vec::new())
    }

    fn tabulate(
        &mut self,
        name: &'a str,
        element: Option<&Type>,
        [size, value]: [&'a Expr; 2],
        binder: &'a String,
    ) -> Result<'c, ()> {
        let size = self.expr(size, self.int())?;
        let (region, binders) = self.body(&[binder]);
        let body = Block::from_ref(region.first_block().expect("the region has a block"));
        let element_type = match element {
            Some(element) => self.element(element)?,
            None => self.inferred(binder, body.argument(0), value),
        };
        let mut attributes = vec![("name", self.b.string_attribute(name)), binders];
        match element {
            Some(element) => attributes.extend(self.alias(element)),
            None => attributes.push(("inferred", self.unit())),
        }
        let ty = self.place(Place::Array(element_type));
        let op = self.b.op_with_regions("spatial.tabulate", &[size], &[ty], &attributes, vec![region])?;
        self.inside(body, &[binder], |writer| {
            let value = writer.expr(value, element_type)?;
            writer.statement("spatial.yield", &[value], Vec::new())
        })?;
        self.names.add(name, op.result(0));
        Ok(())
    }

    /// The type of the values of a body that is not written yet.
    fn inferred(&mut self, binder: &'a str, argument: Val<'c>, value: &Expr) -> Ty<'c> {
        let known = self.names.count();
        self.names.add(binder, argument);
        let ty = self.type_of(value).unwrap_or_else(|| self.type_of_constant(value));
        self.names.keep(known);
        ty
    }

    /// A type of the dialect.
    pub(super) fn place(&self, place: Place<'c>) -> Ty<'c> {
        place.to_type(self.b.context())
    }

    pub(super) fn unit(&self) -> Attr<'c> {
        Attr::unit(self.b.context())
    }
}
