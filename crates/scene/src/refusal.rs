//! A mistake behind an error of reading TOML: which key is unknown, is missing or takes another value.

use super::keys::{find, missing, unknown};
use super::mistake::{MISSING, Place, Problem, SceneError, one_line};

/// How messages of `toml` and `serde` begin, and what stands before the path of the key; a test holds their wording.
const UNKNOWN: &str = "unknown field ";
const PATH: &str = "\nin `";

impl SceneError {
    /// The mistake behind an error of reading `text`.
    pub(super) fn of_toml(text: &str, mut error: toml::de::Error) -> SceneError {
        let message = error.message().to_owned();
        let span = error.span().unwrap_or(0..0);
        error.set_input(None); // so that the path of the key is shown
        let shown = error.to_string();
        let path = shown.trim_end().rsplit_once(PATH).map_or("", |(_, path)| path.trim_end_matches('`')).to_owned();
        let quoted = |k: usize| message.split('`').nth(2 * k + 1).map(str::to_owned);
        let named = || quoted(0).unwrap_or_default();
        let problem = if message.starts_with(UNKNOWN) {
            unknown(&path, &named())
        } else if message.starts_with(MISSING) {
            // of a section that is left out, where the name of the section stands in its place
            let section = quoted(1).map_or(path.clone(), |name| format!("{path}.{name}"));
            missing(&section, &named())
        } else if let Some(key) = find(&path) {
            let ranged = message.starts_with("must "); // by the quantity itself
            let value = text.get(span.clone()).unwrap_or_default();
            if ranged { Problem::refused(&path, key, message) } else { Problem::value(&path, key, value) }
        } else {
            Problem::Syntax(one_line(&message))
        };
        let whole = span.is_empty() && matches!(problem, Problem::MissingKey { .. });
        SceneError { place: (!whole).then(|| Place::at(text, span.start)), problem }
    }
}

#[cfg(test)]
mod tests {
    use cloth::quantity::Positive;
    use serde::Deserialize;

    use super::super::Scene;

    const TOP: &str = "step = 1e-3\nduration = 0.5\n";
    const MESH: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

    fn mistake(text: &str) -> String {
        let message = Scene::parse(text).expect_err(text).to_string();
        assert!(!message.contains('\n'), "{message}");
        message
    }

    /// The message about `lines` after a valid beginning of 6 lines.
    fn after(lines: &str) -> String {
        mistake(&format!("{TOP}{MESH}{lines}"))
    }

    /// The message about `lines` before a valid rest.
    fn before(lines: &str) -> String {
        mistake(&format!("{lines}\n{TOP}{MESH}"))
    }

    /// Where this fails, `toml` or `serde` words its messages in another way than [`SceneError::of_toml`] reads.
    #[test]
    fn mistakes_are_told_apart_by_the_words_of_toml() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code, reason = "it is only refused")]
        struct Outer {
            inner: Inner,
        }
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code, reason = "it is only refused")]
        struct Inner {
            x: Positive,
        }
        for (text, place, message, path) in [
            ("[inner]\nx = 1\ny = 2", "y", "unknown field `y`, expected `x`", "inner"),
            ("[inner]", "[inner]", "missing field `x`", "inner"),
            ("[inner]\nx = \"a\"", "\"a\"", "invalid type: string \"a\", expected f64", "inner.x"),
            ("[inner]\nx = -1", "-1", "must be a finite number above zero, not -1", "inner.x"),
        ] {
            let mut error = toml::from_str::<Outer>(text).unwrap_err();
            assert_eq!((error.message(), error.span().and_then(|span| text.get(span))), (message, Some(place)));
            error.set_input(None);
            assert_eq!(error.to_string(), format!("{message}\nin `{path}`\n"));
        }
        let missing = toml::from_str::<Outer>("").unwrap_err();
        assert_eq!((missing.message(), missing.span()), ("missing field `inner`", Some(0..0)));
    }

    #[test]
    fn unknown_keys_are_named_with_those_known() {
        assert_eq!(
            after("[material]\n densty = 3 # heavy"),
            "line 8, `densty = 3 # heavy`: unknown key `densty`; known here: fabric, model, density, stretch, warp, weft, shear, \
             bend, damping, extension_tolerance, compression, weighting, stiffening, masses, air, drag, gravity; did you mean `density`?"
        );
        assert_eq!(
            after("[material]\nstretch = { stifness = 3 }"),
            "line 8, `stretch = { stifness = 3 }`: unknown key `stifness`; known here: stiffness, damping; did you mean \
             `stiffness`?"
        );
        let lost = after("pins = [0]");
        assert!(
            lost.starts_with(
                "line 7, `pins = [0]`: unknown key `pins`; known here: nx, ny, spacing, obj, regular, centred, disk; `pins` belongs at"
            ),
            "{lost}"
        );
        let early = before("nx = 4");
        assert!(
            early.starts_with("line 1, `nx = 4`: unknown key `nx`; known here: step, ")
                && early.ends_with("`nx` belongs in [mesh] or in [mesh.regular] or in [mesh.centred]")
        );
    }

    #[test]
    fn missing_keys_are_named_with_their_section() {
        assert_eq!(
            mistake("duration = 1\n"),
            "the key `step` is missing; add it at the top, before the first [section]: a finite number above zero [s]"
        );
        assert_eq!(
            mistake(TOP),
            "the section `[mesh]` is missing; add it: a section with nx, ny and spacing, or one section like [mesh.centred]"
        );
        assert_eq!(
            mistake(&format!("{TOP}[mesh]\nny = 4\nspacing = 1")),
            "line 3, `[mesh]`: the key `nx` is missing in [mesh]; add it: a whole number from 2 to 3000"
        );
        assert_eq!(
            after("[material]\nstiffening = { factor = 2 }"),
            "line 8, `stiffening = { factor = 2 }`: the key `strain` is missing in [material.stiffening]; add it: a finite \
             number above zero"
        );
    }

    #[test]
    fn values_are_refused_by_key_and_in_words() {
        for (line, expected) in [
            ("density = -3", "`material.density` [kg/m²] must be a finite number above zero, not -3"),
            ("density = nan", "`material.density` [kg/m²] must be a finite number above zero, not NaN"),
            ("density = \"3\"", "`material.density` [kg/m²] must be a finite number above zero, not \"3\""),
            ("bend = inf", "`material.bend` [N/m, on a continuum J] must be a finite number, zero or above, not inf"),
            ("stretch = { stiffness = -1 }", "`material.stretch.stiffness` [N/m] must be a finite number, zero or above, not -1"),
            ("shear.damping = []", "`material.shear.damping` [N s/m] must be a finite number, zero or above, not []"),
            ("stretch = [1000, 0.1]", "`material.stretch` must be a section { stiffness, damping }, not [1000, 0.1]"),
            ("damping = \"none\"", "`material.damping` must be \"projected\" or \"plain\", not \"none\""),
            ("masses = { hem = -2 }", "`material.masses` must be a finite number above zero, not -2"),
            ("compression = 1", "`material.compression` must be true or false, not 1"),
            ("extension_tolerance = 1", "`material.extension_tolerance` must be a number from -1 to below 1, not 1"),
            ("gravity = [0, 1]", "`material.gravity` [m/s²] must be three finite numbers [x, y, z], not 2"),
            ("gravity = [0, 1, 2, 3]", "`material.gravity` [m/s²] must be three finite numbers [x, y, z], not 4"),
            ("gravity = 9.81", "`material.gravity` [m/s²] must be three finite numbers [x, y, z], not 9.81"),
            ("drag = { wind = [0, nan, 1] }", "`material.drag.wind` [m/s] must be a finite number, not NaN"),
        ] {
            assert_eq!(after(&format!("[material]\n{line}")), format!("line 8, `{line}`: {expected}"));
        }
        for masses in ["\"hem\"", "{ hem = 2, more = 1 }", "{ hemm = 2 }", "{}", "3", "\"half\""] {
            let message = after(&format!("[material]\nmasses = {masses}"));
            assert!(message.contains("`material.masses` must be \"equal\", \"by-area\" or { hem = 2.0 }"), "{message}");
        }
        for (line, expected) in [
            ("step = 0", "`step` [s] must be a finite number above zero, not 0"),
            ("step = -1e-3", "`step` [s] must be a finite number above zero, not -0.001"),
            ("step = \"fast\"", "`step` [s] must be a finite number above zero, not \"fast\""),
        ] {
            assert_eq!(mistake(&format!("duration = 1\n{line}\n{MESH}")), format!("line 2, `{line}`: {expected}"));
        }
        for (line, expected) in [
            ("nx = 1", "`mesh.nx` must be a whole number from 2 to 3000, not 1"),
            ("nx = 3001", "`mesh.nx` must be a whole number from 2 to 3000, not 3001"),
            ("nx = -4", "`mesh.nx` must be a whole number from 2 to 3000, not -4"),
            ("nx = 4.5", "`mesh.nx` must be a whole number from 2 to 3000, not 4.5"),
        ] {
            assert_eq!(mistake(&format!("{TOP}[mesh]\n{line}\nny = 3\nspacing = 1")), format!("line 4, `{line}`: {expected}"));
        }
        for (message, value) in [(before("integrator = \"leapfrog\""), "\"leapfrog\""), (after("[integrator.rk5]"), "rk5")] {
            assert!(message.contains("`integrator` must be \"forward-euler\", \"fb-euler\", \"rk4\", "), "{message}");
            let last = "\"generalized-alpha\", \"imex\", \"aimex\", \"sbdf2\", \"adaptive-sbdf2\" or \"projective-dynamics\", or one section like [integrator.imex], not";
            assert!(message.ends_with(&format!("{last} {value}")), "{message}");
        }
        assert!(
            mistake(&format!("{TOP}mesh = [4, 4, 0.1]")).contains(
                "`mesh` must be a section with nx, ny and spacing, or one section like [mesh.centred], not [4, 4, 0.1]"
            )
        );
        assert!(
            after("[output]\nenergies_every = 0")
                .contains("`output.energies_every` must be a whole number from 1 to 1000000000, not 0")
        );
        assert!(after("[initial]\npositions = 3").contains("`initial.positions` must be the name of a table in quotes, not 3"));
    }

    #[test]
    fn misspelt_words_are_answered_with_the_near_one() {
        assert!(before("integrator = \"backward-eular\"").ends_with("not \"backward-eular\"; did you mean `backward-euler`?"));
        assert!(after("[integrator.sbdf]").ends_with("not sbdf; did you mean `sbdf2`?"));
        assert!(after("[material]\ndamping = \"projekted\"").ends_with("; did you mean `projected`?"));
        assert!(before("durations = 1").ends_with("; did you mean `duration`?"));
        let elsewhere = before("pin = [0]");
        assert!(elsewhere.ends_with("; did you mean `pins`?"), "{elsewhere}");
    }

    #[test]
    fn pins_are_refused_where_they_stand() {
        assert_eq!(
            before("pins = [\n 0,\n 12,\n]"),
            "line 3, `12,`: the pin 12 lies outside the mesh of 4 x 3 particles; the first particle is 0 or [0, 0]"
        );
        assert!(before("pins = [[4, 0]]").contains("`pins = [[4, 0]]`: the pin [4, 0] lies outside the mesh"));
        for pin in ["-1", "[1, 2, 3]", "[1]", "\"middle\"", "1.5"] {
            let message = before(&format!("pins = [{pin}]"));
            assert!(message.starts_with("line 1, ") && message.contains("`pins` must be a list of whole numbers"), "{message}");
            assert!(message.ends_with(&format!(", not {pin}")), "{message}");
        }
    }

    #[test]
    fn steps_and_frames_have_limits() {
        let run = |step: &str, duration: &str| mistake(&format!("step = {step}\nduration = {duration}\n{MESH}"));
        assert!(run("1e-9", "10").starts_with("line 2, `duration = 10`: `duration` of 10 s is 1.000e10 steps of"));
        assert!(run("1.0", "0.4").contains("must be from one step to 1000000000"));
        assert!(run("1e-20", "1e20").contains("is 1.000e40 steps"));
        let message = after("[output]\nframes_per_second = 1001");
        assert_eq!(
            message,
            "line 8, `frames_per_second = 1001`: `output.frames_per_second` [1/s] must be at most 1000 here, one frame a step and \
             100000 in all, not 1001"
        );
        let long = format!("step = 1\nduration = 1e6\n{MESH}[output]\nframes_per_second = 0.1");
        assert!(mistake(&long).contains("must be at most 0.1 here"));
    }

    #[test]
    fn what_is_not_toml_is_named_with_its_line() {
        assert_eq!(after("[material\n"), "line 7, `[material`: this is not TOML: unclosed table, expected `]`");
        assert!(before("step = 1,5").starts_with("line 1, `step = 1,5`: this is not TOML: "));
        assert!(before("step = 1e-3").starts_with("line 2, `step = 1e-3`: this is not TOML: duplicate key"));
        let long = after(&format!("x = \"{}", "y".repeat(300)));
        assert!(long.len() < 200 && long.contains("..."), "{long}");
    }
}
