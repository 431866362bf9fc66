//! Tokens to a syntax tree.
//!
//! The generated parser recovers at the end of a statement, a block or a header. Where a slip is recognized
//! as such (a missing `;`, a missing `end`), skipping a whole statement would hide the errors in it; then the
//! token that is missing is put in and the file is parsed again.

use comet_diag::{Diagnostic, Source, Span};

use crate::actions::Actions;
use crate::ast::{Assign, Ident, Module, Stmt, StmtKind, TargetedSchedule};
use crate::context::contextualize;
use crate::depth::check_depth;
use crate::fault::{Repair, SyntaxFault};
use crate::grammar::ModuleParser;
use crate::lexer::{self, Spanned};
use crate::token::Token;

/// How many tokens the parser looks at in all its runs together, so that a long file without a single `;`
/// does not take long.
const MAX_WORK: usize = 200_000;
/// How often it runs at most.
const MAX_RUNS: usize = 64;

/// The tree of a whole file.
///
/// # Errors
/// Every error of the file, in its order.
pub fn parse(source: &Source) -> Result<Module, Vec<Diagnostic>> {
    match parse_with_recovery(source) {
        (module, errors) if errors.is_empty() => Ok(module),
        (_, errors) => Err(errors),
    }
}

/// The tree of what could be read, with [`crate::ast::ExprKind::Error`] in the gaps, and every error of the
/// file in its order. A file that is nested too deeply is an empty tree.
pub fn parse_with_recovery(source: &Source) -> (Module, Vec<Diagnostic>) {
    let lexed = lexer::lex(source.own_text());
    if let Some(error) = check_depth(&lexed.tokens) {
        return (Module::default(), in_order(lexed.errors, vec![error]));
    }
    let (module, mut errors) = parse_tokens(&lexed.tokens, source.own_text());
    errors.retain(|(_, statement)| !is_disturbed(*statement, &lexed.errors));
    let errors = errors.into_iter().map(|(error, _)| error).collect();
    (module, in_order(lexed.errors, errors))
}

/// The statements of a text without a function around them; the last `;` may be left out. Declarations are
/// statements like others.
///
/// # Errors
/// Every error of the text, in its order.
pub fn parse_statements(source: &Source) -> Result<Vec<Stmt>, Vec<Diagnostic>> {
    let text = source.own_text();
    let lexed = lexer::lex(text);
    let unbalanced = unbalanced_brace(&lexed.tokens, text);
    if let Some(error) = check_depth(&lexed.tokens).or(unbalanced) {
        return Err(in_order(lexed.errors, vec![error]));
    }
    let mut tokens = at_place("def f() {", 0);
    tokens.extend(lexed.tokens);
    tokens.extend(at_place("; }", text.len()));
    let (module, errors) = parse_tokens(&tokens, text);
    let errors = in_order(lexed.errors, errors.into_iter().map(|(error, _)| error).collect());
    match errors.is_empty() {
        true => Ok(module.functions.into_iter().flat_map(|function| function.body).collect()),
        false => Err(errors),
    }
}

/// The schedules in the appendix of `source`: commands, with or without `schedule { … }` around them, for all
/// statements that have what they name; or `C { … }`, one or several, each for the statements that assign to
/// that tensor, and `C in f { … }` for those of a function. None where there is no appendix.
///
/// # Errors
/// Every error of the appendix, in its order.
pub fn parse_schedules(source: &Source) -> Result<Vec<TargetedSchedule>, Vec<Diagnostic>> {
    let Some(start) = source.appendix_start() else { return Ok(Vec::new()) };
    // In front of the commands there is room for the program, so that they have their places in `source`.
    let text = " ".repeat(start) + &source.text()[start..];
    let lexed = lexer::lex(&text);
    if let Some(error) = check_depth(&lexed.tokens) {
        return Err(in_order(lexed.errors, vec![error]));
    }
    if let Some(error) = unbalanced_brace(&lexed.tokens, &text) {
        return Err(in_order(lexed.errors, vec![error]));
    }
    let is_targeted = is_targeted(&lexed.tokens, &text);
    let mut tokens = at_place("def f() {", start);
    let mut functions = Vec::new();
    if is_targeted {
        let (framed, named) = assignments(lexed.tokens, &text);
        tokens.extend(framed);
        functions = named;
    } else {
        let is_framed = begins_with(&lexed.tokens, &text, ["schedule", "{"]);
        let (before, after) = if is_framed { ("a[] = 0", ";") } else { ("a[] = 0 schedule {", "; };") };
        tokens.extend(at_place(before, start));
        tokens.extend(lexed.tokens);
        tokens.extend(at_place(after, text.len()));
    }
    tokens.extend(at_place("}", text.len()));
    let (module, errors) = parse_tokens(&tokens, &text);
    let errors = in_order(lexed.errors, errors.into_iter().map(|(error, _)| error).collect());
    if !errors.is_empty() {
        return Err(errors);
    }
    let found = module.functions.into_iter().next().map(|function| function.body).unwrap_or_default();
    let count = found.len();
    let mut schedules: Vec<TargetedSchedule> = found.into_iter().filter_map(targeted).collect();
    if !is_targeted {
        schedules.iter_mut().for_each(|schedule| schedule.target = None);
    }
    schedules.iter_mut().zip(functions).for_each(|(schedule, function)| schedule.function = function);
    if schedules.len() == count && (is_targeted || count == 1) {
        let repeated = repeated(&schedules);
        return if repeated.is_empty() { Ok(schedules) } else { Err(repeated) };
    }
    let message = "expected scheduling commands and nothing else";
    let error = Diagnostic::error(Span::new(start, text.len()), message);
    Err(vec![error.hint("write them as `order(i, k, j); split(k, ko, ki, 8)`, or `C { order(i, k, j); }`")])
}

/// The first brace without a partner: it would meet one of those that are put around the commands.
fn unbalanced_brace(tokens: &[Spanned<'_>], text: &str) -> Option<Diagnostic> {
    let mut open: Vec<Span> = Vec::new();
    for token in tokens {
        match &text[token.span.start..token.span.end] {
            "{" => open.push(token.span),
            "}" if open.pop().is_none() => {
                let error = Diagnostic::error(token.span, "this `}` closes nothing");
                return Some(error.hint("leave it out, or open it with `{`"));
            }
            _ => {}
        }
    }
    let error = Diagnostic::error(open.pop()?, "this `{` is not closed");
    Some(error.hint("close it with `}`"))
}

/// An error for each schedule of a tensor that has one already.
fn repeated(schedules: &[TargetedSchedule]) -> Vec<Diagnostic> {
    let of = |schedule: &'_ TargetedSchedule| {
        let function = schedule.function.as_ref().map(|function| function.name.clone());
        schedule.target.clone().map(|target| (target, function))
    };
    let targets: Vec<(Ident, Option<String>)> = schedules.iter().filter_map(of).collect();
    let earlier = |number: usize| {
        let (target, function) = &targets[number];
        targets[..number].iter().find(|(other, of)| other.name == target.name && of == function)
    };
    let error = |number| {
        let ((first, _), (target, _)) = (earlier(number)?, &targets[number]);
        let error = Diagnostic::error(target.span, format!("`{}` has a schedule already", target.name));
        Some(error.also(first.span, "the first one").hint("put all commands into one schedule"))
    };
    (0..targets.len()).filter_map(error).collect()
}

/// What the frame of a schedule has become.
fn targeted(stmt: Stmt) -> Option<TargetedSchedule> {
    match stmt.kind {
        StmtKind::Assign(Assign { tensor, schedule: Some(schedule), .. }) => {
            Some(TargetedSchedule { target: Some(tensor), function: None, schedule })
        }
        _ => None,
    }
}

/// Whether schedules for tensors come: a word other than `schedule`, and a brace, or a function in between.
fn is_targeted(tokens: &[Spanned<'_>], text: &str) -> bool {
    let written: Vec<&str> =
        tokens.iter().take(2).map(|token| &text[token.span.start..token.span.end]).collect();
    matches!(written[..], [word, "{" | "in"] if lexer::is_name(word) && word != "schedule")
}

/// `C { … }` and `C in f { … }` as `C[] = 0 schedule { … };`, one behind the other, with the functions.
fn assignments<'text>(tokens: Vec<Spanned<'text>>, text: &str) -> (Vec<Spanned<'text>>, Vec<Option<Ident>>) {
    let (mut framed, mut functions) = (Vec::new(), Vec::new());
    let (mut depth, mut function) = (0, None);
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let place = token.span.start;
        match &text[place..token.span.end] {
            "in" if depth == 0 => {
                let name = |token: &Spanned<'_>| lexer::is_name(&text[token.span.start..token.span.end]);
                match tokens.next_if(name) {
                    Some(Spanned { span, .. }) => {
                        function = Some(Ident { name: text[span.start..span.end].to_owned(), span });
                    }
                    // What is there instead is an error.
                    None => framed.push(token),
                }
            }
            "{" => {
                if depth == 0 {
                    framed.extend(at_place("[] = 0 schedule", place));
                    functions.push(function.take());
                }
                depth += 1;
                framed.push(token);
            }
            "}" if depth == 1 => {
                depth = 0;
                framed.extend(at_place(";", place));
                framed.push(token);
                framed.extend(at_place(";", place));
            }
            "}" => {
                depth = std::cmp::max(depth, 1) - 1;
                framed.push(token);
            }
            _ => framed.push(token),
        }
    }
    (framed, functions)
}

fn begins_with(tokens: &[Spanned<'_>], text: &str, words: [&str; 2]) -> bool {
    let written = tokens.iter().map(|token| &text[token.span.start..token.span.end]);
    written.take(words.len()).eq(words)
}

/// The tokens of a text that stands at one place.
fn at_place<'text>(text: &'static str, place: usize) -> Vec<Spanned<'text>> {
    let tokens = lexer::lex(text).tokens.into_iter();
    tokens.map(|spanned| Spanned { span: Span::new(place, place), ..spanned }).collect()
}

/// A syntax error in a statement whose characters could not all be read says nothing new.
fn is_disturbed(statement: Span, lexical: &[Diagnostic]) -> bool {
    let first =
        lexical.partition_point(|error| error.span().is_some_and(|span| span.start < statement.start));
    lexical.get(first).and_then(Diagnostic::span).is_some_and(|span| span.end <= statement.end)
}

/// Sorted by place; what two runs have both found is one error.
fn in_order(mut errors: Vec<Diagnostic>, more: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.extend(more);
    errors.sort_by_key(Diagnostic::span);
    errors.dedup();
    errors
}

/// An error with the part of its statement that lies before it.
type Placed = (Diagnostic, Span);

fn parse_tokens<'source>(tokens: &[Spanned<'source>], text: &'source str) -> (Module, Vec<Placed>) {
    let runs = (MAX_WORK / (tokens.len() + 1)).clamp(1, MAX_RUNS);
    let mut tokens = tokens.to_vec();
    let mut repaired = Vec::new();
    for _ in 1..runs {
        tokens = contextualize(&tokens);
        let run = ParserRun::new(&tokens, text);
        let Some((first, repair)) = run.first_repair() else { return run.finish(repaired) };
        repaired.push(first);
        apply(repair, &mut tokens);
    }
    ParserRun::new(&contextualize(&tokens), text).finish(repaired)
}

/// The names behind `def`, also of functions that cannot be read.
fn function_names<'source>(tokens: &[Spanned<'source>]) -> Vec<&'source str> {
    let named = tokens.windows(2).filter_map(|pair| match (pair[0].token, pair[1].token) {
        (Token::Def, Token::Ident(name)) => Some(name),
        _ => None,
    });
    named.collect()
}

struct ParserRun<'run, 'source> {
    module: Module,
    faults: Vec<SyntaxFault<'run, 'source>>,
    word_errors: Vec<Diagnostic>,
}

impl<'run, 'source> ParserRun<'run, 'source> {
    fn new(tokens: &'run [Spanned<'source>], text: &'source str) -> Self {
        let mut actions = Actions::default();
        let triples = tokens.iter().map(|spanned| (spanned.span.start, spanned.token, spanned.span.end));
        let module = ModuleParser::new().parse(&mut actions, triples).unwrap_or_else(|error| {
            actions.syntax_errors.push(error);
            Module::default()
        });
        actions.finish(&function_names(tokens), &module);
        let faults =
            actions.syntax_errors.into_iter().map(|error| SyntaxFault::new(error, tokens, text)).collect();
        Self { module, faults, word_errors: actions.word_errors }
    }

    /// Later errors may be consequences of the first, so only one slip is repaired at a time.
    fn first_repair(&self) -> Option<(Placed, Repair)> {
        self.faults.iter().find_map(|fault| {
            let (error, repair) = fault.explain();
            Some(((error, fault.statement_span()), repair?))
        })
    }

    fn finish(self, mut errors: Vec<Placed>) -> (Module, Vec<Placed>) {
        errors.extend(self.faults.iter().map(|fault| (fault.explain().0, fault.statement_span())));
        errors.extend(self.word_errors.into_iter().map(|error| (error, Span::default())));
        (self.module, errors)
    }
}

fn apply(repair: Repair, tokens: &mut Vec<Spanned<'_>>) {
    match repair {
        Repair::Replace(replaced) => replaced.into_iter().for_each(|(at, token)| tokens[at].token = token),
        Repair::Insert(at, inserted) => {
            let end = at.checked_sub(1).map_or(0, |previous| tokens[previous].span.end);
            let put_in = |token: Token<'static>| Spanned { token, span: Span::new(end, end) };
            tokens.splice(at..at, inserted.into_iter().map(put_in));
        }
    }
}
