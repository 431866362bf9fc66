//! Diagnostics as text for a terminal.

use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str,
};

use crate::{Diagnostic, Severity, Source, Span};

/// Whether text has the escapes of terminals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// Plain text.
    #[default]
    Never,
    /// Text with escapes.
    Always,
}

/// Returns the diagnostic with the source lines it points at, without a newline at its end. Spans that do not
/// fit `source` are shown at the nearest place that does.
pub fn render(diagnostic: &Diagnostic, source: &Source, color: Color) -> String {
    let title = level(diagnostic.severity).primary_title(&diagnostic.message);
    let mut group = Group::with_title(title);
    if !diagnostic.labels.is_empty() {
        group = group.element(snippet(diagnostic, source));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(normalize_untrusted_str(hint)));
    }
    let renderer = match color {
        Color::Never => Renderer::plain(),
        Color::Always => Renderer::styled(),
    };
    renderer.render(&[group])
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

fn snippet<'a>(diagnostic: &'a Diagnostic, source: &'a Source) -> Snippet<'a, Annotation<'a>> {
    let spans: Vec<_> = diagnostic.labels.iter().map(|label| fitting(label.span, source.text())).collect();
    let (name, skipped) = source.part(spans.iter().map(|span| span.start).min().unwrap_or(0));
    let (first_line, window) = window(&spans, source, skipped);
    let kinds = std::iter::once(AnnotationKind::Primary).chain(std::iter::repeat(AnnotationKind::Context));
    let annotations = diagnostic.labels.iter().zip(spans).zip(kinds).map(|((label, span), kind)| {
        let text = Some(label.text.as_str()).filter(|text| !text.is_empty());
        kind.span(span.start - window.start..span.end - window.start).label(text)
    });
    let snippet = Snippet::source(&source.text()[window.clone()]).line_start(first_line - skipped);
    snippet.path(name).annotations(annotations)
}

/// The lines the spans are in, and the number of the first: the renderer walks through all it is given for
/// every message. The line in front of them is there for a place behind the last newline, which is shown at
/// the end of the line before it.
fn window(spans: &[Range<usize>], source: &Source, skipped: usize) -> (usize, Range<usize>) {
    let start = spans.iter().map(|span| span.start).min().unwrap_or(0);
    let end = spans.iter().map(|span| span.end).max().unwrap_or(0);
    let (_, line_start) = source.line(start);
    let before = source.line(line_start.saturating_sub(1));
    let (line, window_start) = if before.0 < skipped { source.line(start) } else { before };
    (line + 1, window_start..source.line_end(end))
}

/// The bytes of `span` that are in `text`, widened to whole characters: the renderer slices at both ends.
fn fitting(span: Span, text: &str) -> Range<usize> {
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let start = (0..=span.start.min(text.len())).rev().find(is_boundary).unwrap_or(0);
    let end = (span.end.clamp(start, text.len())..).find(is_boundary).unwrap_or(start);
    start..end
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;
    use crate::Label;

    fn shown(text: &str, diagnostic: &Diagnostic) -> String {
        render(diagnostic, &Source::new("a.ta", text), Color::Never)
    }

    /// Every part of a diagnostic is shown: the place, the remark, the second place, the hint.
    #[test]
    fn all_parts_are_shown() {
        let text = "def main() {\n  A[i] = b[j];\n}\n";
        let diagnostic = Diagnostic::error(Span::new(24, 25), "the label `j` has no size")
            .label("used here")
            .also(Span::new(15, 19), "in this statement")
            .hint("declare it: `IndexLabel [j] = [8];`");
        assert_snapshot!(shown(text, &diagnostic), @r"
        error: the label `j` has no size
         --> a.ta:2:12
          |
        2 |   A[i] = b[j];
          |   ----     ^ used here
          |   |
          |   in this statement
          |
          = help: declare it: `IndexLabel [j] = [8];`
        ");
    }

    /// A place behind the last character, and one in an empty source, are places.
    #[test]
    fn ends_and_empty_sources_have_a_place() {
        let diagnostic = Diagnostic::error(Span::new(10, 10), "expected `}`, found the end of the file");
        assert_snapshot!(shown("def main() {\n", &diagnostic), @r"
        error: expected `}`, found the end of the file
         --> a.ta:1:11
          |
        1 | def main() {
          |           ^
        ");
        assert_snapshot!(shown("", &diagnostic), @r"
        error: expected `}`, found the end of the file
         --> a.ta:1:1
          |
        1 |
          | ^
        ");
    }

    /// Columns count characters, so that a caret stands under the right one behind an umlaut.
    #[test]
    fn characters_of_several_bytes_count_once() {
        let diagnostic = Diagnostic::error(Span::new(7, 8), "unknown name `B`").label("here");
        assert_snapshot!(shown("# äöB\n", &diagnostic), @r"
        error: unknown name `B`
         --> a.ta:1:6
          |
        1 | # äöB
          |      ^ here
        ");
    }

    /// A text behind another one has its own name and lines.
    #[test]
    fn places_in_an_appendix() {
        let source = Source::new("a.ta", "x = 1;\ny = 2;").with_appendix("more", "order(i);\nsplit(j);");
        let shown =
            |start, end| render(&Diagnostic::error(Span::new(start, end), "wrong"), &source, Color::Never);
        assert_snapshot!(shown(14, 19), @r"
        error: wrong
         --> more:1:1
          |
        1 | order(i);
          | ^^^^^
        ");
        assert_snapshot!(shown(24, 29), @r"
        error: wrong
         --> more:2:1
          |
        2 | split(j);
          | ^^^^^
        ");
        assert_snapshot!(shown(7, 8), @r"
        error: wrong
         --> a.ta:2:1
          |
        2 | y = 2;
          | ^
        ");
    }

    /// A warning without a place is its title and its hint.
    #[test]
    fn without_a_place() {
        let diagnostic =
            Diagnostic { severity: Severity::Warning, ..Diagnostic::error_without_place("no input") };
        assert_snapshot!(shown("x", &diagnostic.hint("name a file")), @r"
        warning: no input
         |
         = help: name a file
        ");
    }

    /// The colored text is the plain one with escapes.
    #[test]
    fn color_adds_escapes_only() {
        let source = Source::new("a.ta", "x = 1;");
        let colored = render(&Diagnostic::error(Span::new(0, 1), "wrong"), &source, Color::Always);
        assert!(colored.contains("\u{1b}["), "{colored:?}");
    }

    proptest! {
        /// No span, fitting or not, makes the renderer panic.
        #[test]
        fn any_span_can_be_rendered(
            text in "([a-zäß€😀 \t\r\n]|\\PC){0,40}", spans in prop::collection::vec((0..60usize, 0..60usize), 1..4)
        ) {
            let mut diagnostic = Diagnostic::error(Span::default(), "message");
            diagnostic.labels = spans
                .into_iter()
                .map(|(start, end)| Label { span: Span { start, end }, text: "label".to_owned() })
                .collect();
            let shown = render(&diagnostic, &Source::new("a.ta", text), Color::Always);
            prop_assert!(shown.contains("message"));
        }
    }
}
