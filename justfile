# Thin: each recipe is one line on the aliases of .cargo/config.toml, so that cargo alone does the same.

# arguments go on as they are given, with their spaces
set positional-arguments

# what there is
default:
    @just --list

# every study at paper scale, every chart, the report
repro *OPTIONS:
    cargo repro "$@"

# the same in seconds, on small samples, with a check of determinism
smoke *OPTIONS:
    cargo smoke "$@"

# one study: --times --set KEY=VALUE --sets N --seed S --only GROUP --case I --jobs J --profile P --out DIR --dry-run
run STUDY *OPTIONS:
    cargo clothlab run "$@"

# studies with expected run times, or the groups and claims of one: STUDY --json
list *ARGUMENTS:
    cargo clothlab list "$@"

# draw the charts anew from results/
plot *STUDY:
    cargo clothlab plot "$@"

# judge the claims anew from results/
claims *STUDY:
    cargo clothlab claims "$@"

# write REPORT.md, the part on each study in results/, and the page REPORT.html anew from results/
report:
    cargo clothlab report

# published cases drawn at random, measured again: K --study NAME --seed S
audit *ARGUMENTS:
    cargo clothlab audit "$@"

# an article on all results, and its PDF where typst is there: --out DIR
article *OPTIONS:
    cargo clothlab article "$@"

# compare results/ with its checksums
verify *FOLDER:
    cargo clothlab verify "$@"

# results of two commits, of one and results/, or of many, A B C or A..B: --bisect CLAIM --build --study NAME --counts-only --markdown --out DIR
compare REV *OPTIONS:
    cargo compare "$@"

# methods and laws of bending against exact solutions, in less than a minute: --method M --law L --case C
validate *OPTIONS:
    cargo clothlab validate "$@"

# run a scene: a page that plays it, pictures, energies, final state, frames
simulate SCENE *OPTIONS:
    cargo clothlab simulate "$@"

# forces that lead the cloth of a scene to key frames
control SCENE *OPTIONS:
    cargo clothlab control "$@"

# the material of a scene by a recorded motion
fit SCENE *OPTIONS:
    cargo clothlab fit "$@"

# runs of scenes side by side on one page
view *RUNS:
    cargo clothlab view "$@"

# every key of a scene with its default
keys:
    cargo clothlab keys

# the linear system of a step of a scene, as Matrix Market files: --step K --out DIR
export-system SCENE *OPTIONS:
    cargo clothlab export-system "$@"

# all tests
test:
    cargo test

# formatter, also of files that a macro names, and linter, warnings denied
lint:
    cargo fmt --all -- --check $(find crates examples experiments -name '*.rs') && cargo clippy --workspace --all-targets -- -D warnings

# everything about speed, in several minutes: the tables, then the times of single functions
bench:
    cargo tables
    cargo functions

# speed of this machine as the tables of BENCHMARKS.md, all or by name: roofline, job, projective, cost, control, kernels
tables *NAMES:
    cargo tables "$@"

# what the project's own check does; its stages by name: fast, full
ci *STAGE:
    .ci/run "$@"
