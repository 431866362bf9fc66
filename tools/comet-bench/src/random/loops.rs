//! The loops of an expression in C, as one would write them: over the rows, and in each row over the entries,
//! merged by comparing coordinates where two operands are sparse.

use super::expression::{DrawnTarget, DrawnTensor, EXTENTS, Expression, Factor, Join, Storage};
use std::fmt::Write as _;

/// A program that is given the folder of the arrays and a number of repetitions, and prints the seconds of
/// each.
pub(super) fn program(expression: &Expression) -> String {
    let mut text = String::from("#include \"support.h\"\n\nenum { ");
    text += &EXTENTS.map(|(label, extent)| format!("{} = {extent}", label.to_uppercase())).join(", ");
    text += " };\n\n";
    text + &kernel(expression) + &main(expression)
}

fn kernel(expression: &Expression) -> String {
    let parameters: Vec<String> =
        arrays(expression).into_iter().map(|array| array.parameter()).chain([target(expression)]).collect();
    let sparse = sparse(expression);
    let mut text = format!("static void kernel({}) {{\n", parameters.join(", "));
    text += match expression.target {
        DrawnTarget::Sparse => "  long n = 0;\n  C_pos[0] = 0;\n",
        DrawnTarget::Rows => "",
        _ => "  memset(C, 0, COUNT * sizeof *C);\n",
    };
    for operand in &sparse {
        if operand.storage == Storage::Dcsr {
            let _ = writeln!(text, "  long {0}r = 0;", operand.name);
        }
    }
    text += "  for (long i = 0; i < I; i++) {\n";
    if expression.target == DrawnTarget::Rows {
        text += "    double sum = 0;\n";
    }
    sparse.iter().for_each(|operand| text += &segment(operand));
    text += &row(expression, &sparse);
    text += match expression.target {
        DrawnTarget::Sparse => "    C_pos[i + 1] = n;\n",
        DrawnTarget::Rows => "    C[i] = sum;\n",
        _ => "",
    };
    text.replace("COUNT", &count(expression)) + "  }\n}\n\n"
}

/// A sparse operand.
struct LoopOperand {
    name: &'static str,
    storage: Storage,
}

fn sparse(expression: &Expression) -> Vec<LoopOperand> {
    let operand =
        |tensor: DrawnTensor| Some(LoopOperand { name: tensor.name, storage: tensor.entries?.storage });
    expression.operands().into_iter().filter_map(operand).collect()
}

/// The entries of row i, from `Ap` up to `Ae`.
fn segment(operand: &LoopOperand) -> String {
    let text = match operand.storage {
        Storage::Csr => "    long Xp = X_pos[i], Xe = X_pos[i + 1];\n",
        Storage::Dcsr => {
            "    long Xp = 0, Xe = 0;\n    if (Xr < X_rows[1] && X_row[Xr] == i) Xp = X_pos[Xr], Xe = X_pos[Xr + 1], Xr++;\n"
        }
    };
    text.replace('X', operand.name)
}

/// What is done for row i.
fn row(expression: &Expression, sparse: &[LoopOperand]) -> String {
    let body = body(expression);
    let rest = |name: &str| {
        let text = "    for (; Xp < Xe; Xp++) {\n      long j = X_crd[Xp];\n      double v = X_val[Xp];\n";
        text.replace('X', name) + &body + "    }\n"
    };
    let Some((join, _)) = &expression.second else { return rest(sparse[0].name) };
    let mut text =
        "    while (Ap < Ae && Bp < Be) {\n      long a = A_crd[Ap], b = B_crd[Bp], j = a < b ? a : b;\n"
            .to_owned();
    match join {
        Join::Product => {
            text += "      if (a == b) {\n        double v = A_val[Ap] * B_val[Bp];\n";
            text += &body.replace("      ", "        ");
            text += "      }\n";
        }
        Join::Sum => {
            text += "      double v = a == b ? A_val[Ap] + B_val[Bp] : a < b ? A_val[Ap] : B_val[Bp];\n";
            text += &body;
        }
    }
    text += "      Ap += a == j;\n      Bp += b == j;\n    }\n";
    if *join == Join::Sum {
        text += &rest("A");
        text += &rest("B");
    }
    text
}

/// What is done with the value v of the term at (i, j).
fn body(expression: &Expression) -> String {
    let mut text = String::new();
    for factor in &expression.factors {
        text += match factor {
            Factor::Elements => "      v *= D[i * J + j];\n",
            Factor::Rows => "      v *= u[i];\n",
            Factor::Columns => "      v *= x[j];\n",
            Factor::Sampled => {
                "      double dot = 0;\n      for (int k = 0; k < K; k++) dot += L[i * K + k] * M[j * K + k];\n      v *= dot;\n"
            }
            Factor::Matrix => "",
        };
    }
    text + match expression.target {
        DrawnTarget::Sparse => "      C_crd[n] = j, C_val[n] = v, n++;\n",
        DrawnTarget::Dense => "      C[i * J + j] = v;\n",
        DrawnTarget::Rows => "      sum += v;\n",
        DrawnTarget::Columns => "      C[j] += v;\n",
        DrawnTarget::Matrix => "      for (int k = 0; k < K; k++) C[i * K + k] += v * M[j * K + k];\n",
    }
}

/// An array of an operand, and its file.
struct Array {
    name: String,
    element: &'static str,
    file: String,
    header: &'static str,
}

impl Array {
    fn parameter(&self) -> String {
        format!("const {} *restrict {}", self.element, self.name)
    }
}

fn arrays(expression: &Expression) -> Vec<Array> {
    expression.operands().iter().flat_map(arrays_of).collect()
}

fn arrays_of(tensor: &DrawnTensor) -> Vec<Array> {
    let name = tensor.name;
    let Some(entries) = tensor.entries else {
        let file = format!("{name}.npy");
        return vec![Array { name: name.to_owned(), element: "double", file, header: "NPY_HEADER" }];
    };
    let array = |part: &str, element, file: &str| Array {
        name: format!("{name}_{part}"),
        element,
        file: format!("{name}/{file}"),
        header: "0",
    };
    let mut arrays =
        vec![array("pos", "int", "pos1"), array("crd", "int", "crd1"), array("val", "double", "val")];
    if entries.storage == Storage::Dcsr {
        arrays.extend([array("rows", "int", "pos0"), array("row", "int", "crd0")]);
    }
    arrays
}

/// The parameters of the result.
fn target(expression: &Expression) -> String {
    match expression.target {
        DrawnTarget::Sparse => "int *restrict C_pos, int *restrict C_crd, double *restrict C_val".to_owned(),
        _ => "double *restrict C".to_owned(),
    }
}

/// The number of elements of the result, as a dense tensor.
fn count(expression: &Expression) -> String {
    let extents: Vec<String> = expression.target.labels().to_uppercase().chars().map(String::from).collect();
    format!("({})", extents.join(" * "))
}

fn main(expression: &Expression) -> String {
    let mut text = "int main(int argc, char **argv) {\n  if (argc != 3) return 1;\n".to_owned();
    for Array { name, element, file, header } in arrays(expression) {
        let _ = writeln!(text, "  {element} *{name} = load(argv[1], \"{file}\", {header});");
    }
    let names: Vec<String> = arrays(expression).into_iter().map(|array| array.name).collect();
    let names = names.join(", ");
    let count = count(expression);
    let _ = writeln!(text, "  double *C = memset(allocate({count} * sizeof *C), 0, {count} * sizeof *C);");
    text +=
        "  for (int repetition = 0; repetition < atoi(argv[2]); repetition++) {\n    double start = now();\n";
    match expression.target {
        DrawnTarget::Sparse => text += &sparse_run(expression, &names),
        _ => {
            let _ = writeln!(text, "    kernel({names}, C);\n    printf(\"%.9f\\n\", now() - start);");
        }
    }
    let _ =
        writeln!(text, "    if (repetition == 0) write_result(argv[1], \"loops\", C, {count});\n  }}\n}}");
    text
}

/// The arrays of a sparse result are made and released in the measured time, with room for all entries of
/// the operands, and put into a dense tensor outside of it.
fn sparse_run(expression: &Expression, names: &str) -> String {
    let entries = match expression.second {
        None => "A_pos[A_ROWS]".to_owned(),
        Some(_) => "A_pos[A_ROWS] + B_pos[B_ROWS]".to_owned(),
    };
    let rows = |operand: &LoopOperand| match operand.storage {
        Storage::Csr => "I".to_owned(),
        Storage::Dcsr => format!("{}_rows[1]", operand.name),
    };
    let entries = sparse(expression)
        .iter()
        .fold(entries, |text, operand| text.replace(&format!("{}_ROWS", operand.name), &rows(operand)));
    format!(
        "    long room = {entries};
    int *C_pos = allocate((I + 1) * sizeof(int)), *C_crd = allocate(room * sizeof(int));
    double *C_val = allocate(room * sizeof(double));
    kernel({names}, C_pos, C_crd, C_val);
    double computed = now();
    if (repetition == 0)
      for (long i = 0; i < I; i++)
        for (int p = C_pos[i]; p < C_pos[i + 1]; p++) C[i * J + C_crd[p]] = C_val[p];
    double freeing = now();
    free(C_pos), free(C_crd), free(C_val);
    printf(\"%.9f\\n\", computed - start + now() - freeing);
"
    )
}

#[cfg(test)]
mod tests {
    use super::super::expression::tests::sum_of_two;
    use super::*;

    #[test]
    fn two_operands_are_merged_row_by_row() {
        insta::assert_snapshot!(kernel(&sum_of_two()), @r"
        static void kernel(const int *restrict A_pos, const int *restrict A_crd, const double *restrict A_val, const int *restrict B_pos, const int *restrict B_crd, const double *restrict B_val, const int *restrict B_rows, const int *restrict B_row, const double *restrict x, double *restrict C) {
          long Br = 0;
          for (long i = 0; i < I; i++) {
            double sum = 0;
            long Ap = A_pos[i], Ae = A_pos[i + 1];
            long Bp = 0, Be = 0;
            if (Br < B_rows[1] && B_row[Br] == i) Bp = B_pos[Br], Be = B_pos[Br + 1], Br++;
            while (Ap < Ae && Bp < Be) {
              long a = A_crd[Ap], b = B_crd[Bp], j = a < b ? a : b;
              double v = a == b ? A_val[Ap] + B_val[Bp] : a < b ? A_val[Ap] : B_val[Bp];
              v *= x[j];
              sum += v;
              Ap += a == j;
              Bp += b == j;
            }
            for (; Ap < Ae; Ap++) {
              long j = A_crd[Ap];
              double v = A_val[Ap];
              v *= x[j];
              sum += v;
            }
            for (; Bp < Be; Bp++) {
              long j = B_crd[Bp];
              double v = B_val[Bp];
              v *= x[j];
              sum += v;
            }
            C[i] = sum;
          }
        }
        ");
    }
}
