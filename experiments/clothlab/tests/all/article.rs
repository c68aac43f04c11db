//! `clothlab article`: an article from results, and nothing where there are none.

use std::fs;

use crate::common::{Desk, STUDY};

/// A desk with results of a small sample.
fn measured() -> Desk {
    let desk = Desk::new();
    desk.run("tiny.toml", &format!("results/{STUDY}"), &[]);
    desk
}

/// A program named `typst` on this desk, and the PATH that finds it alone.
#[cfg(unix)]
fn typst(desk: &Desk, script: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;

    desk.write("bin/typst", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(desk.path("bin/typst"), fs::Permissions::from_mode(0o755)).expect("a program");
    desk.path("bin")
}

#[test]
fn an_article_of_a_small_sample_is_a_preview_and_the_same_again() {
    let desk = measured();
    let article = || desk.program(&["article", "--out", "article"]).env("PATH", "").output().expect("the program starts").into();
    let said: crate::common::Said = article();
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let told = said.out.lines().last().expect("a line");
    assert!(
        told.starts_with("the article is article/article.typ; `typst compile --ignore-system-fonts article/article.typ`"),
        "{told}"
    );
    let files = desk.files("article");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["article.typ", "fb-euler-stability-critical-stiffness.svg"]);
    let text = desk.read("article/article.typ");
    assert!(
        text.contains("#preview[#strong[Preview.]; ") && text.contains("fb\\-euler\\-stability: other ranges, 10 of 500 sets"),
        "{text}"
    );
    assert!(!text.contains("#counts(\n") && !text.contains("#missed(\n") && !text.contains("(not measured)"), "{text}");
    let said = article();
    assert_eq!((said.code, desk.files("article")), (Some(0), files));
    // results elsewhere
    desk.run("tiny.toml", &format!("elsewhere/results/{STUDY}"), &[]);
    assert_eq!(desk.clothlab(&["article", "elsewhere", "--out", "another"]).code, Some(0));
    assert_eq!(desk.read("another/article.typ").lines().count(), text.lines().count());
}

#[test]
fn results_that_are_missing_or_damaged_make_no_article() {
    let desk = Desk::new();
    let message = desk.refused(&["article"]);
    assert!(message.contains("results/fb-euler-stability holds no results; make them with `clothlab repro --full`"), "{message}");
    let message = desk.refused(&["article", "nowhere"]);
    assert!(message.starts_with("nowhere/results/fb-euler-stability holds no results; "), "{message}");
    let desk = measured();
    desk.write(&format!("results/{STUDY}/cases.csv"), "set\n");
    let message = desk.refused(&["article"]);
    assert!(message.contains("cases.csv differs; restore it, or measure the study again"), "{message}");
    assert!(!desk.path("out/article").exists());
}

#[test]
fn nothing_of_somebody_else_is_replaced() {
    let desk = measured();
    for file in ["article.typ", "article.pdf", "fb-euler-stability-critical-stiffness.svg"] {
        let path = format!("article/{file}");
        desk.write(&path, "mine");
        let message = desk.refused(&["article", "--out", "article"]);
        assert!(message.starts_with(&format!("{path} is there, and was not written by this program; move it away")), "{message}");
        assert_eq!(desk.read(&path), "mine");
        fs::remove_file(desk.path(&path)).expect("a file");
    }
    desk.write("file", "mine");
    for out in ["file", "file/article"] {
        let message = desk.refused(&["article", "--out", out]);
        assert!(message.contains("file"), "{message}");
    }
    assert_eq!(desk.read("file"), "mine");
}

#[cfg(unix)]
#[test]
fn typst_makes_the_pdf_where_it_is() {
    let desk = measured();
    let article = |path: &std::path::Path| -> crate::common::Said {
        desk.program(&["article", "--out", "article"]).env("PATH", path).output().expect("the program starts").into()
    };
    let said = article(&typst(&desk, "[ \"$1 $2\" = 'compile --ignore-system-fonts' ] && [ -f \"$3\" ] && echo made > \"$4\""));
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    assert!(said.out.ends_with("the article is article/article.pdf, its source article.typ beside it\n"), "{}", said.out);
    assert_eq!(desk.read("article/article.pdf"), "made\n");
    // what it cannot make is said, the source is there, and no PDF of a former one is left
    let said = article(&typst(&desk, "echo 'error: unknown font' >&2; exit 1"));
    assert_eq!(said.refusal(2), "typst makes no PDF of article/article.typ: error: unknown font");
    assert!(desk.path("article/article.typ").exists() && !desk.path("article/article.pdf").exists());
}
