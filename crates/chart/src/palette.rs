//! Colours of charts, on white and, where a page is dark, on [`DARK_GROUND`].

/// Colour, red, green and blue [0 to 255].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

/// Ground of drawings where a page is light.
pub(super) const GROUND: Color = Color(255, 255, 255);
/// Ground of drawings where a page is dark.
pub(super) const DARK_GROUND: Color = Color(21, 23, 26);

/// Colours that people with any colour vision tell apart, after those of [Okabe & Ito 2008, Color Universal Design], darker where
/// lines on white need it. Each stands out by 3 : 1 at least from white, and what a dark page shows in its place from a dark
/// ground; any two of them lie 12 apart in CIELAB at least, with deuteranopia too, and 9 with protanopia.
pub enum Palette {}

#[allow(missing_docs)] // names of colours
impl Palette {
    pub const BLUE: Color = Color(0, 105, 170);
    /// Vermillion, the red of the set.
    pub const VERMILLION: Color = Color(194, 64, 0);
    /// Bluish green.
    pub const GREEN: Color = Color(0, 158, 115);
    pub const ORANGE: Color = Color(190, 136, 30);
    /// Reddish purple.
    pub const PURPLE: Color = Color(204, 121, 167);
    /// Sky blue.
    pub const SKY: Color = Color(35, 152, 232);
    pub const BLACK: Color = Color(0, 0, 0);
    pub const INDIGO: Color = Color(84, 54, 180);
    pub const OLIVE: Color = Color(108, 114, 22);
    pub const CRIMSON: Color = Color(165, 30, 74);
    pub const BROWN: Color = Color(107, 58, 21);
    /// Grey, for what is published elsewhere and for guides to the eye.
    pub const GREY: Color = Color(110, 110, 110);
    /// Yellow; too light for lines and marks, good for solids.
    pub const YELLOW: Color = Color(240, 228, 66);

    /// From little to much, for regions on which numbers stand.
    pub const SCALE: [Color; 6] = [
        Color(222, 235, 247),
        Color(187, 212, 235),
        Color(146, 187, 220),
        Color(104, 158, 203),
        Color(66, 129, 184),
        Color(36, 101, 162),
    ];

    /// Colours of series in their order.
    const SERIES: [Color; 11] = [
        Self::BLUE,
        Self::VERMILLION,
        Self::GREEN,
        Self::ORANGE,
        Self::PURPLE,
        Self::SKY,
        Self::BLACK,
        Self::INDIGO,
        Self::OLIVE,
        Self::CRIMSON,
        Self::BROWN,
    ];

    /// Colour of series `k`: eleven colours in the order above, then again from the start.
    pub fn series(k: usize) -> Color {
        Self::SERIES[k % Self::SERIES.len()]
    }
}

/// What a dark page shows in place of a colour of data.
pub(super) const DARK_DATA: [(Color, Color); 18] = [
    (Palette::BLUE, Color(65, 165, 235)),
    (Palette::VERMILLION, Color(208, 83, 9)),
    (Palette::GREEN, Color(60, 205, 155)),
    (Palette::ORANGE, Color(250, 200, 80)),
    (Palette::PURPLE, Color(235, 150, 205)),
    (Palette::SKY, Color(150, 215, 255)),
    (Palette::BLACK, Color(230, 232, 235)),
    (Palette::INDIGO, Color(130, 118, 240)),
    (Palette::OLIVE, Color(155, 175, 28)),
    (Palette::CRIMSON, Color(233, 50, 105)),
    (Palette::BROWN, Color(180, 120, 75)),
    (Palette::GREY, Color(150, 150, 150)),
    (Palette::SCALE[0], Color(30, 44, 58)),
    (Palette::SCALE[1], Color(26, 58, 88)),
    (Palette::SCALE[2], Color(22, 74, 118)),
    (Palette::SCALE[3], Color(20, 90, 146)),
    (Palette::SCALE[4], Color(20, 106, 172)),
    (Palette::SCALE[5], Color(24, 120, 194)),
];

#[cfg(test)]
mod tests {
    use super::super::frame::REGION_ALPHA;
    use super::super::theme::INK;
    use super::super::vision::{Eyes, apart, contrast};
    use super::*;

    /// Colours of lines and marks, on a light page and on a dark one.
    fn of_lines() -> [Vec<Color>; 2] {
        let pairs = || DARK_DATA.iter().filter(|(light, _)| !Palette::SCALE.contains(light));
        [pairs().map(|(light, _)| *light).collect(), pairs().map(|(_, dark)| *dark).collect()]
    }

    /// A colour that lets some of the ground through.
    fn blended(color: Color, ground: Color) -> Color {
        let mix = |over: u8, under: u8| (REGION_ALPHA * f64::from(over) + (1.0 - REGION_ALPHA) * f64::from(under)).round() as u8;
        Color(mix(color.0, ground.0), mix(color.1, ground.1), mix(color.2, ground.2))
    }

    #[test]
    fn series_differ_and_repeat_after_eleven() {
        for a in 0..11 {
            assert!((0..a).all(|b| Palette::series(a) != Palette::series(b)));
            assert_eq!(Palette::series(a), Palette::series(a + 11));
            assert!(of_lines()[0].contains(&Palette::series(a)), "a dark page knows it");
        }
    }

    #[test]
    fn lines_stand_out_from_light_and_dark_pages() {
        for (colors, ground) in of_lines().into_iter().zip([GROUND, DARK_GROUND]) {
            for color in colors {
                assert!(contrast(color, ground) >= 3.0, "{color:?} on {ground:?}: {}", contrast(color, ground));
            }
        }
    }

    #[test]
    fn any_two_colours_of_lines_are_told_apart_by_all_eyes() {
        for colors in of_lines() {
            for (k, a) in colors.iter().enumerate() {
                for b in &colors[..k] {
                    for (eyes, least) in [(Eyes::AllCones, 12.0), (Eyes::Deuteranopia, 12.0), (Eyes::Protanopia, 9.0)] {
                        assert!(apart(*a, *b, eyes) >= least, "{a:?} and {b:?}: {}", apart(*a, *b, eyes));
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_can_be_read_on_every_step_of_the_scale_and_steps_are_told_apart() {
        let dark = |color: Color| DARK_DATA.iter().find(|(light, _)| *light == color).map(|(_, dark)| *dark).unwrap();
        let on_light = Palette::SCALE.map(|color| blended(color, GROUND));
        let on_dark = Palette::SCALE.map(|color| blended(dark(color), DARK_GROUND));
        for (steps, ink) in [(on_light, INK.0), (on_dark, INK.1)] {
            for pair in steps.windows(2) {
                assert!([Eyes::AllCones, Eyes::Deuteranopia].iter().all(|eyes| apart(pair[0], pair[1], *eyes) > 4.0), "{pair:?}");
            }
            assert!(steps.iter().all(|step| contrast(*step, ink) > 4.5), "{steps:?}");
        }
    }
}
