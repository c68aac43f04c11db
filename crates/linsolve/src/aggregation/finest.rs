use super::level::Level;
use super::transfer::Transfer;
use crate::Mat3;
use crate::Vec3;
use crate::lanes::{CACHED, Eight, Kernel, prefetch};

/// The finest level as cycles read it: entries in single precision, each once a sweep, in sums of double precision.
///
/// A coupling stands with its later node. Where that node is relaxed its block is read for what the earlier one gives to it, and for
/// what it gives back.
#[derive(Clone, Debug, Default)]
pub(super) struct Finest {
    /// Couplings of node j with earlier ones are starts\[j\] .. starts\[j + 1\], shape \[nodes + 1\].
    starts: Vec<u32>,
    /// The earlier node of every coupling.
    earlier: Vec<u32>,
    /// A_ij of each, row by row, then zeros up to the length of a row of four.
    blocks: Vec<f32>,
    /// The lower triangle of G⁻¹ of each node, by rows.
    scales: Vec<[f32; 6]>,
}

/// How far ahead of the node under way couplings that come from memory are asked for \[B\].
const AHEAD: isize = 2048;

/// Three numbers of a node and a zero.
type Four = [f64; 4];

/// Vectors of the finest level, shape \[nodes\].
#[derive(Clone, Debug, Default)]
pub(super) struct FinestMemory {
    x: Vec<Four>,
    left: Vec<Four>,
}

impl FinestMemory {
    pub fn resize(&mut self, nodes: usize) {
        let FinestMemory { x, left } = self;
        [x, left].into_iter().for_each(|vector| vector.resize(nodes, [0.0; 4]));
    }
}

impl Finest {
    /// Takes a level of three unknowns a node, and G⁻¹ of its nodes.
    pub fn fill(&mut self, level: &Level, scales: &[Mat3]) {
        let Finest { starts, earlier, blocks, scales: rounded } = self;
        let nodes = level.nodes();
        starts.clear();
        starts.resize(nodes + 2, 0);
        level.columns.iter().for_each(|later| starts[*later as usize + 2] += 1);
        (0..nodes).for_each(|node| starts[node + 2] += starts[node + 1]);
        earlier.resize(level.columns.len(), 0);
        blocks.resize(9 * level.columns.len() + 3, 0.0);
        for node in 0..nodes {
            for coupling in level.couplings(node) {
                let place = &mut starts[level.columns[coupling] as usize + 1];
                earlier[*place as usize] = node as u32;
                let rounded = &mut blocks[9 * *place as usize..][..9];
                rounded.iter_mut().zip(level.block(coupling)).for_each(|(to, entry)| *to = *entry as f32);
                *place += 1;
            }
        }
        rounded.clear();
        rounded.extend(scales.iter().map(|g| [g.m11, g.m21, g.m22, g.m31, g.m32, g.m33].map(|entry| entry as f32)));
    }

    /// G⁻¹ r of a node.
    #[inline(always)]
    fn scaled(&self, node: usize, r: &Vec3) -> Four {
        let [g11, g21, g22, g31, g32, g33] = self.scales[node].map(f64::from);
        [g11 * r.x, g21 * r.x + g22 * r.y, g31 * r.x + g32 * r.y + g33 * r.z, 0.0]
    }

    /// Whether couplings come from memory in every sweep.
    fn is_in_memory(&self) -> bool {
        size_of_val(&*self.blocks) > CACHED
    }

    /// Asks for what stands so many bytes behind the couplings of a node, or before them.
    #[inline(always)]
    fn ask(&self, node: usize, behind: isize) {
        let [first, end] = [self.starts[node], self.starts[node + 1]].map(|place| 9 * place as usize);
        let couplings = &self.blocks[first..end];
        prefetch(couplings.as_ptr().wrapping_byte_offset(behind).cast(), size_of_val(couplings));
    }

    #[inline(always)]
    fn couplings(&self, node: usize) -> impl DoubleEndedIterator<Item = (usize, [Four; 3])> {
        let own = self.starts[node] as usize..self.starts[node + 1] as usize;
        let blocks = &self.blocks[9 * own.start..9 * own.end + 3];
        self.earlier[own].iter().enumerate().map(move |(k, earlier)| {
            let row = |p: usize| {
                let row = &blocks[9 * k + 3 * p..][..4].as_chunks::<4>().0[0];
                [f64::from(row[0]), f64::from(row[1]), f64::from(row[2]), f64::from(row[3])]
            };
            (*earlier as usize, [row(0), row(1), row(2)])
        })
    }
}

/// s - Aᵀ x; what is the fourth has no meaning.
#[inline(always)]
fn minus_transposed(mut s: Four, a: &[Four; 3], x: &Four) -> Four {
    for p in 0..3 {
        for q in 0..4 {
            s[q] -= a[p][q] * x[p];
        }
    }
    s
}

/// to -= A x, where the fourth of x is zero.
#[inline(always)]
fn subtract_product(a: &[Four; 3], x: &Four, to: &mut Four) {
    let mut products = [[0.0; 4]; 3];
    for p in 0..3 {
        for q in 0..4 {
            products[p][q] = a[p][q] * x[q];
        }
    }
    for p in 0..3 {
        to[p] -= (products[p][0] + products[p][2]) + products[p][1];
    }
}

/// b = G⁻¹ r, x = (I + Uᵀ)⁻¹ b and what is left of b, restricted; `left` is zero then.
pub(super) struct FinestBefore<'a> {
    pub finest: &'a Finest,
    pub transfer: &'a Transfer,
    pub coarse: &'a Level,
    pub r: &'a [Vec3],
    pub memory: &'a mut FinestMemory,
    pub to: &'a mut [f64],
}

impl Kernel for FinestBefore<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let FinestBefore { finest, transfer, coarse, r, memory: FinestMemory { x, left }, to } = self;
        let is_in_memory = finest.is_in_memory();
        for node in 0..r.len() {
            if is_in_memory {
                finest.ask(node, AHEAD);
            }
            let mut own = finest.scaled(node, &r[node]);
            for (earlier, block) in finest.couplings(node) {
                own = minus_transposed(own, &block, &x[earlier]);
            }
            own[3] = 0.0;
            x[node] = own;
            left[node] = [0.0; 4];
            for (earlier, block) in finest.couplings(node) {
                subtract_product(&block, &own, &mut left[earlier]);
            }
        }
        transfer.restrict_finest(coarse, left, to);
    }
}

/// x += P `from`, x = (I + U)⁻¹ (b - Uᵀ x) with b = G⁻¹ r, and h = G⁻ᵀ x, in memory as [`FinestBefore`] leaves it.
pub(super) struct FinestAfter<'a> {
    pub finest: &'a Finest,
    pub transfer: &'a Transfer,
    pub coarse: &'a Level,
    pub r: &'a [Vec3],
    pub from: &'a [f64],
    pub memory: &'a mut FinestMemory,
    pub h: &'a mut [Vec3],
}

impl Kernel for FinestAfter<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let FinestAfter { finest, transfer, coarse, r, from, memory: FinestMemory { x, left }, h } = self;
        transfer.prolong_finest(coarse, from, x);
        let is_in_memory = finest.is_in_memory();
        for node in (0..h.len()).rev() {
            if is_in_memory {
                finest.ask(node, -AHEAD);
            }
            let mut own = finest.scaled(node, &r[node]);
            (0..3).for_each(|q| own[q] += left[node][q]);
            for (earlier, block) in finest.couplings(node) {
                own = minus_transposed(own, &block, &x[earlier]);
            }
            own[3] = 0.0;
            for (earlier, block) in finest.couplings(node) {
                subtract_product(&block, &own, &mut left[earlier]);
            }
            let [g11, g21, g22, g31, g32, g33] = finest.scales[node].map(f64::from);
            let [x, y, z, _] = own;
            h[node] = Vec3::new(g11 * x + g21 * y + g31 * z, g22 * y + g32 * z, g33 * z);
        }
    }
}
