//! Cloth over time as a page that plays it.
//!
//! A [`Film`] holds frames of one run; [`page`] makes a page of one or several, which are played side by side by WebGL. The page
//! needs nothing but itself, and shows a sheet of pictures where there is no script or no WebGL.
//!
//! ```
//! use viewer::{Film, View, page};
//!
//! let edges = vec![[0, 1], [1, 2], [2, 0]];
//! let mut film = Film::new("a triangle", View { azimuth: -60.0, elevation: 20.0 }, vec![[0, 1, 2]], edges);
//! film.take(0.0, &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], &[0.0, 0.0, 0.0]);
//! film.take(0.1, &[[0.0, 0.0, 0.0], [1.1, 0.0, 0.0], [1.1, 1.0, 0.0]], &[0.1, 0.1, 0.0]);
//! let html = page("triangle", &[film.packed()], "");
//! assert_eq!(viewer::runs(&html), [film.packed()]);
//! ```

mod film;
mod page;

pub use film::{Body, Film, View};
pub use page::{count, is_titled, named, page, runs};
