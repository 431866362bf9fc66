//! Assignments, masks, loops, branches, and what separates statements.

use insta::assert_snapshot;

use crate::{errors_in, tree};

/// The three assignments to tensors and the two to scalars.
#[test]
fn assignments() {
    assert_snapshot!(tree("A[i,j] = 1.0; A[] += x; A[i] -= b[i]; var s = SUM(A[i]); s = s + 1;"), @r"
    assign A[i,j] =
      number 1.0
    assign A[] +=
      name x
    assign A[i] -=
      access b[i]
    var s
      call SUM
        access A[i]
    set s
      binary +
        name s
        number 1
    ");
}

/// Every form of a mask; the comma may be left out, and `>=` without a space ends it.
#[test]
fn masks() {
    assert_snapshot!(
        tree("C[i,k]<M> = A[i,k]; C[i,k]<!M> += A[i,k]; C[i,k]<M, push> -= A[i,k]; C[i,k]<M pull>=A[i,k]; \
              C[i,k] < ! M , auto > = A[i,k]; C[]<M,> = 1; C[i]<M>+=b[i];"),
        @r"
    assign C[i,k]<M> =
      access A[i,k]
    assign C[i,k]<!M> +=
      access A[i,k]
    assign C[i,k]<M, push> -=
      access A[i,k]
    assign C[i,k]<M, pull> =
      access A[i,k]
    assign C[i,k]<!M, auto> =
      access A[i,k]
    assign C[]<M> =
      number 1
    assign C[i]<M> +=
      access b[i]
    "
    );
}

/// The `<` behind an access is a mask only where an assignment follows.
#[test]
fn comparisons_are_no_masks() {
    assert_snapshot!(tree("A[i] < M; x = A[i] < M > y; while A[i] < M >= 2: end; f(A[i] < b, c > d);"), @r"
    expr
      binary <
        access A[i]
        name M
    set x
      binary >
        binary <
          access A[i]
          name M
        name y
    while
      binary >=
        binary <
          access A[i]
          name M
        number 2
      body
    expr
      call f
        binary <
          access A[i]
          name b
        binary >
          name c
          name d
    ");
    assert_snapshot!(tree("(A[i] < M >= x);"), @r"
    expr
      binary >=
        binary <
          access A[i]
          name M
        name x
    ");
}

/// A mask names a method of three.
#[test]
fn unknown_mask_method() {
    assert_snapshot!(errors_in("C[i]<M, pusch> = A[i];\nD[i]<M push pull> = A[i];"), @r"
    error: expected `push`, `pull` or `auto`, found `pusch`
     --> a.ta:2:9
      |
    2 | C[i]<M, pusch> = A[i];
      |         ^^^^^
      |
      = help: a mask is written `<M>`, `<!M>` or `<M, push>`
    error: expected `>`, found `pull`
     --> a.ta:3:13
      |
    3 | D[i]<M push pull> = A[i];
      |             ^^^^
      |
      = help: a mask stands behind the labels: `C[i,j]<M>`, `C[i,j]<!M>` or `C[i,j]<M, push>`
    ");
}

/// Loops and branches in each other, with and without the semicolon behind their `end`.
#[test]
fn loops_and_branches() {
    assert_snapshot!(
        tree("for i in range(3): for j in range(0, n): x = x + j; end; end \
              for k in range(10, 0, -2): print(k); end; \
              while x < 3: if x == 1: x = 2; else: x = 3; y = 1; end end; \
              if y: end; if y: else: end;"),
        @r"
    for i
      number 3
      body
        for j
          number 0
          name n
          body
            set x
              binary +
                name x
                name j
    for k
      number 10
      number 0
      neg
        number 2
      body
        expr
          call print
            name k
    while
      binary <
        name x
        number 3
      body
        if
          binary ==
            name x
            number 1
          body
            set x
              number 2
          else
            set x
              number 3
            set y
              number 1
    if
      name y
      body
    if
      name y
      body
      else
    "
    );
}

/// `s op= e` keeps its operator.
#[test]
fn updates_of_scalars() {
    assert_snapshot!(tree("s += x; s -= 1 + x; s *= 2; s/=s;"), @r"
    update s +=
      name x
    update s -=
      binary +
        number 1
        name x
    update s *=
      number 2
    update s /=
      name s
    ");
}

/// Branches with conditions of their own, in their order.
#[test]
fn several_conditions() {
    assert_snapshot!(tree("if x == 1: y = 1; elif (x == 2): elif -x > 2: y = 3; else: y = 4; end;"), @r"
    if
      binary ==
        name x
        number 1
      body
        set y
          number 1
      elif
        binary ==
          name x
          number 2
        body
      elif
        binary >
          neg
            name x
          number 2
        body
          set y
            number 3
      else
        set y
          number 4
    ");
}

/// `break` and `continue` are statements; all three words stay names elsewhere.
#[test]
fn jumps_and_their_names() {
    assert_snapshot!(
        tree("while 1: if break: break; elif elif: continue; end; continue; end; elif = break + continue; \
              break = 1; break[i] = continue[i]; elif[i] = A[i] schedule { split(i, break, continue, 2); }; \
              elif(x); (break); elif;"),
        @r"
    while
      number 1
      body
        if
          name break
          body
            break
          elif
            name elif
            body
              continue
        continue
    set elif
      binary +
        name break
        name continue
    set break
      number 1
    assign break[i] =
      access continue[i]
    assign elif[i] =
      access A[i]
      schedule
        split
          name i
          name break
          name continue
          number 2
    expr
      call elif
        name x
    expr
      name break
    expr
      name elif
    "
    );
}

/// Empty statements are none.
#[test]
fn empty_statements() {
    assert_snapshot!(tree(";; x = 1;;; if x: ; end;;"), @r"
    set x
      number 1
    if
      name x
      body
    ");
    assert_snapshot!(tree(""), @"");
}

/// A function returns nothing or an expression; a call is a statement.
#[test]
fn returns_and_calls() {
    assert_snapshot!(tree("print(A); return; return x + 1; printElapsedTime(t0, t1);"), @r"
    expr
      call print
        name A
    return
    return
      binary +
        name x
        number 1
    expr
      call printElapsedTime
        name t0
        name t1
    ");
}

/// `range` takes no more than three bounds.
#[test]
fn bounds_of_range() {
    assert_snapshot!(errors_in("for i in range(1, 2, 3, 4): end;\nfor i in range(): end;"), @r"
    error: `range` takes one to three bounds, found 4
     --> a.ta:2:15
      |
    2 | for i in range(1, 2, 3, 4): end;
      |               ^^^^^^^^^^^^
      |
      = help: write `range(stop)`, `range(start, stop)` or `range(start, stop, step)`
    error: expected an expression, found `)`
     --> a.ta:3:16
      |
    3 | for i in range(): end;
      |                ^
      |
      = help: a loop is written `for i in range(0, 8): … end;`
    ");
}

/// Guards that words of control flow are names behind a `:` in parentheses.
#[test]
fn words_of_control_flow_in_commands() {
    let text = "def main() { if a: else: C[] = a schedule { precompute(a, {}, {}, elif : break, continue : elif, a: 2); }; end; }";
    let (_, errors) = comet_syntax::parse_with_recovery(&comet_diag::Source::new("a.ta", text));
    assert!(errors.is_empty(), "{errors:?}");
}
