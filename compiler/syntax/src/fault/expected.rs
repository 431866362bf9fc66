//! Sets of terminals as a phrase: "`;` or an operator", not thirty tokens.

use super::SyntaxFault;

/// A set of terminals that the user knows by one word; the terminals are separated by spaces.
struct Group {
    /// The set is this group when it holds all of these.
    signs: &'static str,
    /// Then these are said by the word.
    members: &'static str,
    word: &'static str,
}

/// In this order: a statement may begin with an expression, and an expression with a name. Behind a name an
/// operator may follow, but also the bracket of an access or a call, which is no news to anybody.
const GROUPS: [Group; 7] = [
    Group {
        signs: "IndexLabel",
        members: "IndexLabel Tensor var return break continue for while if ; transpose double float int name number ( [ -",
        word: "a statement",
    },
    Group { signs: "Tensor", members: "Tensor double float int name", word: "a declaration" },
    Group {
        signs: "transpose :",
        members: "transpose double float int name number ( [ - :",
        word: "an index",
    },
    Group {
        signs: "transpose",
        members: "transpose double float int name number ( [ - string",
        word: "an expression",
    },
    Group { signs: "@", members: "+ - * / .* @ & | == != < <= > >= ( [ schedule", word: "an operator" },
    Group { signs: "name + |", members: "name + - * / & |", word: "an operator" },
    Group { signs: "= += -=", members: "= += -= *= /= mask<", word: "an assignment" },
];

/// What would have fit in place of the fault.
pub(super) fn phrase(fault: &SyntaxFault<'_, '_>) -> String {
    let mut rest: Vec<&str> = fault.expected.iter().map(String::as_str).collect();
    let mut words = Vec::new();
    for group in &GROUPS {
        if group.signs.split(' ').all(|sign| rest.contains(&sign)) {
            rest.retain(|terminal| !group.members.split(' ').any(|member| member == *terminal));
            words.push(group.word);
        }
    }
    // Only functions that are operators state so.
    rest.retain(|terminal| *terminal != "operator");
    // Behind the first word of an index, a window is no news.
    if rest.contains(&"]") {
        rest.retain(|terminal| !matches!(*terminal, "in" | ":"));
    }
    let mut items: Vec<String> = rest.into_iter().map(|terminal| item(terminal, fault)).collect();
    items.sort_by_key(|item| item.starts_with('`'));
    items.dedup();
    join(with_words(items, &words))
}

/// Statements and expressions are said before the signs that may stand instead of them, operators behind.
fn with_words(items: Vec<String>, words: &[&str]) -> Vec<String> {
    let (behind, before): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| is_said_behind(word));
    let before = before.into_iter().map(str::to_owned);
    before.chain(items).chain(behind.into_iter().map(str::to_owned)).collect()
}

fn is_said_behind(word: &str) -> bool {
    matches!(word, "an operator" | "an assignment")
}

fn item(terminal: &str, fault: &SyntaxFault<'_, '_>) -> String {
    match terminal {
        "name" if fault.is_in_access() => "a label".to_owned(),
        "name" => "a name".to_owned(),
        "number" => "a number".to_owned(),
        "string" => "a string".to_owned(),
        "body{" => "`{`".to_owned(),
        "mask<" => "`<`".to_owned(),
        fixed => format!("`{fixed}`"),
    }
}

fn join(mut items: Vec<String>) -> String {
    match (items.pop(), items.is_empty()) {
        (Some(last), true) => last,
        (Some(last), false) => format!("{} or {last}", items.join(", ")),
        (None, _) => "the end of the file".to_owned(),
    }
}
