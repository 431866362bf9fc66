//! Command lines to programs and to messages; `test/tools/comet/expr*.test` has more of both.

use comet_diag::render;
use comet_taco::{CommandLine, Flag, translate};
use insta::assert_snapshot;
use proptest::prelude::*;

const FLAGS: [Flag; 6] = [Flag::Format, Flag::Element, Flag::Size, Flag::Input, Flag::Output, Flag::Schedule];

/// The program, or the messages; `flags` are written as on a command line, `f=A:ds`.
fn shown(expression: &str, flags: &[&str]) -> String {
    let flags = flags.iter().map(|flag| {
        let (letter, value) = flag.split_once('=').expect("a flag has a value");
        (
            FLAGS.into_iter().find(|flag| letter == flag.letter().to_string()).expect("a flag"),
            value.to_owned(),
        )
    });
    let line = CommandLine::new(expression, flags);
    match translate(&line) {
        Ok(translation) => comet_syntax::print_module(&translation.module),
        Err(errors) => {
            let errors: Vec<String> =
                errors.iter().map(|error| render(error, line.source(), comet_diag::Color::Never)).collect();
            errors.join("\n")
        }
    }
}

/// The assignment alone.
fn assignment(expression: &str, flags: &[&str]) -> String {
    let shown = shown(expression, flags);
    let line = shown.lines().find(|line| line.contains(" = ") && !line.contains("IndexLabel"));
    line.unwrap_or(&shown).trim().to_owned()
}

/// Parentheses that make a sum one term stay, all others go; subscripts are indices.
#[test]
fn expressions_keep_their_meaning() {
    assert_snapshot!(assignment("y(i) = ((a(j)+b(j))+c(i)) * (d(i))", &[]), @"y[i] = ((a[j] + b[j]) + c[i]) * d[i];");
    assert_snapshot!(assignment("y(i)=(a(j)+b(j)+c(i))*-d(i)", &[]), @"y[i] = (a[j] + b[j] + c[i]) * -d[i];");
    assert_snapshot!(assignment("y_i = A_{i,j} / x_j * 2. - .5e1", &[]), @"y[i] = A[i,j] / x[j] * 2.0 - 5.0;");
}

/// A number alone cannot fill what is sparse.
#[test]
fn numbers_in_sparse_results_are_expressions() {
    assert_snapshot!(assignment("a(i)=-3", &["f=a:s"]), @"a[i] = -3 * 1;");
    assert_snapshot!(assignment("a(i)=-3", &[]), @"a[i] = -3;");
}

/// Keywords of the other language are names in this one, also in flags and schedules.
#[test]
fn keywords_are_names() {
    assert_snapshot!(
        shown("int(in)=end(in,while)", &["f=end:ds", "d=in:3", "o=int:a.mtx", "s=reorder(while,in)"]), @r#"
    def main() {
      IndexLabel [in_] = [3];
      IndexLabel [while_] = [42];
      Tensor<double> int_([in_], Dense);
      Tensor<double> end_([in_, while_], {D, CU});
      int_[in_] = end_[in_,while_] schedule {
        order(while_, in_);
      };
      comet_write(int_[in_], "a.mtx");
    }
    "#);
}

/// One number for a name that a tensor and an index have is the index's, several are the tensor's; what
/// shares a tensor's mode with something that has a size needs no default.
#[test]
fn sizes_find_their_owner() {
    assert_snapshot!(shown("i(i)=j(i,k)+j(j,l)", &["d=i:2", "d=j:2,4"]), @r"
    def main() {
      IndexLabel [k, j, l] = [?];
      IndexLabel [i] = [2];
      Tensor<double> i([i], Dense);
      Tensor<double> j([2, 4], Dense);
      i[i] = j[i,k] + j[j,l];
      print(i);
    }
    ");
}

/// A tensor of which only windows are accessed has TACO's size, or what its windows need. A file states its
/// own, and so does another access.
#[test]
fn windows_state_no_sizes_of_tensors() {
    assert_snapshot!(shown("y(i)=x(i(0,5))+A(i(1,6),j(2,99))", &[]), @r"
    def main() {
      IndexLabel [i, j] = [?];
      Tensor<double> y([i], Dense);
      Tensor<double> x([42], Dense);
      Tensor<double> A([42, 99], Dense);
      y[i] = x[i in 0:5] + A[i in 1:6,j in 2:99];
      print(y);
    }
    ");
    assert_snapshot!(shown("y(i)=x(i(0,5))*x(j+1)*z(i(2,7))", &["i=z:z.tns"]), @r#"
    def main() {
      IndexLabel [i] = [?];
      IndexLabel [j] = [42];
      Tensor<double> y([i], Dense);
      Tensor<double> x([j], Dense);
      Tensor<double> z([?], Dense);
      z[i] = comet_read("z.tns");
      y[i] = x[i in 0:5] * x[j + 1] * z[i in 2:7];
      print(y);
    }
    "#);
}

/// Every error of the expression's tensors is reported, and errors of flags that do not depend on them.
#[test]
fn errors_do_not_hide_each_other() {
    assert_snapshot!(shown("y(i)=A(i)+A+A(i,j)", &["f=A", "s=split(i,"]), @r"
    error: `A` has 0 indices here
     --> <expression>:1:11
      |
    1 | y(i)=A(i)+A+A(i,j)
      |      ---- ^
      |      |
      |      and 1 index here
      |
      = help: a tensor has one rank in an expression; give one of the two another name
    error: `A` has 2 indices here
     --> <expression>:1:13
      |
    1 | y(i)=A(i)+A+A(i,j)
      |      ----   ^^^^^^
      |      |
      |      and 1 index here
      |
      = help: a tensor has one rank in an expression; give one of the two another name
    error: `-f` takes a name and a value with `:` between them
     --> <expression>:2:4
      |
    2 | -f=A
      |    ^
      |
      = help: write `-f=A:ds` or `-f=A:ds:1,0`
    error: expected an expression or `{`, found the end of the text
     --> <expression>:3:12
      |
    3 | -s=split(i,
      |            ^
      |
      = help: write commands as `reorder(i,j), split(i,i0,i1,32)`
    ");
}

/// Guards four rules of schedules: names may contain underscores; later commands may use a workspace by its
/// name; a workspace whose index has the name of the statement's index introduces no label; `x_i` is the
/// vector `x` with its index.
#[test]
fn schedules_name_workspaces_and_words_with_underscores() {
    let schedule = [
        "f=A:ds",
        "s=split(i,i_0,i_1,4)",
        "s=precompute(A(i,j)+B(i,j),j,j,w_1)",
        "s=precompute(w_1(j)+C(i,j),{j},{j_pre}),precompute(x_i,i_1,i_1),assemble(w_1,Insert)",
    ];
    assert_snapshot!(
        shown("D(i,j)=x_i*(A(i,j)+B(i,j)+C(i,j))", &schedule)
            .split_once("schedule").map_or("no schedule", |(_, schedule)| schedule), @r"
     {
        split(i, i_0, i_1, 4);
        precompute(A[i,j] + B[i,j], {j}, {j}, w_1 : {D});
        precompute(w_1[j] + C[i,j], {j}, {j_pre}, workspace : {D});
        precompute(x[i], {i_1}, {i_1}, workspace_1 : {D});
        assemble(w_1, insert);
      };
      print(D);
    }
    ");
}

/// The last factor and the last unit of a loop hold, as in TACO.
#[test]
fn later_marks_of_a_loop_replace_earlier_ones() {
    let schedule = [
        "s=unroll(j,4),unroll(j,8)",
        "s=parallelize(i,CPUVector,NoRaces),parallelize(i,CPUThread,NoRaces)",
        "s=parallelize(j,CPUThread,Atomics),parallelize(j,NotParallel,NoRaces)",
    ];
    assert_snapshot!(
        shown("y(i)=A(i,j)*x(j)", &schedule)
            .split_once("schedule").map_or("no schedule", |(_, schedule)| schedule), @r"
     {
        unroll(j, 8);
        parallelize(i, cpu);
      };
      print(y);
    }
    ");
}

/// An exact bound is the extent of an index that nothing else states.
#[test]
fn bounds_state_extents() {
    let labels = |flags: &[&str]| {
        let shown = shown("y(i)=A(i,j)*x(j)", flags);
        let labels = shown.lines().map(str::trim).filter(|line| line.starts_with("IndexLabel"));
        labels.collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(labels(&["s=bound(i,ib,16,MaxExact)"]), @r"
    IndexLabel [i] = [16];
    IndexLabel [j] = [42];
    ");
    assert_snapshot!(labels(&["s=bound(i,ib,16,MaxExact)", "d=i:10"]), @r"
    IndexLabel [i] = [10];
    IndexLabel [j] = [42];
    ");
    assert_snapshot!(labels(&["s=bound(j,jb,16,MaxExact)", "i=x:x.tns"]), @r"
    IndexLabel [j] = [?];
    IndexLabel [i] = [42];
    ");
}

/// Words between them make expressions, schedules and flags, right and wrong.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("y"),
        Just("A(i,j)"),
        Just("A"),
        Just("x(j)"),
        Just("("),
        Just(")"),
        Just("="),
        Just("+"),
        Just("-"),
        Just("*"),
        Just("/"),
        Just(","),
        Just(";"),
        Just("_"),
        Just("{"),
        Just("}"),
        Just("2"),
        Just("1e400"),
        Just("99999999999999999999"),
        Just("split"),
        Just("fuse(i,j,f)"),
        Just("pos"),
        Just("parallelize"),
        Just("precompute"),
        Just("CPUVector"),
        Just("i_0"),
        Just("bound(i,ib,3,MaxExact)"),
        Just("é"),
        Just("["),
        Just(":"),
        Just("ds"),
        Just("uq:1,0"),
        Just(" ")
    ];
    prop::collection::vec(word, 0..12).prop_map(|words| words.concat())
}

proptest! {
    /// No text makes the front end panic, and what it accepts can be read again.
    #[test]
    fn any_command_line_is_answered(
        expression in prop_oneof![words(), "\\PC{0,20}", words().prop_map(|tail| format!("y(i)=A(i,j)*x(j){tail}"))],
        flags in prop::collection::vec((0..6usize, prop_oneof![words(), "\\PC{0,10}"]), 0..4)
    ) {
        let line = CommandLine::new(&expression, flags.into_iter().map(|(flag, value)| (FLAGS[flag], value)));
        match translate(&line) {
            Ok(translation) => {
                let has_strings = translation.paths.iter().any(|path| path.contains(['"', '\n', '\r']));
                let text = comet_syntax::print_module(&translation.module);
                let read = comet_syntax::parse(&comet_diag::Source::new("program.ta", text));
                prop_assert!(has_strings || read.is_ok());
            }
            Err(errors) => {
                prop_assert!(!errors.is_empty());
                for error in errors {
                    render(&error, line.source(), comet_diag::Color::Always);
                }
            }
        }
    }
}
