//! The results of a sweep: tables, text, JSON and a page of links.

use kit::prelude::short;
use kit::text_table::TextTable;
use serde_json::{Map, Value, json};

use super::plan::Run;
use super::row::{DONE, ENERGIES, Row};
use super::vary::Vary;
use crate::simulate::percent;

/// Runs that are finished, with their rows.
pub struct Found<'a> {
    /// The name of the scene file, with what is set in it.
    pub scene: String,
    pub varied: &'a [Vary],
    pub runs: Vec<(&'a Run, &'a Row)>,
}

impl Found<'_> {
    /// Values of the varied keys in a run, as they were given.
    fn values(&self, run: &Run) -> Vec<String> {
        self.varied.iter().zip(&run.combination).map(|(vary, value)| vary.values[*value].given.clone()).collect()
    }

    /// sweep.csv.
    pub fn csv(&self) -> String {
        let keys = self.varied.iter().map(|vary| vary.key.as_str());
        let heads = ["outcome", "steps", "time", "largest_strain"].into_iter().chain(ENERGIES);
        let heads = ["run"].into_iter().chain(keys).chain(heads).chain(["solves", "iterations", "operations"]);
        written(heads.map(str::to_owned).collect(), |csv| {
            for (run, row) in &self.runs {
                let number = |value: f64| value.to_string();
                let mut line = vec![run.name.clone()];
                line.extend(self.values(run));
                line.extend([row.outcome.clone(), row.steps.to_string(), number(row.time)]);
                line.extend([row.largest_strain].iter().chain(&row.energies).map(|value| value.map_or_else(String::new, number)));
                line.extend([row.solves.to_string(), row.iterations.to_string(), number(row.operations)]);
                _ = csv.write_record(line); // what is written to memory can be written
            }
        })
    }

    /// times.csv.
    pub fn times(&self) -> String {
        written(["run", "seconds"].map(str::to_owned).to_vec(), |csv| {
            for (run, row) in &self.runs {
                _ = csv.write_record([run.name.clone(), row.seconds.to_string()]); // what is written to memory can be written
            }
        })
    }

    /// The runs, for a terminal or sweep.md, with the folder of each where `linked` makes one of its name.
    pub fn table(&self, linked: impl Fn(&str) -> String) -> TextTable {
        let shorts = self.varied.iter().map(Vary::short);
        let rest = ["outcome", "steps", "largest strain", "energy at the end [J]", "solves", "iterations", "operations"];
        let heads: Vec<&str> = ["run"].into_iter().chain(shorts).chain(rest).collect();
        let line = |(run, row): &(&Run, &Row)| {
            let number = |value: Option<f64>| value.map_or_else(String::new, short);
            let mut cells = vec![linked(&run.name)];
            cells.extend(self.values(run));
            cells.extend([row.outcome.clone(), row.steps.to_string(), strain(row), number(row.energies[0])]);
            cells.extend([row.solves.to_string(), row.iterations.to_string(), short(row.operations)]);
            cells
        };
        TextTable::new(&heads, self.runs.iter().map(line))
    }

    /// The number of runs and their ends: `4 runs: 3 done, 1 blew up`.
    pub fn counted(&self) -> String {
        let mut outcomes: Vec<(&str, usize)> = vec![(DONE, 0)];
        for (_, row) in &self.runs {
            match outcomes.iter_mut().find(|(outcome, _)| *outcome == row.outcome) {
                Some((_, count)) => *count += 1,
                None => outcomes.push((&row.outcome, 1)),
            }
        }
        let each: Vec<String> =
            outcomes.iter().filter(|(_, count)| *count > 0).map(|(outcome, count)| format!("{count} {outcome}")).collect();
        let runs = if self.runs.len() == 1 { "run" } else { "runs" };
        format!("{} {runs}: {}", self.runs.len(), each.join(", "))
    }

    /// sweep.md.
    pub fn markdown(&self, files: &[(&str, &str)]) -> String {
        let keys: String = self.varied.iter().map(|vary| format!("- `{}`: {}\n", vary.key, given(vary))).collect();
        let files: String = files.iter().map(|(name, about)| format!("- [{name}]({name}): {about}\n")).collect();
        format!(
            "# Sweep of {}\n\n{}.\n\n{keys}\n{}\n\nStrain is (l - L) / L of springs or edges, or of warp and weft of triangles: the largest in \
             all rows of energies.csv. Energies are those at the end; a number that is not finite is left out. Operations are nominal: they count \
             the work, and are the same on every machine.\n\n## Files\n\n{files}",
            self.scene,
            self.counted(),
            self.table(|name| format!("[{name}]({name}/)")).markdown()
        )
    }

    /// All that is told, as JSON, with the files that were written to a folder.
    pub fn json(&self, folder: &str, files: &[&str]) -> Value {
        let run = |(run, row): &(&Run, &Row)| {
            let values = self.varied.iter().map(|vary| vary.key.clone()).zip(self.values(run).into_iter().map(Value::from));
            let energies = ENERGIES.iter().map(|name| (*name).to_owned()).zip(row.energies.map(Value::from));
            json!({
                "run": run.name,
                "values": Map::from_iter(values),
                "outcome": row.outcome,
                "steps": row.steps,
                "time": row.time,
                "largest_strain": row.largest_strain,
                "energies": Map::from_iter(energies),
                "solves": row.solves,
                "iterations": row.iterations,
                "operations": row.operations,
                "seconds": row.seconds,
            })
        };
        json!({
            "scene": self.scene,
            "outcome": self.counted(),
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
            "folder": folder,
            "files": files,
        })
    }

    /// index.html, which leads to the page of each run.
    pub fn index(&self, files: &[&str]) -> String {
        let cells = |cells: &[String]| cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect::<String>();
        let line = |(run, row): &(&Run, &Row)| {
            let rest = [&self.values(run)[..], &[row.outcome.clone(), strain(row), short(row.operations)]].concat();
            format!("<tr><td><a href=\"{0}/view.html\">{0}</a></td>{1}</tr>\n", run.name, cells(&rest))
        };
        let shorts = self.varied.iter().map(Vary::short);
        let heads = ["run"].into_iter().chain(shorts).chain(["outcome", "largest strain", "operations"]);
        let heads: String = heads.map(|head| format!("<th>{}</th>", escaped(head))).collect();
        let links: Vec<String> = files.iter().map(|name| format!("<a href=\"{name}\">{name}</a>")).collect();
        let title = format!("Sweep of {}", escaped(&self.scene));
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{}: {}</p>\n<p><img src=\"sweep.svg\" alt=\"largest \
             strain and operations of each run\"></p>\n<table>\n<tr>{heads}</tr>\n{}</table>\n</html>\n",
            self.counted(),
            links.join(", "),
            self.runs.iter().map(line).collect::<String>()
        )
    }
}

const STYLE: &str = "body{font:16px sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color-scheme:light dark}img{max-width:100%}table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #8886}";

/// The values of a key, as they were given.
fn given(vary: &Vary) -> String {
    vary.values.iter().map(|value| value.given.as_str()).collect::<Vec<_>>().join(", ")
}

/// A text as it can stand in a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A table as CSV, below its first line.
fn written(heads: Vec<String>, lines: impl FnOnce(&mut csv::Writer<Vec<u8>>)) -> String {
    let mut csv = csv::Writer::from_writer(vec![]);
    _ = csv.write_record(heads); // what is written to memory can be written
    lines(&mut csv);
    String::from_utf8(csv.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// The largest strain of a run as `simulate` tells it.
fn strain(row: &Row) -> String {
    row.largest_strain.map_or_else(String::new, percent)
}
