//! Ticks: round numbers on an axis, and how they are written.

use super::axis::{Axis, Scale, Span, TickLabels};

/// Ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    /// Ticks with a label.
    pub major: Vec<Tick>,
    /// Places of ticks without one.
    pub minor: Vec<f64>,
}

/// Tick with its label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Place on the axis, see [`Scale::place`].
    pub at: f64,
    pub label: String,
}

impl Ticks {
    /// Ticks of what is shown of an axis, about `most` labelled ones or fewer; of categories all.
    pub fn of(axis: &Axis, span: &Span, most: usize) -> Self {
        match (&axis.ticks, span.scale) {
            (TickLabels::WholeNumbers, Scale::Linear) => Self::labelled(steps(span.from, span.to, most.max(2), 0), Scale::Linear),
            (TickLabels::Numbers | TickLabels::WholeNumbers, _) => Self::new(span, most),
            (TickLabels::Names(names), scale) => {
                let places = (1..=names.len()).map(|k| scale.place(k as f64));
                let named = places.zip(names).filter_map(|(at, name)| Some(Tick { at: at?, label: name.clone() }));
                Self { major: named.filter(|tick| span.holds(tick.at)).collect(), minor: Vec::new() }
            }
        }
    }

    /// Ticks of a span, about `most` labelled ones or fewer.
    ///
    /// Linear axes step by 1, 2 or 5 times a power of ten. Logarithmic ones label every n-th decade; where that leaves
    /// fewer than two labels, or less than one and a half decades are shown, they label 1, 2 and 5, and below three
    /// such labels they step as a linear axis does.
    pub fn new(span: &Span, most: usize) -> Self {
        let most = most.max(2);
        match span.scale {
            Scale::Linear => Self::labelled(steps(span.from, span.to, most, FINEST), Scale::Linear),
            Scale::Log => {
                let low = (span.from - 1e-9).ceil() as i32;
                let high = (span.to + 1e-9).floor() as i32;
                if span.length() < 1.5 || high - low < 1 { few_decades(span, most) } else { decades(span, low, high, most) }
            }
        }
    }

    fn labelled(values: Vec<Decimal>, scale: Scale) -> Self {
        let labels = labels(&values, scale);
        let major = values.iter().zip(labels).map(|(value, label)| Tick { at: value.place(scale), label }).collect();
        Self { major, minor: Vec::new() }
    }
}

/// Decades `low` to `high`: every n-th labelled, between them the digits 2 to 9, or the decades left out.
fn decades(span: &Span, low: i32, high: i32, most: usize) -> Ticks {
    let count = |every: i32| (high.div_euclid(every) - (low - 1).div_euclid(every)) as usize;
    let every = [1, 2, 3, 5, 10, 20, 50, 100].into_iter().find(|&every| count(every) <= most).unwrap_or(200);
    let (labelled, left_out): (Vec<i32>, Vec<i32>) = (low..=high).partition(|k| k.rem_euclid(every) == 0);
    let major = labelled.iter().map(|&k| Tick { at: f64::from(k), label: power_of_ten(k) }).collect();
    let minor =
        if every == 1 { digits(span, &[2, 3, 4, 5, 6, 7, 8, 9]) } else { left_out.iter().map(|&k| f64::from(k)).collect() };
    Ticks { major, minor }
}

/// Digits that ticks of a decade or so are labelled by, the first that are some and not too many, with those between them.
const DIGITS: [(&[i64], &[i64]); 2] = [(&[1, 2, 5], &[3, 4, 6, 7, 8, 9]), (&[1, 5], &[2, 3, 4, 6, 7, 8, 9])];

/// Ticks of a logarithmic axis that shows a decade or so.
fn few_decades(span: &Span, most: usize) -> Ticks {
    for (labelled, between) in DIGITS {
        let mut values: Vec<Decimal> = Vec::new();
        for power in span.from.floor() as i32..=span.to.ceil() as i32 {
            let round = labelled.iter().map(|&digits| Decimal { digits, power });
            values.extend(round.filter(|value| span.holds(value.place(Scale::Log))));
        }
        if (3..=most.max(3)).contains(&values.len()) {
            let minor = digits(span, between);
            return Ticks { minor, ..Ticks::labelled(values, Scale::Log) };
        }
    }
    let mut values = steps(libm::exp10(span.from), libm::exp10(span.to).min(1e300), most, FINEST);
    values.retain(|value| value.digits > 0);
    Ticks::labelled(values, Scale::Log)
}

/// Places of the given digits in every decade shown.
fn digits(span: &Span, digits: &[i64]) -> Vec<f64> {
    let decades = span.from.floor() as i32..=span.to.ceil() as i32;
    let all = decades.flat_map(|power| digits.iter().map(move |&digits| Decimal { digits, power }.place(Scale::Log)));
    all.filter(|&at| span.holds(at)).collect()
}

/// Power of ten of the finest step.
const FINEST: i32 = -320;

/// Multiples of 1, 2 or 5 times a power of ten, `finest` at least, from `from` to `to`, at most `most` of them.
fn steps(from: f64, to: f64, most: usize, finest: i32) -> Vec<Decimal> {
    let mut power = (libm::log10((to - from) / most as f64).floor().clamp(-320.0, 305.0) as i32).max(finest);
    loop {
        for digit in [1_i64, 2, 5] {
            let step = Decimal { digits: digit, power }.value();
            let (first, last) = ((from / step - 1e-9).ceil(), (to / step + 1e-9).floor());
            if last - first < most as f64 || power > 305 {
                return (first as i64..=last as i64).take(most).map(|n| Decimal { digits: n * digit, power }).collect();
            }
        }
        power += 1;
    }
}

/// The number `digits * 10^power`, without rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decimal {
    digits: i64,
    power: i32,
}

impl Decimal {
    /// The nearest floating point number.
    fn value(self) -> f64 {
        format!("{}e{}", self.digits, self.power).parse().unwrap_or(f64::NAN)
    }

    fn place(self, scale: Scale) -> f64 {
        match scale {
            Scale::Linear => self.value(),
            Scale::Log => libm::log10(self.digits as f64) + f64::from(self.power),
        }
    }

    /// Power of ten of the leading digit; 0 for zero.
    fn magnitude(self) -> i32 {
        if self.digits == 0 { 0 } else { self.digits.unsigned_abs().ilog10() as i32 + self.power }
    }

    /// The shortest exact decimal, digits before the point in groups of three when asked for.
    fn plain(self, grouped: bool) -> String {
        if self.digits == 0 {
            return "0".into();
        }
        let (mut digits, mut power) = (self.digits.unsigned_abs(), self.power);
        while digits % 10 == 0 {
            (digits, power) = (digits / 10, power + 1);
        }
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
        let mut text = digits.to_string() + &zeros(power);
        text = zeros(1 - power - text.len() as i32) + &text;
        let (whole, fraction) = text.split_at(text.len() - usize::try_from(-power).unwrap_or(0));
        let mut out = String::from(if self.digits < 0 { "−" } else { "" });
        for (k, digit) in whole.chars().enumerate() {
            if k > 0 && grouped && (whole.len() - k) % 3 == 0 {
                out.push('\u{202f}'); // narrow space that does not break
            }
            out.push(digit);
        }
        if !fraction.is_empty() {
            out.push('.');
            out += fraction;
        }
        out
    }
}

/// Labels of the ticks of one axis: decimals, or multiples of powers of ten where the largest would be long; on a linear
/// axis all of the same power.
fn labels(values: &[Decimal], scale: Scale) -> Vec<String> {
    let largest = values.iter().filter(|value| value.digits != 0).map(|value| value.magnitude()).max().unwrap_or(0);
    let label = |value: &Decimal| {
        if (-3..6).contains(&largest) || value.digits == 0 {
            return value.plain(largest >= 4);
        }
        let magnitude = if scale == Scale::Log { value.magnitude() } else { largest };
        let factor = Decimal { power: value.power - magnitude, ..*value };
        format!("{}×{}", factor.plain(false), power_of_ten(magnitude))
    };
    values.iter().map(label).collect()
}

/// Power of ten with a raised exponent, e.g. `10⁻³`.
fn power_of_ten(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let sign = if exponent < 0 { "⁻" } else { "" };
    let digits = exponent.unsigned_abs().to_string();
    let raised = digits.bytes().map(|digit| RAISED[usize::from(digit - b'0')]);
    format!("10{sign}") + &raised.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(scale: Scale, from: f64, to: f64, most: usize) -> Ticks {
        let place = |value| scale.place(value).expect("value has a place");
        Ticks::new(&Span::new(scale, place(from), place(to)), most)
    }

    fn written(ticks: &Ticks) -> Vec<&str> {
        ticks.major.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_exact() {
        let unit = ticks(Scale::Linear, 0.0, 1.0, 6);
        assert_eq!(written(&unit), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(unit.major.iter().map(|tick| tick.at).collect::<Vec<_>>(), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(written(&ticks(Scale::Linear, -1.3, 1.2, 6)), ["−1", "−0.5", "0", "0.5", "1"]);
        assert_eq!(written(&ticks(Scale::Linear, 97.0, 104.0, 4)), ["98", "100", "102", "104"]);
        assert_eq!(written(&ticks(Scale::Linear, 0.0, 0.0031, 4)), ["0", "0.001", "0.002", "0.003"]);
    }

    #[test]
    fn whole_numbers_have_no_parts() {
        let whole = |to| Ticks::of(&Axis::linear("").whole_numbers(), &Span::new(Scale::Linear, -0.5, to - 0.5), 6);
        assert_eq!(written(&whole(3.0)), ["0", "1", "2"]);
        assert_eq!(written(&whole(100.0)), ["0", "20", "40", "60", "80"]);
    }

    #[test]
    fn names_stand_at_their_numbers_as_far_as_they_are_shown() {
        let axis = Axis::categories("", ["one", "two", "three"]);
        let named = Ticks::of(&axis, &Span::new(Scale::Linear, 1.5, 3.5), 2);
        assert_eq!(written(&named), ["two", "three"]);
        assert_eq!(named.major.iter().map(|tick| tick.at).collect::<Vec<_>>(), [2.0, 3.0]);
    }

    #[test]
    fn long_linear_numbers_stay_readable() {
        assert_eq!(written(&ticks(Scale::Linear, 0.0, 43_000.0, 3)), ["0", "20\u{202f}000", "40\u{202f}000"]);
        assert_eq!(written(&ticks(Scale::Linear, 0.0, 1e4, 3)), ["0", "5\u{202f}000", "10\u{202f}000"]);
        assert_eq!(written(&ticks(Scale::Linear, 0.0, 4e3, 3)), ["0", "2000", "4000"]);
        assert_eq!(written(&ticks(Scale::Linear, 0.0, 1.6e7, 4)), ["0", "0.5×10⁷", "1×10⁷", "1.5×10⁷"]);
        assert_eq!(written(&ticks(Scale::Linear, 0.0, 4.4e-5, 3)), ["0", "2×10⁻⁵", "4×10⁻⁵"]);
        assert_eq!(written(&ticks(Scale::Linear, 1e12, 1e12 + 2.0, 3)).len(), 3);
    }

    #[test]
    fn log_ticks_label_decades_and_mark_the_digits_between() {
        let two = ticks(Scale::Log, 1e-3, 1e-1, 8);
        assert_eq!(written(&two), ["10⁻³", "10⁻²", "10⁻¹"]);
        assert_eq!(two.minor.len(), 16);
        assert!((two.minor[0] - (-3.0 + std::f64::consts::LOG10_2)).abs() < 1e-14);
    }

    #[test]
    fn many_decades_label_every_nth() {
        let wide = ticks(Scale::Log, 1e-8, 1e8, 4);
        assert_eq!(written(&wide), ["10⁻⁵", "10⁰", "10⁵"]);
        assert_eq!(wide.minor.len(), 14); // 17 decades, 3 with a label
        assert_eq!(
            written(&ticks(Scale::Log, 1e-8, 1e8, 9)),
            ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰", "10²", "10⁴", "10⁶", "10⁸"]
        );
    }

    #[test]
    fn few_decades_label_one_two_five() {
        assert_eq!(written(&ticks(Scale::Log, 0.8, 12.0, 8)), ["1", "2", "5", "10"]);
        assert_eq!(written(&ticks(Scale::Log, 1.5e-5, 2.2e-4, 8)), ["2×10⁻⁵", "5×10⁻⁵", "1×10⁻⁴", "2×10⁻⁴"]);
        assert_eq!(written(&ticks(Scale::Log, 2.2, 4.8, 8)), ["2.5", "3", "3.5", "4", "4.5"]);
    }

    #[test]
    fn exponents_are_raised() {
        assert_eq!(power_of_ten(-1234), "10⁻¹²³⁴");
        assert_eq!(power_of_ten(567_890), "10⁵⁶⁷⁸⁹⁰");
    }

    #[test]
    fn decimals_are_shortest_and_exact() {
        let plain = |digits, power| Decimal { digits, power }.plain(true);
        assert_eq!(plain(-1200, -4), "−0.12");
        assert_eq!(plain(5, 2), "500");
        assert_eq!(Decimal { digits: 5, power: 3 }.plain(false), "5000");
        assert_eq!(plain(1_234_567, -1), "123\u{202f}456.7");
        assert_eq!(plain(7, -3), "0.007");
        assert_eq!(plain(0, 5), "0");
    }

    #[test]
    fn ticks_never_exceed_what_was_asked() {
        for scale in [Scale::Linear, Scale::Log] {
            for (from, to) in [(1e-300, 1e300), (3.0, 3.000_001), (1e-9, 2.0), (0.99, 101.0)] {
                for most in 3..12 {
                    let count = ticks(scale, from, to, most).major.len();
                    assert!((1..=most).contains(&count), "{scale:?} {from} {to} {most}: {count}");
                }
            }
        }
    }
}
