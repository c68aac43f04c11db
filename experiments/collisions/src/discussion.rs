//! What a user who has cloth that meets itself would want to know.

use kit::prelude::*;

use super::drapes::THICKNESS;
use super::kept::Kept;
use super::treatments::Treatment;
use super::{boxes, order, times};

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let rows = results.without_sets::<Kept>()?;
    let heads = ["treatment", "drapes", "finished", "without a crossing", "steps with crossings", "pairs at the worst step"];
    let lines = Treatment::ALL.map(|treatment| {
        let of: Vec<&_> = rows.iter().filter(|row| row.treatment == treatment).collect();
        let finished = || of.iter().filter(|row| row.status == Status::Finished);
        let shares: Vec<f64> = finished().map(|row| row.crossed as f64 / row.steps.max(1) as f64).collect();
        let worst = finished().map(|row| row.worst).max();
        vec![
            treatment.name().into(),
            of.len().to_string(),
            finished().count().to_string(),
            finished().filter(|row| row.crossed == 0).count().to_string(),
            mean(&shares).map_or_else(String::new, percent),
            worst.map_or_else(String::new, |worst| worst.to_string()),
        ]
    });
    let [zoned, steps] = [|row: &super::kept::KeptRow| row.zoned, |row: &super::kept::KeptRow| row.steps]
        .map(|of| rows.iter().filter(|row| row.treatment == Treatment::Exact).map(of).sum::<u64>());
    let strain = order::strain_left(results)?;
    Ok(format!(
        "{}\n\nBetween particles that keep 0.6 h apart there is room: the middle of a cell of four is 0.71 h from each, and where a fold is \
         sharp particles are joined by springs and do not repel each other at all. So cloth that is kept apart particle by particle looks \
         whole and may not be, the less the more it crumples; whether that is robust is what the readings of B-PP-ROBUST differ in. \
         Exact collisions keep {} mm, left no \
         crossing after any step that they did not refuse, and took impact zones in {zoned} of {steps} steps.\n\n\
         What it takes: {}. Finding what may meet: {}.\n\n\
         Collisions after an implicit step take what touches as free: what rests on it is borne by its mass alone, so that cloth under \
         load stretches about its contacts unless the step is below sqrt(m/k). After fast projection the same shows as strain: {strain}.",
        table(&heads, lines),
        1e3 * THICKNESS,
        times::share(results)?,
        boxes::growth(results)?
    ))
}
