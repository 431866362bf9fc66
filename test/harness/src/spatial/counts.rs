//! How many lines a kernel has, and its text; blank lines and comments are none.

use std::fmt::Write as _;

/// What is counted of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Lines of the function that computes it, schedule included.
    pub input: usize,
    /// Lines of the application inside of `Accel`.
    pub accel: usize,
    /// All other lines of the application.
    pub host: usize,
}

impl Counts {
    /// Of a program, whose first function is the kernel, and of the application that it becomes.
    pub fn of(program: &str, application: &str) -> Self {
        let function = lines(program, "#").skip_while(|line| !line.starts_with("def "));
        let all = lines(application, "//").count();
        let accel = lines(application, "//").skip_while(|line| *line != "    Accel {").skip(1);
        let accel = accel.take_while(|line| *line != "    }").count();
        Self { input: function.take_while(|line| *line != "}").count() + 1, accel, host: all - accel }
    }
}

/// Those that hold more than a comment.
fn lines<'a>(text: &'a str, comment: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter(move |line| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with(comment)
    })
}

/// What the paper has for a kernel, a line of `test/spatial/paper.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its name.
    pub kernel: String,
    /// Lines of input in Table 4.
    pub input: usize,
    /// Lines of Spatial in Table 4.
    pub spatial: usize,
    /// Lines inside `Accel` of what Stardust's open branch writes.
    pub accel: usize,
}

impl Paper {
    /// All lines of the file.
    ///
    /// # Errors
    /// A line that is not a name and three numbers.
    pub fn all(text: &str) -> Result<Vec<Self>, String> {
        lines(text, "#").map(Self::line).collect()
    }

    fn line(line: &str) -> Result<Self, String> {
        let wrong = || format!("`{line}` is not a name and three numbers");
        let (kernel, numbers) = line.split_once(' ').ok_or_else(wrong)?;
        let numbers: Vec<usize> = numbers.split(' ').filter_map(|number| number.parse().ok()).collect();
        let [input, spatial, accel] = numbers[..] else { return Err(wrong()) };
        Ok(Self { kernel: kernel.to_owned(), input, spatial, accel })
    }
}

/// The table of the documentation.
pub fn table(rows: &[(Paper, Counts)]) -> String {
    let mut table = "| kernel | input: ours | Table 4 | inside `Accel`: ours | open branch | host: ours | Spatial, Table 4 |\n\
        |---|---|---|---|---|---|---|\n"
        .to_owned();
    for (paper, ours) in rows {
        let numbers = [ours.input, paper.input, ours.accel, paper.accel, ours.host, paper.spatial];
        let numbers = numbers.map(|number| number.to_string()).join(" | ");
        writeln!(table, "| `{}` | {numbers} |", paper.kernel).expect("a string takes what is written");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_blank_lines_nor_comments_count() {
        let program = "# f\n\ndef f() {\n    # x\n    x = 1;\n}\n\ndef main() {\n}\n";
        let application =
            "// f\nclass F {\n    Accel {\n\n      // y\n      y = 1\n      Foreach {\n      }\n    }\n}\n";
        assert_eq!(Counts::of(program, application), Counts { input: 3, accel: 3, host: 4 });
    }

    #[test]
    fn the_papers_numbers_are_read() {
        let paper = Paper { kernel: "spmv".into(), input: 10, spatial: 44, accel: 26 };
        assert_eq!(Paper::all("# all\nspmv 10 44 26\n"), Ok(vec![paper]));
        assert!(Paper::all("spmv 10 44").is_err());
    }
}
