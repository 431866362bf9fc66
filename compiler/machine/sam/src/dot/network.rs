//! Statements to nodes and edges: names are resolved, every node has a type and every edge a kind of stream.

use std::collections::HashMap;

use comet_diag::{Diagnostic, Span};

use super::attributes::{AttributeValue, Attributes};
use super::syntax::{Attribute, Defaults, Document, DotStatement, Text};
use crate::graph::StreamKind;

/// A graph as the text has it, with broadcasts as nodes.
pub(crate) struct Network {
    pub(crate) keyword: Span,
    pub(crate) comment: Option<Text>,
    pub(crate) elements: Option<Text>,
    pub(crate) nodes: Vec<DotNode>,
    pub(crate) edges: Vec<Edge>,
}

pub(crate) struct DotNode {
    pub(crate) id: Text,
    pub(crate) attributes: Attributes,
}

pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) span: Span,
    pub(crate) kind: StreamKind,
    pub(crate) comment: String,
}

impl DotNode {
    pub(crate) fn type_name(&self) -> &str {
        self.attributes.get("type").map_or("", |value| value.text)
    }

    pub(crate) fn is_broadcast(&self) -> bool {
        self.type_name() == "broadcast"
    }

    /// An attribute that nodes of this type must have.
    pub(crate) fn need(&self, name: &str) -> Result<AttributeValue<'_>, Diagnostic> {
        self.attributes.get(name).filter(|value| !value.text.is_empty()).ok_or_else(|| {
            let message =
                format!("`{}` has no `{name}`, expected one for a `{}`", self.id.value, self.type_name());
            let hint =
                format!("give it as an attribute, `{name}=\"…\"`, or as `{name}=…` in the node's comment");
            Diagnostic::error(self.id.span, message).hint(hint)
        })
    }
}

pub(crate) fn build(document: Document) -> Result<Network, Diagnostic> {
    let mut builder = Builder::default();
    for statement in document.statements {
        builder.statement(statement)?;
    }
    let Builder { comment, elements, nodes, edges, .. } = builder;
    nodes.iter().try_for_each(|node| node_has_type(node, &edges))?;
    Ok(Network { keyword: document.keyword, comment, elements, nodes, edges })
}

#[derive(Default)]
struct Builder {
    comment: Option<Text>,
    elements: Option<Text>,
    nodes: Vec<DotNode>,
    ids: HashMap<String, usize>,
    edges: Vec<Edge>,
}

impl Builder {
    fn statement(&mut self, statement: DotStatement) -> Result<(), Diagnostic> {
        match statement {
            DotStatement::Set(attribute) => self.set(vec![attribute]),
            DotStatement::Defaults(Defaults::Graph, attributes) => self.set(attributes),
            DotStatement::Defaults(_, attributes) => return is_drawing_only(&attributes),
            DotStatement::Node(id, attributes) => return self.declare(id, attributes),
            DotStatement::Edges(ids, attributes) => return self.edges(ids, attributes),
        }
        Ok(())
    }

    /// Of the graph's own attributes all but these are a matter of drawing.
    fn set(&mut self, attributes: Vec<Attribute>) {
        for attribute in attributes {
            match attribute.name.value.as_str() {
                "comment" => self.comment = Some(attribute.value),
                "elements" => self.elements = Some(attribute.value),
                _ => {}
            }
        }
    }

    /// Several statements may say what a node is like, but only one what it does.
    fn declare(&mut self, id: Text, attributes: Vec<Attribute>) -> Result<(), Diagnostic> {
        let (place, name) = (id.span, id.value.clone());
        let node = self.node(id);
        let known = &mut self.nodes[node].attributes;
        let more = Attributes::new(attributes);
        if more.is_within(known) {
            return Ok(());
        }
        if let (Some(other), Some(_)) = (known.get("type"), more.get("type")) {
            return Err(Diagnostic::error(place, format!("two nodes are called `{name}`, expected one"))
                .also(other.span, "the other one")
                .hint("give one of them another identifier, in its edges as well"));
        }
        known.extend(more);
        Ok(())
    }

    /// The node of an identifier, which is made where it is first named.
    fn node(&mut self, id: Text) -> usize {
        let next = self.nodes.len();
        let node = *self.ids.entry(id.value.clone()).or_insert(next);
        if node == next {
            self.nodes.push(DotNode { id, attributes: Attributes::default() });
        }
        node
    }

    fn edges(&mut self, ids: Vec<Text>, attributes: Vec<Attribute>) -> Result<(), Diagnostic> {
        let spans: Vec<Span> = ids.iter().map(|id| id.span).collect();
        let nodes: Vec<usize> = ids.into_iter().map(|id| self.node(id)).collect();
        let attributes = Attributes::new(attributes);
        let kind = kind(&attributes, spans[0].to(spans[1]))?;
        let comment = attributes.own("comment").map_or("", |text| text.value.trim());
        for (ends, spans) in nodes.windows(2).zip(spans.windows(2)) {
            let (from, to, span) = (ends[0], ends[1], spans[0].to(spans[1]));
            self.edges.push(Edge { from, to, span, kind, comment: comment.to_owned() });
        }
        Ok(())
    }
}

/// Attributes of all nodes or edges at once are those of drawings.
fn is_drawing_only(attributes: &[Attribute]) -> Result<(), Diagnostic> {
    const READ: &[&str] = &[
        "type",
        "comment",
        "index",
        "tensor",
        "mode",
        "format",
        "root",
        "sub",
        "order",
        "outer",
        "inner",
        "empty",
        "const0",
        "rb_const",
        "in2",
        "in0",
        "element",
        "how",
        "reduction",
        "to",
        "form",
        "kept",
        "fibers",
        "places",
        "fill",
        "skips",
        "bits",
        "factor",
        "carries",
        "depth",
        "inputs",
        "lanes",
    ];
    let read = attributes.iter().find(|attribute| READ.contains(&attribute.name.value.as_str()));
    read.map_or(Ok(()), |attribute| {
        let what = format!("`{}` for all nodes or edges at once", attribute.name.value);
        let hint = "write the attribute at each node and edge";
        Err(Diagnostic::not_supported(attribute.name.span, what).hint(hint))
    })
}

fn kind(attributes: &Attributes, span: Span) -> Result<StreamKind, Diagnostic> {
    const HINT: &str = "streams are `crd`, `ref`, `val`, `repsig` or `bv`: `1 -> 0 [type=\"val\"]`";
    let Some(name) = attributes.own("type") else {
        return Err(Diagnostic::error(span, "this edge has no `type`, expected what moves on it").hint(HINT));
    };
    StreamKind::ALL.into_iter().find(|kind| kind.name() == name.value).ok_or_else(|| {
        Diagnostic::error(name.span, format!("`{}` is no kind of stream", name.value)).hint(HINT)
    })
}

/// Nodes without attributes come from edges only: their identifier may be mistyped.
fn node_has_type(node: &DotNode, edges: &[Edge]) -> Result<(), Diagnostic> {
    if node.attributes.get("type").is_some() {
        return Ok(());
    }
    let id = &node.id.value;
    let error =
        Diagnostic::error(node.id.span, format!("`{id}` has no `type`, expected what the block does"));
    let is_of_edge =
        edges.iter().any(|edge| edge.span.start <= node.id.span.start && node.id.span.end <= edge.span.end);
    Err(error.hint(if is_of_edge {
        "no statement gives this node a type: declare it, or correct the identifier"
    } else {
        "write the type as an attribute, `type=\"mul\"`, or in the node's comment"
    }))
}
