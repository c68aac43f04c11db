//! Collisions of a step: of cloth with itself, with meshes and with solids that move. A step that would end with cloth in itself,
//! or in a body, is led beside them \[Bridson, Fedkiw & Anderson 2002; Harmon et al. 2008\].
//!
//! Whatever a scheme made of a step, its particles are taken to go straight from where they were to where they are. What meets on
//! that way gives rows, one a contact: two points are not to come nearer along a normal than they are, or than the thickness.
//! Impulses of projected Gauss-Seidel change the motion as little as they can to fulfil all rows at once, with Coulomb's friction
//! beside them. The changed motion is looked at again, rows are added for what meets on it, and so on until nothing does. What is
//! not resolved so moves as one rigid body, an impact zone. A step that is not free of collisions after that is refused.
//!
//! Solids meet particles, or faces and edges too: where a triangle is nearest to one is found by tangents of its distance, which
//! is convex, and no triangle passes a solid between two moments that were looked at.
//!
//! Cloth that is nearer than the thickness is moved apart by positions alone, [`RECOVERY`] of what is missing a step: no velocity
//! comes from it \[Stuyck 2018, 5.8\]. Velocities are kept from approaching by impulses of their own. These only ever lower the
//! kinetic energy where bodies are at rest: each of Gauss-Seidel's steps raises the dual objective, which is half of what the
//! energy has lost.

mod detect;
mod faces;
mod game;
mod nearest;
mod row;
mod zones;

use std::collections::HashMap;
use std::sync::Arc;

use collision::{Candidates, Surface};

use super::Friction;
use super::pose::RigidMotion;
use super::sequence::Sequence;
use super::solid::Solid;
use crate::{ModelError, Vec3};
use detect::{DEPTH, Found, Solids};
use faces::Faces;
use row::{Impulse, Row};
use zones::Zones;

/// Times that a motion is looked at before impact zones.
const ROUNDS: u32 = 40;
/// Times that impact zones may grow.
const GROWTHS: u32 = 60;
/// Sweeps of Gauss-Seidel in a round at most, and the change of motion that ends them, over the thickness.
const SWEEPS: u32 = 30;
const SETTLED: f64 = 1e-4;
/// Pairs that may meet over the particles of the cloth, and their rows, beyond which a step is refused: cloth that explodes has
/// thousands. Memory grows with both, and no further.
const MOST_PAIRS: usize = 500;
/// Pairs whose boxes meet over that, of all particles.
const BOXES: usize = 2;
/// Share of the distance to keep within which a changed motion counts as colliding: what is asked for in full is found again in
/// part.
const TOLERATED: f64 = 0.5;
/// Share of a gain of velocities that is rounding.
const ROUNDED: f64 = 1e-2;
/// Share of what is missing to the thickness by which cloth that is nearer is moved apart in a step.
pub const RECOVERY: f64 = 0.1;

/// A closed or open mesh that moves as a rigid body, changes its shape, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingMesh {
    /// Its vertices, before it is moved \[m\].
    pub vertices: Vec<Vec3>,
    /// Corners of its faces.
    pub faces: Vec<[u32; 3]>,
    /// Its vertices from time to time, as many, in place of those.
    pub sequence: Option<Arc<Sequence>>,
    /// How it moves.
    pub motion: RigidMotion,
    /// Friction along its surface.
    pub friction: Friction,
}

impl MovingMesh {
    /// Puts its vertices where they are at time `t` \[s\]; shape \[vertices\].
    pub fn place(&self, t: f64, places: &mut [Vec3]) {
        let pose = self.motion.pose(t);
        match &self.sequence {
            Some(sequence) => places.iter_mut().zip(sequence.places(t)).for_each(|(place, x)| *place = pose.moved(x)),
            None => places.iter_mut().zip(&self.vertices).for_each(|(place, &x)| *place = pose.moved(x)),
        }
    }
}

/// How cloth meets itself and meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfCollision {
    /// Distance that is kept between surfaces \[m\], > 0 and below half of the shortest edge.
    pub distance: f64,
    /// Friction of cloth on cloth; bodies have their own.
    pub friction: Friction,
}

/// What was done about the collisions of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CollisionReport {
    /// Contacts that pushed.
    pub contacts: usize,
    /// Times that the motion was looked at.
    pub rounds: u32,
    /// Particles in impact zones.
    pub in_zones: usize,
    /// Work of solids, meshes and held particles that move on the cloth that they push or drag along \[J\].
    pub work: f64,
}

/// Why collisions of a step cannot be resolved.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum CollisionError {
    /// Cloth between bodies that move against each other.
    #[error("cloth is caught at particle {particle} between bodies, or held particles, that move against each other")]
    Pinched { particle: usize },
    /// Too many collisions, or too fast ones.
    #[error("collisions about particle {particle} are not resolved; take shorter steps")]
    Unresolved { particle: usize },
    /// So many collisions that none of what follows would resolve them.
    #[error(
        "more than {pairs} pairs of faces, edges and {particles} particles may meet, which are too many to resolve; take shorter steps"
    )]
    Crowded { pairs: usize, particles: usize },
}

/// The collisions of cloth.
pub struct Impacts {
    /// Particles of the cloth; vertices of bodies follow them in all that is of all particles.
    cloth: usize,
    inverse_masses: Vec<f64>,
    surface: Option<(Candidates, SelfCollision)>,
    bodies: Vec<MovingMesh>,
    solids: Solids,
    /// Faces that meet solids; none where particles alone do.
    faces: Option<Faces>,
    /// The motion of the step: from, to, and their difference \[m\].
    start: Vec<Vec3>,
    end: Vec<Vec3>,
    motion: Vec<Vec3>,
    /// The way of the cloth before it was changed \[m\].
    went: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// Velocities of the cloth at the start of the step \[m/s\].
    before: Vec<Vec3>,
    /// Ways of bodies in the next step less those of this one \[m\].
    gains: Vec<Vec3>,
    /// Largest coordinate of the cloth at the start of the step \[m\].
    size: f64,
    rows: Vec<Row>,
    /// Impulses of rows: those on the motion, and those on velocities.
    impulses: Vec<Impulse>,
    speeds: Vec<Impulse>,
    /// Rows whose points are as near as allowed at the end of the step.
    closed: Vec<bool>,
    /// Particles of the cloth that some impulse or zone has moved.
    touched: Vec<bool>,
    found: Vec<Option<Found>>,
    /// The last row of each pair, and the rows of what met last.
    row_of: HashMap<[u32; 4], usize>,
    met: Vec<usize>,
    zones: Zones,
}

impl Impacts {
    /// Of cloth with itself and with meshes.
    ///
    /// `masses` \[kg\] and `held`, shape \[particle_count\], are those of the cloth, `faces` its triangles, `start` \[m\] its
    /// places.
    ///
    /// # Errors
    /// [`ModelError::Collisions`] for meshes that are no surfaces, or that pass through each other or themselves at the start,
    /// [`ModelError::Thickness`] for one that is half of an edge or more.
    pub fn between(
        masses: &[f64],
        held: &[bool],
        faces: Vec<[u32; 3]>,
        start: &[Vec3],
        thickness: SelfCollision,
        bodies: Vec<MovingMesh>,
    ) -> Result<Impacts, ModelError> {
        Impacts::between_at(0.0, masses, held, faces, start, thickness, bodies)
    }

    /// As [`Impacts::between`], where the cloth is at its places at time `t` \[s\]; meshes are where they are then.
    ///
    /// # Errors
    /// As [`Impacts::between`].
    pub fn between_at(
        t: f64,
        masses: &[f64],
        held: &[bool],
        faces: Vec<[u32; 3]>,
        start: &[Vec3],
        thickness: SelfCollision,
        bodies: Vec<MovingMesh>,
    ) -> Result<Impacts, ModelError> {
        let mut impacts = Impacts::without(masses, held);
        let (mut all, mut places) = (faces, start.to_vec());
        for body in &bodies {
            let first = places.len() as u32;
            all.extend(body.faces.iter().map(|corners| corners.map(|corner| first + corner)));
            places.resize(places.len() + body.vertices.len(), Vec3::zeros());
            body.place(t, &mut places[first as usize..]);
        }
        let surface = Surface::new(all, places.len()).map_err(ModelError::Collisions)?;
        surface.check(&places).map_err(ModelError::Collisions)?;
        let of_cloth = surface.edges().iter().filter(|ends| (ends[0] as usize) < start.len());
        let edge = of_cloth.map(|&[i, j]| (start[j as usize] - start[i as usize]).norm()).fold(f64::INFINITY, f64::min);
        if thickness.distance >= 0.5 * edge {
            return Err(ModelError::Thickness { thickness: thickness.distance, edge });
        }
        impacts.inverse_masses.resize(places.len(), 0.0);
        for of_all in [&mut impacts.start, &mut impacts.end, &mut impacts.motion, &mut impacts.velocities, &mut impacts.gains] {
            of_all.resize(places.len(), Vec3::zeros());
        }
        impacts.bodies = bodies;
        impacts.surface = Some((Candidates::new(surface), thickness));
        Ok(impacts)
    }

    /// Of cloth that passes through itself: with the solids of [`Impacts::with_solids`] alone.
    pub fn without(masses: &[f64], held: &[bool]) -> Impacts {
        let inverse_masses: Vec<f64> = masses.iter().zip(held).map(|(m, held)| if *held { 0.0 } else { 1.0 / m }).collect();
        let cloth = masses.len();
        let zeros = vec![Vec3::zeros(); cloth];
        Impacts {
            cloth,
            inverse_masses,
            surface: None,
            bodies: vec![],
            solids: Solids::default(),
            faces: None,
            start: zeros.clone(),
            end: zeros.clone(),
            motion: zeros.clone(),
            went: zeros.clone(),
            before: zeros.clone(),
            gains: zeros.clone(),
            velocities: zeros,
            size: 0.0,
            rows: vec![],
            impulses: vec![],
            speeds: vec![],
            closed: vec![],
            touched: vec![false; cloth],
            found: vec![],
            row_of: HashMap::new(),
            met: vec![],
            zones: Zones::default(),
        }
    }

    /// Meets these solids too, particle by particle unless [`Impacts::meeting_faces`], with `friction` along their surfaces.
    pub fn with_solids(mut self, solids: Vec<(Solid, RigidMotion)>, friction: Friction) -> Impacts {
        self.solids.all.extend(solids.into_iter().map(|(solid, motion)| (solid, motion, friction)));
        self
    }

    /// Lets solids meet faces, edges and particles at the distance that the cloth keeps from itself. Planes, which meet no face
    /// before its corners, are met by particles as before. It means nothing where cloth passes through itself.
    pub fn meeting_faces(mut self) -> Impacts {
        self.faces = self.surface.is_some().then(Faces::default);
        self
    }

    /// The cloth and bodies as one surface, where they are triangles.
    pub fn surface(&self) -> Option<&Surface> {
        self.surface.as_ref().map(|(candidates, _)| candidates.surface())
    }

    /// Places of all that the surface has at the end of the last step \[m\]: those of the cloth, then of bodies.
    pub fn places(&self) -> &[Vec3] {
        &self.end
    }

    /// Notes where a step of `dt` \[s\] from time `t` \[s\] begins: cloth at `x` \[m\] with velocities `v` \[m/s\].
    pub fn begin(&mut self, t: f64, dt: f64, x: &[Vec3], v: &[Vec3]) {
        self.start[..self.cloth].copy_from_slice(x);
        self.before.copy_from_slice(v);
        self.size = x.iter().map(|x| x.amax()).fold(0.0, f64::max);
        self.solids.place(t, dt);
        let mut first = self.cloth;
        for body in &self.bodies {
            let all = first..first + body.vertices.len();
            body.place(t + 2.0 * dt, &mut self.gains[all.clone()]);
            body.place(t, &mut self.start[all.clone()]);
            body.place(t + dt, &mut self.end[all.clone()]);
            for i in all.clone() {
                self.gains[i] += self.start[i] - 2.0 * self.end[i];
            }
            first = all.end;
        }
    }

    /// Leads the step that began last, of `dt` \[s\], around collisions: places `x` \[m\] and velocities `v` \[m/s\] of the cloth.
    /// Where nothing collides they stay as they are, bit by bit.
    ///
    /// # Errors
    /// Collisions that are not resolved; `x` and `v` are then as they were.
    pub fn resolve(&mut self, dt: f64, x: &mut [Vec3], v: &mut [Vec3]) -> Result<CollisionReport, CollisionError> {
        self.end[..self.cloth].copy_from_slice(x);
        for (motion, (end, start)) in self.motion.iter_mut().zip(self.end.iter().zip(&self.start)) {
            *motion = end - start;
        }
        self.went.copy_from_slice(&self.motion[..self.cloth]);
        self.rows.clear();
        self.row_of.clear();
        self.impulses.clear();
        self.zones.clear();
        self.touched.fill(false);
        let mut resolved = CollisionReport::default();
        while self.look(if resolved.rounds == 0 { 1.0 } else { TOLERATED })? > 0 {
            resolved.rounds += 1;
            if resolved.rounds < ROUNDS {
                self.settle();
            } else if resolved.rounds < ROUNDS + GROWTHS {
                self.grow_zones()?;
            } else {
                let particle = self.met.first().map_or(0, |&row| self.rows[row].particles[0] as usize);
                return Err(CollisionError::Unresolved { particle });
            }
        }
        if resolved.rounds == 0 {
            return Ok(resolved);
        }
        let work = self.slow(dt, v);
        let pushed = self.impulses.iter().zip(&self.speeds).filter(|(motion, speed)| motion.normal > 0.0 || speed.normal > 0.0);
        resolved.contacts = pushed.count();
        resolved.in_zones = self.zones.particle_count();
        resolved.work = work;
        for i in (0..self.cloth).filter(|&i| self.touched[i]) {
            (x[i], v[i]) = (self.end[i], self.velocities[i]);
        }
        Ok(resolved)
    }

    /// Finds what meets on the present motion, within `share` of the distances that are kept, adds rows for it, and returns how
    /// much.
    fn look(&mut self, share: f64) -> Result<usize, CollisionError> {
        self.met.clear();
        if let Some((candidates, thickness)) = &mut self.surface {
            let most = MOST_PAIRS * self.cloth;
            let crowded = CollisionError::Crowded { pairs: most, particles: self.cloth };
            let boxes = BOXES * MOST_PAIRS * self.motion.len();
            let pairs = candidates.find_at_most(boxes, &self.start, &self.end, thickness.distance).ok_or(crowded)?;
            if pairs.len() > most {
                return Err(crowded);
            }
            let bodies = self.cloth as u32;
            detect::pairs(pairs, [&self.start, &self.end], bodies, thickness.distance, share, &mut self.found);
            for found in self.found.iter().flatten() {
                let last = self.row_of.entry(found.particles).or_insert(usize::MAX);
                // unless sweeps have not yet fulfilled what it asked for before
                if self.rows.get(*last).is_none_or(|row| row.room(&self.motion) >= 0.0) {
                    *last = self.rows.len();
                    let friction = match found.particles.iter().max() {
                        Some(&last) if last >= bodies => of_body(&self.bodies, (last - bodies) as usize),
                        _ => thickness.friction,
                    };
                    self.rows.push(found.row(&self.start, thickness.distance, friction, &self.inverse_masses));
                }
                self.met.push(*last);
            }
        }
        self.look_at_solids(share);
        if self.surface.is_some() && self.rows.len() > MOST_PAIRS * self.cloth {
            return Err(CollisionError::Crowded { pairs: MOST_PAIRS * self.cloth, particles: self.cloth });
        }
        self.impulses.resize(self.rows.len(), Impulse::default());
        match self.met.iter().map(|&row| &self.rows[row]).find(|row| share < 1.0 && !row.gives_way()) {
            Some(row) => Err(CollisionError::Pinched { particle: row.particles[0] as usize }),
            None => Ok(self.met.len()),
        }
    }

    /// What is as good as nothing of a motion \[m\]: where only solids are met, and nothing has a thickness, rounding.
    fn settled(&self) -> f64 {
        self.surface.as_ref().map_or(DEPTH * self.size, |(_, thickness)| SETTLED * thickness.distance)
    }

    /// Changes the motion until all rows are fulfilled.
    fn settle(&mut self) {
        let enough = self.settled();
        for _ in 0..SWEEPS {
            let mut change: f64 = 0.0;
            let (motion, inverse_masses) = (&mut self.motion, &self.inverse_masses);
            for (row, impulse) in self.rows.iter().zip(&mut self.impulses).filter(|(row, _)| row.gives_way()) {
                change = change.max(row.solve(impulse, motion, inverse_masses, row.least, row.body));
                change = change.max(row.brake(impulse, motion, inverse_masses, row.body));
            }
            if change <= enough {
                break;
            }
        }
        self.follow();
    }

    /// Puts the ends of the motion where it leads.
    fn follow(&mut self) {
        for k in 0..self.rows.len() {
            if self.impulses[k].normal > 0.0 {
                self.touch(k);
            }
        }
        for i in (0..self.cloth).filter(|&i| self.touched[i]) {
            self.end[i] = self.start[i] + self.motion[i];
        }
    }

    /// Notes that a row has moved its particles.
    fn touch(&mut self, row: usize) {
        for i in self.rows[row].particles.map(|particle| particle as usize).into_iter().filter(|&i| i < self.cloth) {
            self.touched[i] |= self.inverse_masses[i] > 0.0;
        }
    }

    /// Lets what met last move as rigid bodies.
    fn grow_zones(&mut self) -> Result<(), CollisionError> {
        for &row in &self.met {
            self.zones.join(&self.rows[row]);
        }
        self.zones.move_rigidly(&self.inverse_masses, &self.start, &mut self.motion)?;
        for i in self.zones.particles().filter(|&i| i < self.cloth) {
            self.touched[i] |= self.inverse_masses[i] > 0.0;
        }
        self.follow();
        Ok(())
    }

    /// Velocities that approach nowhere along contacts that are closed at the end of the step, from `v` \[m/s\]; the work of what moves
    /// by itself \[J\].
    fn slow(&mut self, dt: f64, v: &[Vec3]) -> f64 {
        let near = self.settled();
        let is_closed = |row: &Row, impulse: &Impulse| impulse.normal > 0.0 || row.room(&self.motion) <= near;
        let closed = self.rows.iter().zip(&self.impulses).map(|(row, impulse)| row.gives_way() && is_closed(row, impulse));
        self.closed.clear();
        self.closed.extend(closed);
        let still = self.rows.iter().all(|row| row.body == Vec3::zeros())
            && (0..self.motion.len()).all(|i| self.inverse_masses[i] > 0.0 || self.motion[i] == Vec3::zeros());
        let energy = |velocities: &[Vec3], inverse_masses: &[f64]| -> f64 {
            velocities.iter().zip(inverse_masses).filter(|(_, w)| **w > 0.0).map(|(v, w)| v.norm_squared() / w).sum()
        };
        let share = self.share(dt, v);
        for braked in [true, false] {
            self.velocities[..self.cloth].copy_from_slice(v);
            for i in self.cloth..self.motion.len() {
                self.velocities[i] = (self.motion[i] + share * self.gains[i]) / dt;
            }
            let before = energy(&self.velocities, &self.inverse_masses);
            self.project_velocities(dt, share, braked);
            // bounds of friction that change as impulses do can cost the promise: without it they cannot
            if !still || energy(&self.velocities, &self.inverse_masses) <= before * (1.0 + 1e-14) {
                break;
            }
        }
        for k in 0..self.rows.len() {
            if self.speeds[k].normal > 0.0 {
                self.touch(k);
            }
        }
        let work = if still { 0.0 } else { self.work(dt, share) };
        work + self.zones.slow(&self.inverse_masses, &self.end, dt, &self.motion, &mut self.velocities)
    }

    /// Work of what moves by itself in all rows \[J\]: impulse by velocity, of those on the motion or of those on velocities, whichever is
    /// more.
    fn work(&self, dt: f64, share: f64) -> f64 {
        let mut sum = 0.0;
        for (row, (pushed, slowed)) in self.rows.iter().zip(self.impulses.iter().zip(&self.speeds)) {
            let in_motion = row.work(pushed, row.body, &self.motion, &self.inverse_masses) / (dt * dt);
            let body = (row.body + share * row.gain) / dt;
            sum += in_motion.max(row.work(slowed, body, &self.velocities, &self.inverse_masses));
        }
        sum
    }

    /// The share of what velocities gain in a step that its ways do not have yet: none for schemes of x' = v at its end, half where
    /// ways are of the mean velocity. Bodies are given as much of the way of their next step, or what they carry would be left behind.
    fn share(&self, dt: f64, v: &[Vec3]) -> f64 {
        let (mut along, mut all) = (0.0, 0.0);
        for (i, v) in v.iter().enumerate().filter(|(i, _)| self.inverse_masses[*i] > 0.0) {
            let gained = v - self.before[i];
            along += gained.dot(&(v - self.went[i] / dt));
            all += gained.norm_squared();
        }
        let share = if all > 0.0 { (along / all).clamp(0.0, 1.0) } else { 0.0 };
        if share < ROUNDED { 0.0 } else { share }
    }

    fn project_velocities(&mut self, dt: f64, share: f64, braked: bool) {
        let fastest = self.velocities.iter().map(|v| v.amax()).fold(0.0, f64::max);
        self.speeds.clear();
        self.speeds.resize(self.rows.len(), Impulse::default());
        for _ in 0..SWEEPS {
            let mut change: f64 = 0.0;
            for (k, row) in self.rows.iter().enumerate().filter(|(k, _)| self.closed[*k]) {
                let body = (row.body + share * row.gain) / dt;
                let (impulse, velocities) = (&mut self.speeds[k], &mut self.velocities);
                change = change.max(row.solve(impulse, velocities, &self.inverse_masses, 0.0, body));
                if braked {
                    change = change.max(row.brake(impulse, velocities, &self.inverse_masses, body));
                }
            }
            if change <= SETTLED * fastest {
                break;
            }
        }
    }
}

/// Friction of the body whose vertex that is, counted over all bodies.
fn of_body(bodies: &[MovingMesh], mut vertex: usize) -> Friction {
    let whose = bodies.iter().find(|body| {
        let is_of_it = vertex < body.vertices.len();
        vertex = vertex.wrapping_sub(body.vertices.len());
        is_of_it
    });
    whose.map_or_else(Friction::default, |body| body.friction)
}

#[cfg(test)]
mod tests;
