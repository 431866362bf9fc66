//! What a text consists of.

use comet_diag::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) items: Vec<Item>,
    /// The comments to ends of lines, without `//`.
    pub(crate) comments: Vec<Word>,
    pub(crate) names: Vec<String>,
    pub(crate) end: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    Class(Class),
    /// `type T = Int`
    Type(Word, TypeName),
    /// `val n: T = …`
    Val(Word, Option<TypeName>, Term),
    /// `def main(args: Array[String]): Unit = …`
    Def(Def),
    /// `m(i) = x`
    Assign(Term, Term),
    Term(Term),
}

/// `class K_0 extends K(2)`, `@spatial abstract class K(bp: scala.Int = 2) extends SpatialApp { … }`.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) name: Word,
    /// Whether there is one of it, which can be launched.
    pub(crate) is_object: bool,
    pub(crate) parameters: Vec<ClassParameter>,
    /// What it extends first, with the values of that one's parameters.
    pub(crate) parent: Option<(Word, Vec<TermArgument>)>,
    pub(crate) body: Vec<Item>,
}

/// `bp: scala.Int = 2`
#[derive(Clone, Debug)]
pub(crate) struct ClassParameter {
    pub(crate) name: Word,
    pub(crate) of: TypeName,
    pub(crate) value: Option<Term>,
}

#[derive(Clone, Debug)]
pub(crate) struct Def {
    pub(crate) name: Word,
    pub(crate) parameters: Vec<Word>,
    pub(crate) body: Term,
}

/// `scala.Int`, `Array[String]`
#[derive(Clone, Debug)]
pub(crate) struct TypeName {
    /// With its dots.
    pub(crate) name: String,
    pub(crate) arguments: Vec<TypeName>,
    pub(crate) span: Span,
}

/// A value, or what stands where one does.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum TermKind {
    Int(i64),
    Float(f64),
    Text(String),
    Bool(bool),
    Name(String),
    /// `a.b`
    Select(Box<Term>, Word),
    /// `a[T]`
    Types(Box<Term>, Vec<TypeName>),
    /// `a(b, c = d)`, `a.b(c)` and `a b c`; `a { i => … }` with a [`TermKind::Braces`].
    Apply(Box<Term>, Vec<TermArgument>),
    /// `a + b`
    Binary(Word, Box<Term>, Box<Term>),
    /// `-a`
    Prefix(Word, Box<Term>),
    /// `if (a) b else c`
    If(Box<Term>, Box<Term>, Option<Box<Term>>),
    /// `{ i => … }`, `(i => …)`
    Braces(Braces),
    /// `(a, b)`
    Tuple(Vec<TermArgument>),
}

#[derive(Clone, Debug)]
pub(crate) struct TermArgument {
    pub(crate) name: Option<Word>,
    pub(crate) value: Term,
}

#[derive(Clone, Debug)]
pub(crate) struct Braces {
    pub(crate) binders: Option<Binders>,
    pub(crate) items: Vec<Item>,
}

/// What a function calls its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Binders {
    /// Whether they are the parts of one: `case List(i, a) =>`.
    pub(crate) is_list: bool,
    pub(crate) names: Vec<Word>,
    pub(crate) span: Span,
}
