(() => {
    "use strict";
    const form = document.getElementById("filters");
    const [paper, verdict, words, shown] = ["paper", "verdict", "words", "shown"].map((id) => document.getElementById(id));
    const rows = [...document.querySelectorAll("#claims tbody tr")].map((row) => ({ row, text: row.textContent.toLowerCase() }));

    const filter = () => {
        const wanted = words.value.toLowerCase().split(/\s+/);
        let count = 0;
        for (const { row, text } of rows) {
            const fits = (!paper.value || row.dataset.paper === paper.value) && (!verdict.value || row.dataset.verdict === verdict.value) &&
                wanted.every((word) => text.includes(word));
            row.hidden = !fits;
            count += fits ? 1 : 0;
        }
        shown.textContent = `${count} of ${rows.length} claims shown`;
    };
    form.hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(filter));
    // the browser may bring back what was chosen before
    addEventListener("pageshow", filter);

    // what scrolls can be reached and scrolled with the keyboard
    const scrollers = [...document.querySelectorAll(".scroll")];
    const reach = () => {
        const wide = scrollers.map((scroller) => scroller.scrollWidth > scroller.clientWidth);
        scrollers.forEach((scroller, k) => {
            if (wide[k]) {
                scroller.tabIndex = 0;
                scroller.setAttribute("role", "region");
                scroller.setAttribute("aria-label", "wider than the page, scrolls");
            } else {
                ["tabindex", "role", "aria-label"].forEach((name) => scroller.removeAttribute(name));
            }
        });
    };
    addEventListener("load", reach);
    addEventListener("resize", reach);

    // on paper everything is open
    const details = [...document.querySelectorAll("details:not([open])")];
    addEventListener("beforeprint", () => details.forEach((part) => { part.dataset.open = part.open; part.open = true; }));
    addEventListener("afterprint", () => details.forEach((part) => { part.open = part.dataset.open === "true"; }));
})();
