//! Small results.

use std::fs;
use std::path::Path;

use lab::measure::identity::{Identity, sha256};
use lab::provenance::{GroupCount, Machine, Provenance, Sources};

use crate::repository::Repository;

/// Results of a study with one table.
#[derive(Clone)]
pub struct Results {
    pub code: &'static str,
    pub ranges: &'static str,
    pub cpu: &'static str,
    pub columns: Vec<&'static str>,
    pub cases: String,
    pub timings: String,
    pub verdict: &'static str,
    pub measured: &'static str,
    /// Sets that run.json says were measured.
    pub sets: usize,
    pub arguments: Vec<&'static str>,
}

impl Default for Results {
    fn default() -> Results {
        let mut cases = "set,side,method,status,iterations\n".to_owned();
        let mut timings = "group,set,repeat,seconds\n".to_owned();
        for set in 0..12 {
            for (k, method) in ["plain", "\"CP, 3x3\""].into_iter().enumerate() {
                cases += &format!("{set},{},{method},finished,{}\n", 10 + set, 100 * (k + 1) + set);
            }
            timings += &format!("runs,{set},0,0.{:03}000\n", 100 + set);
        }
        let columns = vec!["set", "side", "method", "status", "iterations"];
        Results {
            code: "c",
            ranges: "r",
            cpu: "EPYC",
            columns,
            cases,
            timings,
            verdict: "direction-only",
            measured: "2 %",
            sets: 12,
            arguments: vec![],
        }
    }
}

impl Results {
    /// The results with other cells.
    pub fn with(&self, from: &str, to: &str) -> Results {
        assert!(self.cases.contains(from), "{from} is nowhere in {}", self.cases);
        Results { cases: self.cases.replace(from, to), ..self.clone() }
    }

    /// Writes them into a folder.
    pub fn write(&self, folder: &Path, study: &str) {
        fs::create_dir_all(folder).expect("a writable folder");
        let write = |file: &str, text: &str| fs::write(folder.join(file), text).expect("a writable folder");
        let field = |name: &&str| {
            let kind = match *name {
                "method" | "status" => "string",
                "gain" => "number",
                _ => "integer",
            };
            serde_json::json!({"name": name, "type": kind, "unit": "-", "description": "d"})
        };
        let fields: Vec<_> = self.columns.iter().map(field).collect();
        let package = serde_json::json!({
            "name": study,
            "resources": [{"name": "runs", "path": "cases.csv", "schema": {"fields": fields}}],
        });
        let claims = format!(
            "claim,study,verdict,measured,value,low,high,cases,left_out,reason\nX-1,{study},{},{},,,,3,0,why\n",
            self.verdict, self.measured
        );
        let provenance = Provenance {
            identity: Identity { study: study.into(), seed: 1, ranges: self.ranges.into(), code: self.code.into() },
            profile: "paper".into(),
            arguments: self.arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            threads: 2,
            sources: Sources::default(),
            machine: Machine { cpu: self.cpu.into(), cores: 2, instruction_set: "avx2".into(), load: None },
            groups: vec![GroupCount { group: "runs".into(), cases: self.sets, rows: self.cases.lines().count() - 1, resumed: 0 }],
            start: String::new(),
            end: String::new(),
            seconds: 1.0,
            peak_memory: None,
            times_of: None,
            charts: None,
            machines: vec![],
        };
        let package = package.to_string();
        let mut sums = String::new();
        for (file, text) in [("cases.csv", &self.cases), ("datapackage.json", &package), ("claims.csv", &claims)] {
            write(file, text);
            sums += &format!("{}  {file}\n", sha256(text));
        }
        sums += &format!("{}  ../../plots/{study}/figure.svg\n", sha256("a chart that lies elsewhere"));
        write("SHA256SUMS", &sums);
        write("timings.csv", &self.timings);
        write("claims-of-times.csv", "");
        write("run.json", &provenance.json());
    }

    /// Commits them as those of the study `study`.
    pub fn commit(&self, repository: &Repository) -> String {
        self.write(&repository.path("results/study"), "study");
        repository.commit()
    }
}
