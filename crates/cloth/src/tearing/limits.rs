use std::collections::HashMap;

use crate::ModelError;
use crate::invalid::within;

/// How far edges may be stretched, |x| / L = 1 + tau \[-\], before they tear: one limit for the cloth, and lower ones along seams.
///
/// A seam is a row of particles. What tears there are the edges that end at it, and they tear at its particles: an edge along it,
/// between two of them, is as strong as any other.
#[derive(Clone, Debug, PartialEq)]
pub struct TearLimits {
    limit: f64,
    /// The seam that a particle lies on, the weakest of several, and its limit.
    seams: HashMap<usize, (usize, f64)>,
    count: usize,
}

impl TearLimits {
    /// One `limit` \[-\], > 1, for all edges.
    ///
    /// # Errors
    /// A limit that is not a finite number above 1.
    pub fn new(limit: f64) -> Result<TearLimits, ModelError> {
        let limit = within(limit.is_finite() && limit > 1.0, "the limit of tearing", "a finite number above 1", limit)?;
        Ok(TearLimits { limit, seams: HashMap::new(), count: 0 })
    }

    /// With a lower `limit` \[-\], > 1, for the edges that end at one of `particles`.
    ///
    /// # Errors
    /// A limit that is not above 1, or not below that of the cloth.
    pub fn with_seam(mut self, particles: impl IntoIterator<Item = usize>, limit: f64) -> Result<TearLimits, ModelError> {
        let range = "a number above 1 and below that of the cloth";
        let limit = within(limit > 1.0 && limit < self.limit, "the limit of a seam", range, limit)?;
        for particle in particles {
            let seam = self.seams.entry(particle).or_insert((self.count, limit));
            if limit < seam.1 {
                *seam = (self.count, limit);
            }
        }
        self.count += 1;
        Ok(self)
    }

    /// That of the cloth away from seams \[-\].
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// The last particle that lies on a seam.
    pub fn last_particle(&self) -> Option<usize> {
        self.seams.keys().copied().max()
    }

    /// That of the edge between two particles \[-\].
    pub fn of(&self, i: usize, j: usize) -> f64 {
        self.at(i, j).min(self.at(j, i))
    }

    /// That at which an edge tears at its end `end` \[-\]: a seam is weak at its own particles.
    pub(super) fn at(&self, end: usize, other: usize) -> f64 {
        match (self.seams.get(&end), self.seams.get(&other)) {
            (Some((seam, _)), Some((beside, _))) if seam == beside => self.limit, // along it
            (Some((_, limit)), _) => *limit,
            (None, _) => self.limit,
        }
    }

    /// Takes a particle out of its seam.
    pub(super) fn release(&mut self, particle: usize) {
        self.seams.remove(&particle);
    }
}
