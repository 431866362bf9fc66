//! Precedence, associativity, and every primary.

use insta::assert_snapshot;

use crate::expr;

/// The levels from low to high, each binding tighter than the one before it.
#[test]
fn levels() {
    assert_snapshot!(expr("a | b & c == d + e * -f"), @r"
    binary |
      name a
      binary &
        name b
        binary ==
          name c
          binary +
            name d
            binary *
              name e
              neg
                name f
    ");
    assert_snapshot!(expr("-f * e + d == c & b | a"), @r"
    binary |
      binary &
        binary ==
          binary +
            binary *
              neg
                name f
              name e
            name d
          name c
        name b
      name a
    ");
}

/// `*`, `/`, `.*` and the semirings are one level and associate to the left.
#[test]
fn products_are_one_level() {
    assert_snapshot!(expr("a * b / c .* d @(+,*) e @(min) f * g"), @r"
    binary *
      binary @(min)
        binary @(+,*)
          binary .*
            binary /
              binary *
                name a
                name b
              name c
            name d
          name e
        name f
      name g
    ");
}

/// Every binary operator associates to the left, comparisons too.
#[test]
fn left_associative() {
    assert_snapshot!(expr("a - b - c"), @r"
    binary -
      binary -
        name a
        name b
      name c
    ");
    assert_snapshot!(expr("a < b < c >= d != e"), @r"
    binary !=
      binary >=
        binary <
          binary <
            name a
            name b
          name c
        name d
      name e
    ");
    assert_snapshot!(expr("a | b | c"), @r"
    binary |
      binary |
        name a
        name b
      name c
    ");
}

/// A sign binds tighter than a product and repeats.
#[test]
fn signs() {
    assert_snapshot!(expr("a - -b * --c"), @r"
    binary -
      name a
      binary *
        neg
          name b
        neg
          neg
            name c
    ");
    assert_snapshot!(expr("-(a + b)"), @r"
    neg
      binary +
        name a
        name b
    ");
}

/// Parentheses leave no node.
#[test]
fn parentheses() {
    assert_snapshot!(expr("a * (b + (c))"), @r"
    binary *
      name a
      binary +
        name b
        name c
    ");
}

/// Signs and words of semirings.
#[test]
fn semirings() {
    assert_snapshot!(
        expr("a @(+, *) b @(min,+) c @(max,min) d @(any,pair) e @(|,&) f @(-) g @(first) h @(second,/) k"),
        @r"
    binary @(second,/)
      binary @(first)
        binary @(-)
          binary @(|,&)
            binary @(any,pair)
              binary @(max,min)
                binary @(min,+)
                  binary @(+,*)
                    name a
                    name b
                  name c
                name d
              name e
            name f
          name g
        name h
      name k
    "
    );
}

/// Accesses without labels and with repeated ones, calls with and without arguments, arrays in arrays.
#[test]
fn primaries() {
    assert_snapshot!(expr("f(A[], B[i,i], g(), [[1, -2], [3, x]], [], (y))"), @r"
    call f
      access A[]
      access B[i,i]
      call g
      array
        array
          number 1
          neg
            number 2
        array
          number 3
          name x
      array
      name y
    ");
}

/// A transposition is an operand like any other.
#[test]
fn transposition() {
    assert_snapshot!(expr("B[j,i] + transpose(A[i,j], {j,i}) * 2"), @r"
    binary +
      access B[j,i]
      binary *
        transpose A[i,j] {j,i}
        number 2
    ");
}
