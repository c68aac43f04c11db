//! Where a scene's cloth tears, as it is written: the section `tearing`.

use serde::Deserialize;
use toml::Spanned;

use super::mesh::Naming;
use super::mistake::{Mistake, Place, Problem};
use super::range::Stretch;
use super::section::Keyed;
use cloth::Pin;
use cloth::tearing::TearLimits;

/// How cloth tears.
#[derive(Clone, Debug, PartialEq)]
pub struct Tear {
    /// How far its edges may be stretched.
    pub limits: TearLimits,
    /// What becomes of them beyond.
    pub mode: TearMode,
}

/// What becomes of an edge that is stretched too far.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum TearMode {
    /// The mesh opens at one of its ends.
    #[default]
    Open,
    /// Its spring leaves, and nothing else \[Stuyck 2018, 4.5\].
    Simple,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TearingSection {
    limit: Stretch,
    mode: Option<TearMode>,
    #[serde(default)]
    seam: Vec<Spanned<Keyed<SeamSection>>>,
}

/// A row of particles, named one by one or as a row or a column of points, and its limit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeamSection {
    limit: Spanned<Stretch>,
    #[serde(default)]
    particles: Vec<Spanned<toml::Value>>,
    row: Option<Spanned<usize>>,
    column: Option<Spanned<usize>>,
}

/// The last particle that a seam names, and where: the mesh may still have to be read.
pub(super) type LastOfSeams = Option<(usize, Place)>;

impl TearingSection {
    /// The section on a mesh whose particles are named so.
    pub fn tear(self, text: &str, naming: &Naming) -> Result<(Tear, LastOfSeams), Mistake> {
        let refused = |offset: usize, problem| Mistake { place: Some(Place::at(text, offset)), problem };
        let Stretch(limit) = self.limit;
        let mut limits = TearLimits::new(limit).map_err(|invalid| refused(0, Problem::Mesh(invalid)))?; // never: of its range
        let mut last: Option<(usize, usize)> = None;
        for section in self.seam {
            let start = section.span().start;
            let SeamSection { limit: own, particles, row, column } = section.into_inner().0;
            let (place, Stretch(own)) = (own.span().start, own.into_inner());
            if own >= limit {
                return Err(refused(place, Problem::StrongSeam { seam: own, cloth: limit }));
            }
            let mut named: Vec<(usize, usize)> = vec![];
            for (pin, offset) in naming.pins(text, "tearing.seam.particles", particles)? {
                if let Pin::Index(particle) = pin {
                    named.push((particle, offset));
                }
            }
            let lines = [row.map(|row| (row, "row")), column.map(|column| (column, "column"))];
            for (line, key) in lines.into_iter().flatten() {
                let (offset, line) = (line.span().start, line.into_inner());
                let points = naming.line(key, line).map_err(|problem| refused(offset, problem))?;
                named.extend(points.into_iter().map(|particle| (particle, offset)));
            }
            if named.is_empty() {
                return Err(refused(start, Problem::EmptySeam));
            }
            last = last.max(named.iter().copied().max());
            let with = limits.with_seam(named.into_iter().map(|(particle, _)| particle), own);
            limits = with.map_err(|invalid| refused(place, Problem::Mesh(invalid)))?;
        }
        let last = last.map(|(particle, offset)| (particle, Place::at(text, offset)));
        Ok((Tear { limits, mode: self.mode.unwrap_or_default() }, last))
    }
}
