//! Colours of charts.

/// Colour, red, green and blue [0 to 255].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

/// Colours that people with any colour vision tell apart [Okabe & Ito 2008, Color Universal Design].
pub enum Palette {}

#[allow(missing_docs)] // names of colours
impl Palette {
    pub const BLUE: Color = Color(0, 114, 178);
    /// Vermillion, the red of the set.
    pub const VERMILLION: Color = Color(213, 94, 0);
    /// Bluish green.
    pub const GREEN: Color = Color(0, 158, 115);
    pub const ORANGE: Color = Color(230, 159, 0);
    /// Reddish purple.
    pub const PURPLE: Color = Color(204, 121, 167);
    /// Sky blue.
    pub const SKY: Color = Color(86, 180, 233);
    /// Yellow; too light for lines, good for filled regions.
    pub const YELLOW: Color = Color(240, 228, 66);
    pub const BLACK: Color = Color(0, 0, 0);
    /// Grey, for what is published elsewhere and for guides to the eye.
    pub const GREY: Color = Color(120, 120, 120);

    /// Colour of series `k`: seven colours in the order above without yellow, then again from the start.
    pub fn series(k: usize) -> Color {
        const SERIES: [Color; 7] =
            [Palette::BLUE, Palette::VERMILLION, Palette::GREEN, Palette::ORANGE, Palette::PURPLE, Palette::SKY, Palette::BLACK];
        SERIES[k % SERIES.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_differ_and_repeat_after_seven() {
        for a in 0..7 {
            assert!((0..a).all(|b| Palette::series(a) != Palette::series(b)));
            assert_eq!(Palette::series(a), Palette::series(a + 7));
        }
    }
}
