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

    // what a link leads to is opened
    const reveal = () => {
        const part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        if (!part) return;
        for (let fold = part.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
        part.scrollIntoView({ behavior: "instant" });
    };
    addEventListener("hashchange", reveal);
    addEventListener("load", reveal);

    // the contents say where the reader is
    const links = [...document.querySelectorAll("nav a")];
    const parts = links.map((link) => document.getElementById(link.hash.slice(1)));
    const seen = new IntersectionObserver(() => {
        const last = parts.findLastIndex((part) => part.getBoundingClientRect().top < innerHeight / 3);
        links.forEach((link, k) => k === Math.max(last, 0) ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"));
    }, { threshold: [0, 0.5, 1] });
    parts.forEach((part) => seen.observe(part));

    // on paper everything is open
    addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.dataset.open = part.open; part.open = true; }));
    addEventListener("afterprint", () => document.querySelectorAll("details").forEach((part) => { part.open = part.dataset.open === "true"; }));
})();
