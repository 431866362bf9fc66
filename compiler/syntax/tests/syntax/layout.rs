//! The canonical layout, with comments.

use comet_diag::Source;
use comet_syntax::format_module;
use insta::assert_snapshot;

/// The layout of a text, after a check that it does not change when it is laid out again.
fn laid_out(text: &str) -> String {
    let layout = |text: &str| format_module(&Source::new("a.ta", text));
    let once = layout(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(layout(&once).as_ref(), Ok(&once), "laid out twice");
    once
}

/// Spaces, parentheses and optional signs become canonical; numbers keep their spelling.
#[test]
fn canonical_signs() {
    assert_snapshot!(
        laid_out("def main(){IndexLabel i=[8];IndexLabel[a b]=[0:?:2];Tensor<double>A([a b],{ D CU },order={1,0});
                  Tensor<double> B([a,b],{(i,j)->(i/4:D,j:BV<64>)});A[a , b]<!M push>=((1e-3)*x[a])+2.50-(b-c);
                  x=-(-y)*(a/(b/c))@( + , * )d;y=transpose(A[a,b],{b,a});f ( [[1,2],[3 , 4]], \"s\");}"),
        @r#"
    def main() {
      IndexLabel [i] = [8];
      IndexLabel [a, b] = [0:?:2];
      Tensor<double> A([a, b], {D, CU}, order={1,0});
      Tensor<double> B([a, b], { (i, j) -> (i/4 : D, j : BV<64>) });
      A[a,b]<!M, push> = 1e-3 * x[a] + 2.50 - (b - c);
      x = --y * (a / (b / c)) @(+,*) d;
      y = transpose(A[a,b], {b,a});
      f([[1, 2], [3, 4]], "s");
    }
    "#
    );
}

/// Blocks, schedules and several functions.
#[test]
fn blocks() {
    assert_snapshot!(
        laid_out("def f(Tensor<double> A([i],Dense),int n)->double y{return;}def main(){for i in range(1,3):while x:
                  if a:x=1;else:end end end C[i]=A[i] schedule{order(i);tile(i:4,buffer=1KiB);
                  precompute(x,{i},{j},W:{D});precompute(x,{i},{j},V:onchip{D,CU});};D[i]=1 schedule{};if a: end}"),
        @r"
    def f(Tensor<double> A([i], Dense), int n) -> double y {
      return;
    }

    def main() {
      for i in range(1, 3):
        while x:
          if a:
            x = 1;
          else:
          end;
        end;
      end;
      C[i] = A[i] schedule {
        order(i);
        tile(i: 4, buffer = 1KiB);
        precompute(x, {i}, {j}, W : {D});
        precompute(x, {i}, {j}, V : onchip {D, CU});
      };
      D[i] = 1 schedule {};
      if a:
      end;
    }
    "
    );
}

/// Updates, branches with conditions, and jumps, with comments everywhere.
#[test]
fn control_flow() {
    assert_snapshot!(
        laid_out("def main(){if a:x+=1; # in if\nelif # behind elif\n (b) # before colon\n : # in elif\n # last in elif\n
                  elif c:else: # in else\n break; # behind break\n end while x:if x:continue;elif y:end;(break);end;x/=(a+b);}"),
        @r"
    def main() {
      if a:
        x += 1; # in if
        # behind elif
        # before colon
      elif b: # in elif
        # last in elif
      elif c:
      else: # in else
        break; # behind break
      end;
      while x:
        if x:
          continue;
        elif y:
        end;
        (break);
      end;
      x /= a + b;
    }
    "
    );
}

/// No comment is lost, whatever it stands in, and one blank line in a row is kept.
#[test]
fn comments() {
    assert_snapshot!(
        laid_out("# head\n\n\n# of main\ndef main( # in the header\n) { # behind the brace\n\n  # first\n\n\n  x = 1; # behind x
  # before y


  y = # in y\n 2 # behind y\n ;
  if x: # behind if\n # in then\n else # before colon\n : # behind else\n z = 1;\n # last in else\n end # behind end\n ;
  for i in range(0,\n # in for\n 3)\n : end;
  C[i] = A[i] schedule { # behind schedule\n # own\n order(i); # behind order\n # last\n }; # behind it
  D[i] = 1 schedule { # only\n };
  # last\n\n}  # behind main\n# tail\n\n# of all"),
        @r"
    # head

    # of main
    # in the header
    def main() { # behind the brace
      # first

      x = 1; # behind x
      # before y

      # in y
      y = 2; # behind y

      if x: # behind if
        # in then
        # before colon
      else: # behind else
        z = 1;
        # last in else
      end; # behind end

      # in for
      for i in range(0, 3):
      end;
      C[i] = A[i] schedule { # behind schedule
        # own
        order(i); # behind order
        # last
      }; # behind it
      D[i] = 1 schedule { # only
      };
      # last
    } # behind main

    # tail

    # of all
    "
    );
}

/// Parentheses around the left operand of a sum make it one term, so they stay; all others that precedence
/// does not ask for go.
#[test]
fn sums_in_parentheses() {
    assert_snapshot!(laid_out("def main() { y[i] = (((x[j] + z[j])) + (b[i])) * (d[i] * e[i]); y[i] = (x[j] - z[j]) + b[i] - (c[i] - 1); \
        y[i] = (x[j] * z[j]) + b[i]; y[i] = ((x[j] + z[j])); }"), @r"
    def main() {
      y[i] = ((x[j] + z[j]) + b[i]) * (d[i] * e[i]);
      y[i] = (x[j] - z[j]) + b[i] - (c[i] - 1);
      y[i] = x[j] * z[j] + b[i];
      y[i] = x[j] + z[j];
    }
    ");
}

/// Only comments are a program too, and none is an empty text.
#[test]
fn no_functions() {
    assert_snapshot!(laid_out("\n\n  # a\n\n# b"), @r"
    # a

    # b
    ");
    assert_eq!(laid_out(" \n"), "");
}

/// What does not parse is not laid out.
#[test]
fn errors_are_returned() {
    let errors =
        format_module(&Source::new("a.ta", "def main() { x = ; }")).expect_err("`x = ;` is an error");
    assert_eq!(errors.len(), 1);
}
