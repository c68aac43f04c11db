use cloth::inextensible::{MethodEntry, MethodKind};
use cloth::integrators::entries;

use super::keys::find;

/// The reference as it is kept: one section stands for all of a registry.
const KEPT: &str = include_str!("every_key.toml");

/// Every key of a scene file, with the value that it has where it is left out. Lines that begin with `#` and no space are sections
/// that do not stand beside all others, and keys without such a value.
pub fn reference() -> String {
    let methods = |iterations: Option<u32>| {
        let so = MethodKind::PLAIN.iter().map(|(_, entry)| entry).filter(move |entry| entry.iterations == iterations);
        so.map(|entry| (entry.name, entry.about))
    };
    let schemes =
        |implicit| entries().filter(move |entry| entry.is_implicit() == implicit).map(|entry| (entry.name, entry.about));
    let paragraph = |kept: &str| match kept.split_once(']') {
        Some(("#[integrator.forward-euler", _)) => sections("integrator", kept, schemes(false)),
        Some(("#[integrator.backward-euler", _)) => sections("integrator", kept, schemes(true)),
        Some(("#[inextensible.fast-projection", _)) => sections("inextensible", kept, methods(MethodEntry::SOLVES)),
        Some(("#[inextensible.linearised", _)) => sections("inextensible", kept, methods(None)),
        Some(("#[inextensible.jacobi-limiting", _)) => sections("inextensible", kept, methods(MethodEntry::SWEEPS)),
        _ => kept.to_owned(),
    };
    let words = |path| find(path).map_or("", |key| key.words.as_str());
    let preconditioners = words("solver.conjugate-gradients.preconditioner");
    let fabrics = words("material.fabric");
    let kept = KEPT.replace("another of `PreconditionerKind`", preconditioners).replace("one of `MEASURED`", fabrics);
    kept.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n")
}

/// A section for each of a registry, by name and what it is, with the keys of the section that is `kept`; these are explained once.
fn sections(choice: &str, kept: &str, of: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    let section = |(k, (name, about)): (usize, (&str, &str))| {
        let heading = format!("#[{choice}.{name}]");
        let explained = |line| if k == 0 { Some(line) } else { without_comment(line) };
        let keys = kept.lines().skip(1).filter_map(explained).map(str::to_owned);
        [format!("{heading:<33}# {about}")].into_iter().chain(keys).collect::<Vec<_>>().join("\n")
    };
    of.enumerate().map(section).collect::<Vec<_>>().join("\n\n")
}

/// A line without its comment, unless it is nothing else.
fn without_comment(line: &str) -> Option<&str> {
    let key = line.split_once(" # ").map_or(line, |(key, _)| key).trim_end();
    (!key.is_empty()).then_some(key)
}

#[cfg(test)]
mod tests;
