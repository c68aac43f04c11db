//! What one claim is held against, what was measured of it and concluded.

use super::markup::{badge, escaped, slug};
use super::{entry, reason, verdict_of};
use crate::judge::claims::{Claim, Finding, Ledger, Reading};
use crate::judge::report::section::Section;
use crate::judge::report::{CONTRADICTED, published};
use crate::judge::rule::outcome::NumberFound;
use crate::judge::rule::prose::NUMBER_HEADS;
use crate::judge::sample::Sample;
use crate::results::ResultsError;

/// Longer tables of readings are folded.
const READINGS_SHOWN: usize = 8;

/// The part of the page on a claim; `command` measures its study anew.
pub(super) fn claim(
    ledger: &Ledger,
    claim: &Claim,
    finding: &Result<Finding, ResultsError>,
    section: &Section,
    command: &str,
) -> String {
    let id = slug(&claim.id);
    let why = match finding {
        Ok(finding) => format!("{}.", finding.reason),
        Err(error) => format!("{}.", reason(error)),
    };
    let of_times = section.of_times(&claim.id);
    let (name, quantity, badge, why) =
        (escaped(&claim.id), escaped(&claim.quantity), badge(&verdict_of(finding, &section.sample)), escaped(&why));
    let mut html = format!(
        "<article class=\"claim\" id=\"claim-{id}\" aria-labelledby=\"claim-{id}-title\">\n\
         <h4 id=\"claim-{id}-title\">{name}: {quantity}</h4>\n<p>{badge}{of_times}: {why}</p>\n<dl>\n"
    );
    if let (Sample::Preview(difference), Ok(_)) = (&section.sample, finding) {
        html += &entry("preview", &format!("judged away from the published sample: {}", escaped(difference)));
    }
    html += &entry("where", &format!("{}, {}", escaped(&ledger.paper), escaped(&claim.place)));
    html += &entry(ledger.kind.reference(), &escaped(published(claim)));
    if let Some(contradiction) = &claim.contradiction {
        html += &entry(CONTRADICTED, &escaped(contradiction));
    }
    if let Ok(finding) = finding {
        html += &entry("measured", &escaped(&finding.measured));
        match (finding.answers, finding.number_judged()) {
            (Some(answers), _) => {
                html += &entry("direction", answers.direction_word());
                html += &entry("size", answers.size_word());
            }
            (None, Some(judged)) => html += &entry("number judged", &judged),
            (None, None) => {}
        }
        if finding.numbers.is_empty() {
            html += &entry("cases", &finding.cases.to_string());
            html += &entry("left out", &finding.left_out.to_string());
        }
    }
    if !claim.conditions.is_empty() {
        html += &entry("conditions", &escaped(&claim.conditions));
    }
    for (name, line) in claim.criterion_lines() {
        html += &entry(name, &escaped(line));
    }
    if !claim.assumptions.is_empty() {
        let assumptions: String = claim.assumptions.iter().map(|line| format!("<li>{}</li>", escaped(line))).collect();
        html += &entry("assumptions", &format!("<ul>{assumptions}</ul>"));
    }
    html += &entry("again", &format!("<code>{}</code>", escaped(command)));
    html += "</dl>\n";
    if let Ok(finding) = finding {
        html += &numbers(&finding.numbers);
        html += &readings(&claim.id, &finding.readings, &section.sample);
    }
    html + "</article>\n"
}

/// The numbers of the rule of a claim.
fn numbers(numbers: &[(String, NumberFound)]) -> String {
    if numbers.is_empty() {
        return String::new();
    }
    let heads: String = NUMBER_HEADS.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
    let row = |(view, number): &(String, NumberFound)| {
        let [name, others @ ..] = number.cells(view).map(|words| escaped(&words));
        format!("<tr><th scope=\"row\">{name}</th>{}</tr>\n", others.map(|words| format!("<td>{words}</td>")).concat())
    };
    let rows: String = numbers.iter().map(row).collect();
    format!("<div class=\"scroll\"><table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n")
}

/// The claim under other thresholds, assumptions and readings.
fn readings(id: &str, readings: &[Reading], sample: &Sample) -> String {
    if readings.is_empty() {
        return String::new();
    }
    let open = if readings.len() <= READINGS_SHOWN { " open" } else { "" };
    let (count, plural) = (readings.len(), if readings.len() == 1 { "" } else { "s" });
    let mut html = format!(
        "<details{open}><summary>{count} other reading{plural} of {}</summary>\n<div class=\"scroll\"><table>\
         <thead><tr><th scope=\"col\">reading</th><th scope=\"col\">measured</th><th scope=\"col\">verdict</th></tr></thead>\n<tbody>\n",
        escaped(id)
    );
    for reading in readings {
        let verdict = reading.verdict.map_or_else(String::new, |verdict| badge(&sample.verdict(verdict)));
        let (name, measured) = (escaped(&reading.name), escaped(&reading.measured));
        html += &format!("<tr><th scope=\"row\">{name}</th><td>{measured}</td><td>{verdict}</td></tr>\n");
    }
    html + "</tbody></table></div></details>\n"
}
