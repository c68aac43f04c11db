//! The models and schemes of cloth, by what they are used for.

mod automatic;
mod contact;
mod cuts;
mod forces;
mod friction;
mod gradient_bits;
mod grid_form;
mod grid_springs;
mod implicit;
mod inextensible;
mod jacobians;
mod laws;
mod line_search;
mod momentum;
mod moving_pins;
mod projective;
mod repulsion;
mod rigidity;
mod run;
mod second_order;
mod solid_faces;
mod stiffening;
mod tearing;
mod triangle_cloth;
