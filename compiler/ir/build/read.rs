//! Reads the records of a dialect: what each operation has, as plain data.

use serde_json::Value as Json;

pub(crate) struct Dialect {
    pub(crate) name: String,
    pub(crate) operations: Vec<Operation>,
    pub(crate) enums: Vec<EnumAttribute>,
}

pub(crate) struct Operation {
    /// The name of its view: `Forall`.
    pub(crate) view: String,
    /// Its name in MLIR: `cin.forall`.
    pub(crate) name: String,
    pub(crate) summary: String,
    /// Operands and attributes, in the order of the declaration.
    pub(crate) arguments: Vec<OpArgument>,
    pub(crate) results: Vec<Group>,
    /// The names of its regions, each of which has a block.
    pub(crate) regions: Vec<String>,
    /// Whether the blocks of its regions have arguments.
    pub(crate) has_block_arguments: bool,
    /// Sets of operands and results that have one type.
    pub(crate) same_types: Vec<Vec<String>>,
}

/// An operand or an attribute.
pub(crate) enum OpArgument {
    Operand(Group),
    Attribute(Attribute),
}

/// Operands or results that have one name.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) count: GroupSize,
    /// The expression of its type, where the declaration fixes it.
    pub(crate) ty: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupSize {
    One,
    Optional,
    Variadic,
}

pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) kind: AttributeKind,
    pub(crate) is_optional: bool,
}

/// What an attribute holds.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum AttributeKind {
    Unit,
    Bool,
    Text,
    Texts,
    Integer,
    Integers,
    Float,
    Type,
    Enum(String),
    Other,
}

/// An attribute that is one of some cases.
pub(crate) struct EnumAttribute {
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) cases: Vec<Case>,
}

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) word: String,
    pub(crate) number: i64,
}

/// Reads the operations and enumerations of the dialect `name`.
pub(crate) fn dialect(name: &str, records: &Json) -> Dialect {
    let is_own = |record: &&Json| text(&records[definition(&record["opDialect"])], "name") == name;
    let operations = instances(records, "Op").filter(is_own).map(|record| operation(name, records, record));
    let enums = instances(records, "EnumAttrInfo")
        .filter(|record| text(record, "cppNamespace") == format!("::comet::{name}"));
    Dialect {
        name: name.to_owned(),
        operations: operations.collect(),
        enums: enums.map(|record| enum_attribute(records, record)).collect(),
    }
}

fn instances<'a>(records: &'a Json, class: &str) -> impl Iterator<Item = &'a Json> {
    list(&records["!instanceof"][class]).iter().filter_map(Json::as_str).map(|name| &records[name])
}

fn operation(dialect: &str, records: &Json, record: &Json) -> Operation {
    let definition_name = text(record, "!name");
    let view = definition_name.split_once('_').map_or(definition_name, |(_, name)| name);
    let traits: Vec<&Json> =
        list(&record["traits"]).iter().map(|reference| &records[definition(reference)]).collect();
    let has_trait = |name: &str| traits.iter().any(|record| text(record, "!name") == name);
    assert!(!has_trait("AttrSizedOperandSegments"), "{definition_name}: its views would read wrong operands");
    let arguments: Vec<OpArgument> =
        members(&record["arguments"]).map(|(name, class)| argument(records, name, class)).collect();
    let results: Vec<Group> =
        members(&record["results"]).map(|(name, class)| group(records, name, class)).collect();
    let mut same_types: Vec<Vec<String>> = traits
        .iter()
        .map(|record| list(&record["values"]).iter().filter_map(Json::as_str).map(str::to_owned).collect())
        .collect();
    if has_trait("SameOperandsAndResultType") {
        let operands = arguments.iter().filter_map(|argument| match argument {
            OpArgument::Operand(group) => Some(group),
            OpArgument::Attribute(_) => None,
        });
        same_types.push(operands.chain(&results).map(|group| group.name.clone()).collect());
    }
    Operation {
        view: view.strip_suffix("Op").unwrap_or(view).to_owned(),
        name: format!("{dialect}.{}", text(record, "opName")),
        summary: text(record, "summary").to_owned(),
        arguments,
        results,
        regions: members(&record["regions"]).map(|(name, _)| name.to_owned()).collect(),
        has_block_arguments: !has_trait("NoRegionArguments"),
        same_types,
    }
}

fn argument(records: &Json, name: &str, class: &str) -> OpArgument {
    if is_a(&records[class], "AttrConstraint") && is_a(&records[class], "Attr") {
        let kind = attribute_kind(records, class);
        let is_optional = kind == AttributeKind::Unit || records[class]["isOptional"] == 1;
        return OpArgument::Attribute(Attribute { name: name.to_owned(), kind, is_optional });
    }
    OpArgument::Operand(group(records, name, class))
}

fn attribute_kind(records: &Json, class: &str) -> AttributeKind {
    let record = &records[class];
    if let Some(base) = record["baseAttr"]["def"].as_str() {
        return attribute_kind(records, base);
    }
    if is_a(record, "EnumAttrInfo") {
        return AttributeKind::Enum(text(record, "className").to_owned());
    }
    match class {
        "CIN_ReductionWord" => AttributeKind::Enum("Reduction".to_owned()),
        "UnitAttr" => AttributeKind::Unit,
        "BoolAttr" => AttributeKind::Bool,
        "StrAttr" => AttributeKind::Text,
        "StrArrayAttr" => AttributeKind::Texts,
        "I64Attr" => AttributeKind::Integer,
        "DenseI64ArrayAttr" => AttributeKind::Integers,
        "F64Attr" => AttributeKind::Float,
        "TypeAttr" => AttributeKind::Type,
        _ => AttributeKind::Other,
    }
}

fn group(records: &Json, name: &str, class: &str) -> Group {
    let count = match &records[class] {
        record if is_a(record, "Optional") => GroupSize::Optional,
        record if is_a(record, "Variadic") => GroupSize::Variadic,
        _ => GroupSize::One,
    };
    Group { name: name.to_owned(), count, ty: known_type(class) }
}

/// The expression of a type that has no parameters.
fn known_type(class: &str) -> Option<&'static str> {
    Some(match class {
        "Index" => "crate::types::index(b.context())",
        "I1" => "crate::types::int(b.context(), 1)",
        "I32" => "crate::types::int(b.context(), 32)",
        "I64" => "crate::types::int(b.context(), 64)",
        "F64" => "crate::Ty::float64(b.context())",
        "CIN_IndexType" => "crate::types::cin_index(b.context())",
        "TA_RangeType" => "crate::types::range(b.context())",
        _ => return None,
    })
}

fn enum_attribute(records: &Json, record: &Json) -> EnumAttribute {
    let case = |reference: &Json| {
        let record = &records[definition(reference)];
        let number = record["value"].as_i64().expect("a case of an enumeration has a number");
        Case { name: text(record, "symbol").to_owned(), word: text(record, "str").to_owned(), number }
    };
    EnumAttribute {
        name: text(record, "className").to_owned(),
        summary: text(record, "summary").to_owned(),
        cases: list(&record["enumerants"]).iter().map(case).collect(),
    }
}

/// The names and definitions of the arguments of a DAG.
fn members(dag: &Json) -> impl Iterator<Item = (&str, &str)> {
    list(&dag["args"])
        .iter()
        .map(|pair| (pair[1].as_str().expect("members have names"), definition(&pair[0])))
}

fn is_a(record: &Json, class: &str) -> bool {
    list(&record["!superclasses"]).iter().any(|name| name == class)
}

fn definition(reference: &Json) -> &str {
    reference["def"].as_str().unwrap_or_default()
}

fn text<'a>(record: &'a Json, field: &str) -> &'a str {
    record[field].as_str().unwrap_or_default()
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}
