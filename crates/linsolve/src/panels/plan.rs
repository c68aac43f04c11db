use std::cmp::Ordering;

use super::{Columns, LANES};

/// Neighbouring columns of L that are stored as a dense block: its own rows padded to tiles, then the rows below, padded as well.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    /// First column.
    pub start: usize,
    /// Number of columns.
    pub width: usize,
    /// Where its rows below are listed, and their number.
    pub rows: usize,
    pub below: usize,
    /// Where its values are stored, column by column.
    pub factor: usize,
    /// Where what it leaves is stored, column by column, each padded to tiles.
    pub left: usize,
    /// The panel that what it leaves is added to.
    pub parent: Option<usize>,
    /// Where its children are listed, and their number.
    children: [usize; 2],
}

/// A number of rows padded to tiles.
pub(super) fn padded(rows: usize) -> usize {
    rows.next_multiple_of(LANES)
}

impl Panel {
    /// One behind its last column.
    pub fn end(&self) -> usize {
        self.start + self.width
    }

    /// Where its rows below begin.
    pub fn first_below(&self) -> usize {
        padded(self.width)
    }

    /// Rows, padded.
    pub fn height(&self) -> usize {
        padded(self.width) + padded(self.below)
    }

    /// Numbers of what it leaves.
    fn left_size(&self) -> usize {
        padded(self.below) * padded(self.below)
    }

    /// Its columns among all values.
    pub fn columns<'a>(&self, factor: &'a [f64]) -> impl Iterator<Item = &'a [f64]> {
        factor[self.factor..self.factor + self.width * self.height()].chunks_exact(self.height())
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Children before their parents.
    pub panels: Vec<Panel>,
    /// Unknowns in the order of elimination.
    pub order: Vec<usize>,
    /// Rows below each panel.
    rows: Vec<usize>,
    /// Those rows as places in the panel of the parent.
    places_in_parent: Vec<u32>,
    /// Children of the panels, ascending.
    children: Vec<usize>,
    /// Where the values of the matrix go, and whether each is above its diagonal in the order of elimination, on it, or below.
    pub places: Vec<usize>,
    pub sides: Vec<Ordering>,
    pub factor_size: usize,
    pub scaled_size: usize,
    pub left_size: usize,
    /// Memory to find places of what is left.
    in_use: Vec<(usize, usize, usize)>,
}

impl Plan {
    /// `unit` is how many unknowns each of the columns stands for.
    pub fn new(columns: Columns<'_>, order: &[usize], unit: usize, entries: impl Iterator<Item = (usize, usize)>) -> Plan {
        let (postorder, parents, counts) = postordered(columns);
        let mut place_of = vec![0; order.len()]; // of columns
        postorder.iter().enumerate().for_each(|(place, column)| place_of[*column] = place);
        let order: Vec<usize> = postorder.iter().map(|column| order[*column]).collect();

        let mut plan = Plan { order, ..Plan::default() };
        let mut panel_of = vec![0; plan.order.len()];
        for (start, width) in grouped(&parents, &counts, unit) {
            let last = postorder[start + width - 1];
            let mut below: Vec<usize> =
                columns.rows[columns.starts[last] + 1..columns.starts[last + 1]].iter().map(|row| place_of[*row]).collect();
            below.sort_unstable();
            panel_of[start..start + width].fill(plan.panels.len());
            let (rows, factor) = (plan.rows.len(), plan.factor_size);
            let panel = Panel { start, width, rows, below: below.len(), factor, left: 0, parent: None, children: [0; 2] };
            plan.factor_size += width * panel.height();
            plan.scaled_size = plan.scaled_size.max(width * panel.height());
            plan.rows.extend(below);
            plan.panels.push(panel);
        }
        for k in 0..plan.panels.len() {
            if let Some(row) = plan.below(&plan.panels[k]).first() {
                let parent = panel_of[*row];
                plan.panels[k].parent = Some(parent);
                let rows = plan.below(&plan.panels[k]).iter();
                let places: Vec<u32> = rows.map(|row| plan.place(&plan.panels[parent], *row) as u32).collect();
                plan.places_in_parent.extend(places);
            }
        }
        plan.list_children();
        plan.place_what_is_left();

        let mut places_of_unknowns = vec![0; plan.order.len()];
        plan.order.iter().enumerate().for_each(|(place, unknown)| places_of_unknowns[*unknown] = place);
        for (row, column) in entries {
            let (i, j) = (places_of_unknowns[row], places_of_unknowns[column]);
            let panel = &plan.panels[panel_of[i.min(j)]];
            let place = panel.factor + (i.min(j) - panel.start) * panel.height() + plan.place(panel, i.max(j));
            plan.places.push(place);
            plan.sides.push(i.cmp(&j));
        }
        plan
    }

    /// Overwrites `plan` by that of unknowns, where this one is of nodes whose unknowns `begin` there in the order of elimination, and
    /// end. `offsets` become the places of those of the nodes below each panel among its rows, node by node. It has no order, no
    /// list of rows, and no places of values.
    pub fn with_unknowns(&self, begins: &[usize], offsets: &mut Vec<usize>, plan: &mut Plan) {
        let Plan { panels, places_in_parent, children, .. } = plan;
        [&mut *offsets, &mut *children].into_iter().for_each(Vec::clear);
        places_in_parent.clear();
        panels.clear();
        (plan.factor_size, plan.scaled_size, plan.left_size) = (0, 0, 0);
        children.extend_from_slice(&self.children);
        let mut rows = 0;
        for of_nodes in &self.panels {
            let (start, first) = (begins[of_nodes.start], rows);
            for node in self.below(of_nodes) {
                offsets.push(rows - first);
                rows += begins[node + 1] - begins[*node];
            }
            let (width, below) = (begins[of_nodes.end()] - start, rows - first);
            let panel = Panel { start, width, rows: first, below, factor: plan.factor_size, left: 0, ..*of_nodes };
            plan.factor_size += width * panel.height();
            plan.scaled_size = plan.scaled_size.max(width * panel.height());
            panels.push(panel);
        }
        for of_nodes in &self.panels {
            let Some(parent) = of_nodes.parent else { continue };
            let (nodes_of_parent, parent) = (&self.panels[parent], &panels[parent]);
            for (node, place) in self.below(of_nodes).iter().zip(self.places_in_parent(of_nodes)) {
                let place = match *node < nodes_of_parent.end() {
                    true => begins[*node] - parent.start,
                    false => {
                        parent.first_below() + offsets[nodes_of_parent.rows + *place as usize - nodes_of_parent.first_below()]
                    }
                };
                places_in_parent.extend((place..place + begins[node + 1] - begins[*node]).map(|place| place as u32));
            }
        }
        plan.place_what_is_left();
    }

    /// Most rows of a panel.
    pub fn height(&self) -> usize {
        self.panels.iter().map(Panel::height).max().unwrap_or(0)
    }

    /// The rows below a panel.
    pub fn below(&self, panel: &Panel) -> &[usize] {
        &self.rows[panel.rows..panel.rows + panel.below]
    }

    /// Their places in the panel of the parent.
    pub fn places_in_parent(&self, panel: &Panel) -> &[u32] {
        &self.places_in_parent[panel.rows..panel.rows + panel.below]
    }

    /// The panels that leave something to this one.
    pub fn children(&self, panel: &Panel) -> impl Iterator<Item = &Panel> {
        let [first, count] = panel.children;
        self.children[first..first + count].iter().map(|child| &self.panels[*child])
    }

    fn list_children(&mut self) {
        let mut children: Vec<usize> = (0..self.panels.len()).filter(|k| self.panels[*k].parent.is_some()).collect();
        children.sort_by_key(|child| self.panels[*child].parent);
        for (place, child) in children.iter().enumerate() {
            if let Some(parent) = self.panels[*child].parent {
                let [first, count] = &mut self.panels[parent].children;
                if *count == 0 {
                    *first = place;
                }
                *count += 1;
            }
        }
        self.children = children;
    }

    /// Where a panel has a row.
    fn place(&self, panel: &Panel, row: usize) -> usize {
        match row < panel.end() {
            true => row - panel.start,
            false => panel.first_below() + self.below(panel).binary_search(&row).expect("a row of the factor"),
        }
    }

    /// Finds memory for what each panel leaves, which is in use until its parent has taken it: the first gap that is large enough.
    fn place_what_is_left(&mut self) {
        let mut in_use = std::mem::take(&mut self.in_use); // begin, end, whose; ascending
        in_use.clear();
        for k in 0..self.panels.len() {
            let size = self.panels[k].left_size();
            if size > 0 {
                let mut begin = 0;
                let mut at = 0;
                while at < in_use.len() && in_use[at].0 < begin + size {
                    begin = in_use[at].1;
                    at += 1;
                }
                in_use.insert(at, (begin, begin + size, k));
                self.panels[k].left = begin;
                self.left_size = self.left_size.max(begin + size);
            }
            in_use.retain(|(_, _, child)| self.panels[*child].parent != Some(k));
        }
        self.in_use = in_use;
    }
}

/// The columns of L with every column after its children, the child of most rows last; parents and numbers of rows in this order.
fn postordered(columns: Columns<'_>) -> (Vec<usize>, Vec<Option<usize>>, Vec<usize>) {
    let unknowns = columns.starts.len() - 1;
    let count = |column: usize| columns.starts[column + 1] - columns.starts[column];
    let parent = |column: usize| columns.rows[columns.starts[column]..columns.starts[column + 1]].get(1).copied();
    let mut children = vec![vec![]; unknowns];
    let mut stack = vec![];
    for column in 0..unknowns {
        match parent(column) {
            Some(parent) => children[parent].push(column),
            None => stack.push(column),
        }
    }
    for children in &mut children {
        children.sort_by_key(|child| count(*child));
    }
    let mut postorder = vec![]; // from its end
    while let Some(column) = stack.pop() {
        postorder.push(column);
        stack.extend(&children[column]);
    }
    postorder.reverse();
    let mut place_of = vec![0; unknowns];
    postorder.iter().enumerate().for_each(|(place, column)| place_of[*column] = place);
    let parents = postorder.iter().map(|column| parent(*column).map(|parent| place_of[parent])).collect();
    let counts = postorder.iter().map(|column| count(*column)).collect();
    (postorder, parents, counts)
}

/// First column and width of the panels: columns of the same rows, then a panel with the last child of its parent where that
/// stores few zeros.
fn grouped(parents: &[Option<usize>], counts: &[usize], unit: usize) -> Vec<(usize, usize)> {
    struct Group {
        start: usize,
        width: usize,
        zeros: usize,
    }
    let mut groups: Vec<Group> = vec![];
    let mut column = 0;
    while column < parents.len() {
        let start = column;
        while parents[column] == Some(column + 1) && counts[column + 1] + 1 == counts[column] {
            column += 1;
        }
        column += 1;
        let mut group = Group { start, width: column - start, zeros: 0 };
        while let Some(child) = groups.last() {
            if parents[group.start - 1].is_none_or(|parent| parent >= column) {
                break;
            }
            let width = child.width + group.width;
            let below = counts[column - 1] - 1;
            let further = group.width + below + 1 - counts[group.start - 1]; // rows that the child does not have
            let zeros = child.zeros + group.zeros + child.width * further;
            let stored = width * (width + 1) / 2 + width * below;
            if !is_worth_it(unit * width, zeros, stored) {
                break;
            }
            group = Group { start: child.start, width, zeros };
            groups.pop();
        }
        groups.push(group);
    }
    groups.into_iter().map(|group| (group.start, group.width)).collect()
}

/// Whether a panel of this width may store so many zeros: narrow ones cost more than zeros do.
fn is_worth_it(width: usize, zeros: usize, stored: usize) -> bool {
    let share = zeros as f64 / stored as f64;
    match width {
        0..=4 => true,
        5..=16 => share < 0.5,
        17..=48 => share < 0.15,
        _ => share < 0.05,
    }
}
