//! The relative links of the pages: each names a file that is there, and a heading of it where it names one.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::test_folder;

/// The pages, by their paths in the repository.
pub fn pages() -> Result<Vec<String>, String> {
    let root = root();
    let mut pages = Vec::new();
    collect(&root, &mut pages)?;
    let mut names: Vec<String> =
        pages.iter().map(|page| page.strip_prefix(&root).unwrap_or(page).display().to_string()).collect();
    names.sort();
    Ok(names)
}

fn root() -> PathBuf {
    test_folder().join("..")
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            collect(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// All that is wrong with the links of a page.
pub fn check(page: &str) -> Result<(), String> {
    let path = root().join(page);
    let text = read(&path)?;
    let wrong: Vec<String> = links(&text).filter_map(|link| check_link(&path, link).err()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// What stands in the parentheses of `[…](…)`, outside of blocks of code.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let parts = prose(text).flat_map(|line| line.split("](").skip(1));
    parts.filter_map(|part| part.split(')').next()).filter(|link| !link.contains("://"))
}

/// The lines outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

fn check_link(page: &Path, link: &str) -> Result<(), String> {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        page.to_owned()
    } else {
        page.parent().expect("a page is in a folder").join(file)
    };
    if !target.exists() {
        return Err(format!("`{link}` leads to no file"));
    }
    if heading.is_empty() || anchors(&read(&target)?).contains(heading) {
        return Ok(());
    }
    Err(format!("`{link}` leads to no heading"))
}

/// The names under which headings can be linked to, as GitHub makes them.
fn anchors(text: &str) -> HashSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}
