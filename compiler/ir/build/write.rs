//! Writes the Rust module of a dialect.

use crate::read::{
    Attribute, AttributeKind, Dialect, EnumAttribute, Group, GroupSize, OpArgument, Operation,
};
use std::fmt::Write;

/// Builders with more parameters than these take a struct with named fields.
const MOST_PARAMETERS: usize = 5;

/// The module of a dialect: its enumerations, its operations, and an enumeration of the operations.
pub(crate) fn dialect(dialect: &Dialect) -> String {
    let mut text = String::new();
    for item in &dialect.enums {
        enum_attribute(&mut text, item);
    }
    for operation in &dialect.operations {
        view(&mut text, operation);
    }
    any_operation(&mut text, dialect);
    text
}

/// Adds formatted text; writing to a string cannot fail.
macro_rules! add {
    ($text:expr, $($arguments:tt)*) => { let _ = writeln!($text, $($arguments)*); };
}

fn enum_attribute(text: &mut String, item: &EnumAttribute) {
    // Operators of the file reduce as well.
    let defined = if item.name == "Reduction" { "reductions" } else { "enumeration" };
    add!(text, "crate::attribute::{defined}! {{\n    /// {}.", capitalized(&item.summary));
    add!(text, "    {} {{", item.name);
    for case in &item.cases {
        add!(text, "        {} = {} {:?},", case.name, case.number, case.word);
    }
    add!(text, "    }}\n}}");
}

fn view(text: &mut String, operation: &Operation) {
    let view = &operation.view;
    add!(text, "crate::view::view! {{\n    /// `{}`: {}.", operation.name, operation.summary);
    add!(text, "    {view} {:?}\n}}", operation.name);
    add!(text, "impl<'c> {view}<'c> {{");
    let operands = operands(operation);
    for (index, group) in operands.iter().enumerate() {
        value_accessor(text, &operands, index, "operand");
        let position = position(&operands, index, "operand");
        if let Some(position) = position.filter(|_| group.count == GroupSize::One) {
            let name = &group.name;
            add!(
                text,
                "    pub fn set_{name}(self, value: crate::Val<'c>) {{ self.0.set_operand({position}, value) }}"
            );
        }
    }
    if operands.iter().any(|group| group.count != GroupSize::One) {
        let counts = counts(&operands);
        add!(
            text,
            "    fn operand_group(self, index: usize) -> Vec<crate::Val<'c>> {{\n        crate::view::group(&self.0.operands(), &crate::view::equal_segments(self.0.operand_count(), &[{counts}]), index)\n    }}"
        );
    }
    for index in 0..operation.results.len() {
        value_accessor(text, &operation.results.iter().collect::<Vec<_>>(), index, "result");
    }
    if operation.results.iter().any(|group| group.count != GroupSize::One) {
        let counts = counts(&operation.results.iter().collect::<Vec<_>>());
        add!(
            text,
            "    fn result_group(self, index: usize) -> Vec<crate::Val<'c>> {{\n        crate::view::group(&self.0.results(), &crate::view::equal_segments(self.0.result_count(), &[{counts}]), index)\n    }}"
        );
    }
    for argument in &operation.arguments {
        if let OpArgument::Attribute(attribute) = argument {
            attribute_accessors(text, attribute);
        }
    }
    for (index, region) in operation.regions.iter().enumerate() {
        let name = word(region);
        add!(text, "    pub fn {name}(self) -> crate::Block<'c> {{ self.0.body({index}) }}");
    }
    add!(text, "}}");
    builder(text, operation);
}

fn operands(operation: &Operation) -> Vec<&Group> {
    let groups = operation.arguments.iter().filter_map(|argument| match argument {
        OpArgument::Operand(group) => Some(group),
        OpArgument::Attribute(_) => None,
    });
    groups.collect()
}

fn counts(groups: &[&Group]) -> String {
    let count = |group: &&Group| if group.count == GroupSize::One { "true" } else { "false" };
    groups.iter().map(count).collect::<Vec<_>>().join(", ")
}

/// The expression of the position of a group of one value; `None` between groups of any size.
fn position(groups: &[&Group], index: usize, what: &str) -> Option<String> {
    let are_single = |groups: &[&Group]| groups.iter().all(|group| group.count == GroupSize::One);
    if are_single(&groups[..index]) {
        return Some(index.to_string());
    }
    let count = if what == "operand" { "operand_count" } else { "result_count" };
    are_single(&groups[index..]).then(|| format!("self.0.{count}() - {}", groups.len() - index))
}

fn value_accessor(text: &mut String, groups: &[&Group], index: usize, what: &str) {
    let group = groups[index];
    let name = word(&group.name);
    let (ty, value) = match group.count {
        GroupSize::One => {
            let value = match position(groups, index, what) {
                Some(position) => format!("self.0.{what}({position})"),
                None => format!("self.{what}_group({index})[0]"),
            };
            ("crate::Val<'c>", value)
        }
        GroupSize::Optional => {
            ("Option<crate::Val<'c>>", format!("self.{what}_group({index}).first().copied()"))
        }
        GroupSize::Variadic => ("Vec<crate::Val<'c>>", format!("self.{what}_group({index})")),
    };
    add!(text, "    pub fn {name}(self) -> {ty} {{ {value} }}");
}

fn attribute_accessors(text: &mut String, attribute: &Attribute) {
    let (name, key) = (word(&attribute.name), &attribute.name);
    if attribute.kind == AttributeKind::Unit {
        add!(text, "    pub fn {name}(self) -> bool {{ self.0.attribute({key:?}).is_some() }}");
        add!(
            text,
            "    pub fn set_{key}(self, is_set: bool) -> Self {{ crate::attribute::set(self.0, {key:?}, is_set.then(|| crate::Attr::unit(self.0.context()))); self }}"
        );
        return;
    }
    let (owned, given) = (owned_type(&attribute.kind), given_type(&attribute.kind));
    if attribute.is_optional {
        add!(
            text,
            "    pub fn {name}(self) -> Option<{owned}> {{ crate::attribute::optional(self.0, {key:?}) }}"
        );
        add!(
            text,
            "    pub fn set_{key}(self, value: Option<{given}>) -> Self {{ crate::attribute::set(self.0, {key:?}, value); self }}"
        );
    } else {
        add!(text, "    pub fn {name}(self) -> {owned} {{ crate::attribute::required(self.0, {key:?}) }}");
        add!(
            text,
            "    pub fn set_{key}(self, value: {given}) -> Self {{ crate::attribute::set(self.0, {key:?}, Some(value)); self }}"
        );
    }
}

/// The type of what an accessor returns.
fn owned_type(kind: &AttributeKind) -> String {
    match kind {
        AttributeKind::Texts => "Vec<String>".to_owned(),
        AttributeKind::Integers => "Vec<i64>".to_owned(),
        AttributeKind::Text => "&'c str".to_owned(),
        other => given_type(other),
    }
}

/// The type of what setters and builders take.
fn given_type(kind: &AttributeKind) -> String {
    match kind {
        AttributeKind::Unit | AttributeKind::Bool => "bool".to_owned(),
        AttributeKind::Text => "&str".to_owned(),
        AttributeKind::Texts => "&[String]".to_owned(),
        AttributeKind::Integer => "i64".to_owned(),
        AttributeKind::Integers => "&[i64]".to_owned(),
        AttributeKind::Float => "f64".to_owned(),
        AttributeKind::Type => "crate::Ty<'c>".to_owned(),
        AttributeKind::Enum(name) => name.clone(),
        AttributeKind::Other => "crate::Attr<'c>".to_owned(),
    }
}

/// A parameter of a builder: its name, its type, what it adds to the operation.
struct Parameter {
    name: String,
    ty: String,
    adds: String,
}

fn parameter(name: &str, ty: impl Into<String>, adds: String) -> Parameter {
    Parameter { name: word(name), ty: ty.into(), adds }
}

/// Writes `build`, which takes the operands and required attributes in the order of the declaration, the
/// types that do not follow from the operands', and those of the arguments of blocks. Attributes that may be
/// left out are set later.
fn builder(text: &mut String, operation: &Operation) {
    let view = &operation.view;
    let mut parameters: Vec<Parameter> = operation.arguments.iter().filter_map(argument_parameter).collect();
    let mut adds: Vec<String> = parameters.iter().map(|parameter| parameter.adds.clone()).collect();
    for result in &operation.results {
        let (found, add) = result_type(operation, result);
        parameters.extend(found);
        adds.push(add);
    }
    for region in &operation.regions {
        adds.push(if operation.has_block_arguments {
            let name = format!("{region}_arguments");
            parameters.push(parameter(&name, "&[crate::Ty<'c>]", String::new()));
            format!(".block({name})")
        } else {
            ".block(&[])".to_owned()
        });
    }
    let names = parameters.iter().map(|parameter| parameter.name.clone()).collect::<Vec<_>>().join(", ");
    let (list, open) = if parameters.len() > MOST_PARAMETERS {
        arguments_struct(text, view, &parameters);
        let lifetimes = lifetimes(&parameters).replace("'a", "'_");
        (format!("args: {view}Args<{lifetimes}>"), format!("let {view}Args {{ {names} }} = args; "))
    } else {
        let list = parameters.iter().map(|parameter| format!("{}: {}", parameter.name, parameter.ty));
        (list.collect::<Vec<_>>().join(", "), String::new())
    };
    let adds = adds.concat();
    add!(
        text,
        "impl<'c> {view}<'c> {{\n    pub fn build(b: crate::Builder<'c>, {list}) -> crate::Result<'c, Self> {{"
    );
    add!(
        text,
        "        {open}crate::view::NewOp::new(b, {:?}){adds}.insert().map(Self)\n    }}\n}}",
        operation.name
    );
}

fn arguments_struct(text: &mut String, view: &str, parameters: &[Parameter]) {
    add!(text, "/// What a [`{view}`] is built of.\npub struct {view}Args<{}> {{", lifetimes(parameters));
    for parameter in parameters {
        add!(text, "    pub {}: {},", parameter.name, parameter.ty.replace('&', "&'a "));
    }
    add!(text, "}}");
}

fn lifetimes(parameters: &[Parameter]) -> &'static str {
    if parameters.iter().any(|parameter| parameter.ty.contains('&')) { "'a, 'c" } else { "'c" }
}

fn argument_parameter(argument: &OpArgument) -> Option<Parameter> {
    match argument {
        OpArgument::Operand(Group { name, count, .. }) => {
            let variable = word(name);
            let (ty, adds) = match count {
                GroupSize::One => ("crate::Val<'c>", format!(".operands(&[{variable}])")),
                GroupSize::Optional => {
                    ("Option<crate::Val<'c>>", format!(".operands({variable}.as_slice())"))
                }
                GroupSize::Variadic => ("&[crate::Val<'c>]", format!(".operands({variable})")),
            };
            Some(parameter(name, ty, adds))
        }
        OpArgument::Attribute(attribute) if attribute.is_optional => None,
        OpArgument::Attribute(Attribute { name, kind, .. }) => {
            Some(parameter(name, given_type(kind), format!(".attribute({name:?}, {})", word(name))))
        }
    }
}

/// The parameter for the type of a result, where nothing fixes it, and the call that adds the type.
fn result_type(operation: &Operation, result: &Group) -> (Option<Parameter>, String) {
    let name = if result.count == GroupSize::One {
        format!("{}_type", result.name)
    } else {
        format!("{}_types", result.name)
    };
    if result.count == GroupSize::Variadic {
        return (Some(parameter(&name, "&[crate::Ty<'c>]", String::new())), format!(".results({name})"));
    }
    if let Some(ty) = result.ty {
        return (None, format!(".results(&[{ty}])"));
    }
    let same = operation.same_types.iter().find(|names| names.contains(&result.name));
    let operands = operands(operation);
    let like = operands
        .iter()
        .find(|group| group.count == GroupSize::One && same.is_some_and(|names| names.contains(&group.name)));
    match like {
        Some(group) => (None, format!(".result_like({})", word(&group.name))),
        None => (Some(parameter(&name, "crate::Ty<'c>", String::new())), format!(".results(&[{name}])")),
    }
}

fn any_operation(text: &mut String, dialect: &Dialect) {
    let name = capitalized(&dialect.name);
    let operations = &dialect.operations;
    add!(
        text,
        "/// An operation of the dialect `{}`.\n#[derive(Clone, Copy)]\npub enum {name}<'c> {{",
        dialect.name
    );
    for Operation { view, .. } in operations {
        add!(text, "    {view}({view}<'c>),");
    }
    add!(text, "}}\nimpl<'c> {name}<'c> {{\n    /// Views `op` as the operation of the dialect that it is.");
    add!(
        text,
        "    pub fn of(op: crate::Op<'c>) -> Option<Self> {{\n        Some(match op.name_in_context() {{"
    );
    for Operation { view, name, .. } in operations {
        add!(text, "            {name:?} => Self::{view}({view}(op)),");
    }
    add!(text, "            _ => return None,\n        }})\n    }}\n}}");
}

/// A name that is no keyword.
fn word(name: &str) -> String {
    match name {
        "type" | "in" | "ref" | "where" | "match" | "loop" | "move" | "as" | "use" | "if" | "else" => {
            format!("r#{name}")
        }
        _ => name.to_owned(),
    }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
