// Uses pages of `compare A..B --out DIR`: node timeline.mjs PAGE...
import { pathToFileURL } from "node:url";

import { complaints, open, screen, shot, use } from "./browser.mjs";

const failures = [];

await use(process.argv.slice(2), async (browser, page) => {
    const check = (holds, what) => holds || failures.push(`${page}: ${what}`);
    for (const scheme of ["light", "dark"]) {
        await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
        for (const [name, width, height, mobile] of [["desk", 1400, 1000, false], ["phone", 390, 844, true]]) {
            await screen(browser, width, height, mobile);
            await open(browser, pathToFileURL(page).href);
            const wide = await browser.value("document.documentElement.scrollWidth > innerWidth");
            check(!wide, `wider than the screen on a ${name}`);
            check(await browser.value("[...document.querySelectorAll('tbody button')].every((cell) => cell.textContent && cell.ariaLabel)"), "a verdict without sign or word");
            await browser.value("(document.querySelector('button.flipped') ?? document.querySelector('tbody button')).click()");
            const told = await browser.value("detail.textContent");
            const [sign, word] = await browser.value("(({ textContent, ariaLabel }) => [textContent, ariaLabel])(document.querySelector('button.flipped') ?? document.querySelector('tbody button'))");
            check(told.includes(`${sign} ${word}: `), `a cell tells ${told}`);
            const shown = "[...document.querySelectorAll('tbody.stayed tr')].filter((row) => row.offsetHeight).length";
            const folded = !(await browser.value("document.getElementById('all').checked"));
            const before = await browser.value(shown);
            await browser.value("document.getElementById('all').click()");
            const after = await browser.value(shown);
            check(folded ? after >= before : after === 1, `the box for verdicts that stayed leaves ${after} of ${before} rows`);
            await browser.value("document.getElementById('all').click()");
            await browser.value("document.querySelector('thead a').click()");
            check(await browser.value("document.getElementById('commit-0').open"), "a commit does not unfold");
            await shot(browser, `timeline-${scheme}-${name}`);
            complaints(browser).forEach((said) => failures.push(`${page}: ${said}`));
        }
    }
}, failures);
