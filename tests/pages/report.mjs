// Opens report pages in headless chromium and uses them as a reader does.
import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { complaints, open, screen, shot, use } from "./browser.mjs";

const failures = [];
const check = (holds, message) => { if (!holds) failures.push(message); };

const SHOWN = "[...document.querySelectorAll('#claims tbody tr')].filter((row) => row.offsetHeight > 0).length";

async function filters(browser) {
    const rows = await browser.value("document.querySelectorAll('#claims tbody tr').length");
    check(rows > 0 && (await browser.value(SHOWN)) === rows, "at first every claim is shown");
    for (const name of ["paper", "verdict"]) {
        const choices = await browser.value(
            `[...document.querySelectorAll("#${name} option")].filter(({ value }) => value).map(({ value, text }) => [value, text])`);
        check(choices.length > 1, `there are ${choices.length} choices of ${name}`);
        let sum = 0;
        for (const [choice, text] of choices) {
            await browser.value(`{ const list = document.getElementById("${name}"); list.value = "${choice}";
                list.dispatchEvent(new Event("input", { bubbles: true })); }`);
            const shown = await browser.value(SHOWN);
            const expected = await browser.value(
                `[...document.querySelectorAll('#claims td[data-column="${name}"]')].filter((cell) => cell.querySelector(".badge")
                    ? cell.querySelector(".badge").textContent === "${text}" : cell.textContent.startsWith("${text}")).length`);
            check(shown === expected && shown > 0, `${name} ${choice}: ${shown} rows are shown, expected ${expected}`);
            if (name === "verdict") {
                const counted = await browser.value(
                    `[...document.querySelectorAll("header ul.counts .${choice}")].reduce((sum, badge) => sum + parseInt(badge.parentElement.textContent), 0)`);
                check(counted === shown, `${choice}: ${counted} are counted at the top, ${shown} are shown`);
            }
            const said = await browser.value("document.getElementById('shown').textContent");
            check(said === `${shown} of ${rows} claims shown`, `${name} ${choice}: it says "${said}"`);
            sum += shown;
        }
        check(sum === rows, `rows by ${name} are ${sum} in all, of ${rows}`);
        await browser.value("document.querySelector('#filters button').click()");
        await browser.value("new Promise((done) => setTimeout(done, 50))");
        check((await browser.value(SHOWN)) === rows, `every claim is shown again after ${name}`);
    }
    // by keyboard: a word is typed, which only one claim has
    const id = await browser.value("document.querySelector('#claims tbody th').textContent");
    await browser.value("document.getElementById('words').focus()");
    await browser.send("Input.insertText", { text: id.toLowerCase() });
    const expected = await browser.value(
        `[...document.querySelectorAll('#claims tbody tr')].filter((row) => row.textContent.toLowerCase().includes("${id.toLowerCase()}")).length`);
    check((await browser.value(SHOWN)) === expected && expected < rows, `${expected} rows hold ${id}, ${await browser.value(SHOWN)} are shown`);
    await browser.send("Input.insertText", { text: " no such word" });
    check((await browser.value(SHOWN)) === 0, "no claim is shown for words that none has");
    await browser.value("document.querySelector('#filters button').click()");
}

async function links(browser, page) {
    const wrong = await browser.value("[...document.querySelectorAll('a[href^=\"#\"]')].map((link) => link.getAttribute('href')).filter((id) => !document.getElementById(id.slice(1)))");
    check(wrong.length === 0, `links to no part of the page: ${wrong.join(", ")}`);
    const twice = await browser.value("{ const ids = [...document.querySelectorAll('[id]')].map((part) => part.id); ids.filter((id, k) => ids.indexOf(id) !== k) }");
    check(twice.length === 0, `ids that are not unique: ${twice.join(", ")}`);
    const files = await browser.value("[...document.querySelectorAll('a:not([href^=\"#\"])')].map((link) => link.href)");
    check(files.length === 0, `${page} links to ${files.length} files, which are not beside it when it is sent alone: ${files.slice(0, 3).join(", ")}`);
    await browser.value("document.querySelectorAll('details').forEach((part) => { part.open = true; })");
    const empty = await browser.value("[...document.querySelectorAll('figure')].filter((part) => !part.querySelector('svg[viewBox]')?.getBoundingClientRect().height).map((part) => part.id)");
    check(empty.length === 0, `charts without a picture: ${empty.join(", ")}`);
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const PRINTED = 65; // pages at most

/** The first screen: all of it is in sight, every cell leads to its claim, the cloth moves, and so do the contents with the reader. */
async function opening(browser, name, width, height, mobile) {
    await screen(browser, width, height, mobile);
    await browser.value("scrollTo({ top: 0, behavior: 'instant' })");
    await pause(1500); // the film starts
    const [bottom, wide, text] = await browser.value(
        "[document.querySelector('header').getBoundingClientRect().bottom, document.documentElement.scrollWidth - document.documentElement.clientWidth, document.querySelector('header').innerText]");
    const alone = await browser.value("!document.querySelector('.film') || document.querySelector('.banner') !== null");
    check(alone || bottom <= height, `the first screen ends at ${bottom} px of ${height}`);
    check(wide <= 0, `on a screen of ${width} px the page is ${wide} px wider`);
    check(/clothlab/.test(text) && /Measured \d{4}-\d\d-\d\d/.test(text), `the first screen says no name or no date: ${text.slice(0, 200)}`);
    const before = await shot(browser, `${name}-first-${width}`);
    if (await browser.value("document.querySelector('.film') !== null")) {
        const { x, y, width, height } = await browser.value("(({ x, y, width, height }) => ({ x, y, width, height }))(document.querySelector('.film').getBoundingClientRect())");
        const film = async () => (await browser.send("Page.captureScreenshot", { format: "png", clip: { x, y, width, height, scale: 1 } })).data;
        const seen = await film();
        let moves = false; // at its end it waits for a second
        for (let looks = 0; looks < 8 && !moves; looks++) {
            await pause(400);
            moves = (await film()) !== seen;
        }
        check(moves, `on a screen of ${width} px the cloth does not move`);
    }
    return before;
}

async function cells(browser) {
    const [cells, claims] = await browser.value("[document.querySelectorAll('header .cell').length, document.querySelectorAll('#claims tbody tr').length]");
    check(cells === claims, `${cells} cells for ${claims} claims`);
    const kinds = await browser.value(
        "[...document.querySelectorAll('header ul.counts')].map((list) => [...list.children].map((line) => parseInt(line.textContent)))");
    let counted = 0;
    for (const [all, ...verdicts] of kinds) {
        const sum = verdicts.reduce((sum, count) => sum + count, 0);
        check(sum === all, `of ${all} claims of a kind ${sum} have a verdict on the first screen`);
        counted += all;
    }
    check(counted === claims, `${counted} claims are counted on the first screen, of ${claims}`);
    const hidden = await browser.value(`(async () => {
        const hidden = [];
        for (const cell of [...document.querySelectorAll("header a.cell")].slice(-3)) {
            cell.click();
            await new Promise((done) => setTimeout(done, 100));
            const { top, height } = document.getElementById(cell.hash.slice(1)).getBoundingClientRect();
            if (height === 0 || top < -1 || top > innerHeight) hidden.push([cell.hash, top, height]);
        }
        return hidden;
    })()`);
    check(hidden.length === 0, `cells lead to nothing in sight: ${JSON.stringify(hidden)}`);
    const contents = await browser.value("(({ top, height }) => top >= 0 && height > 0)(document.querySelector('nav').getBoundingClientRect())");
    check(contents, "the contents are out of sight");
}

/** Without script everything can still be read. */
async function plain(browser, url) {
    await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
    await browser.send("Page.navigate", { url });
    await pause(1500);
    const { nodes } = await browser.send("Accessibility.getFullAXTree");
    const said = nodes.map((node) => node.name?.value ?? "").join(" ");
    check(/clothlab/.test(said) && /All claims/.test(said), "without script the page says nothing");
    await browser.send("Emulation.setScriptExecutionDisabled", { value: false });
}

async function test(browser, file) {
    const page = realpathSync(file);
    const name = page.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(-40);
    await screen(browser, 1280, 900);
    await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
    const time = await open(browser, pathToFileURL(page).href);
    await shot(browser, `${name}-desktop`);
    const background = () => browser.value("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    for (const type of ["keyDown", "keyUp"]) await browser.send("Input.dispatchKeyEvent", { type, key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 });
    check(await browser.value("document.activeElement.matches('.skip') && document.activeElement.getBoundingClientRect().left >= 0"), "the first key reaches no skip link in sight");
    await opening(browser, name, 1440, 900, false);
    await cells(browser);
    await opening(browser, name, 390, 844, true);
    await cells(browser);
    await screen(browser, 1280, 900);
    await filters(browser);
    await links(browser, file);
    await browser.value("document.querySelector('figure')?.scrollIntoView({ behavior: 'instant' })");
    await shot(browser, `${name}-charts`);

    await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
    check((await background()) !== light, "dark mode has the background of light mode");
    const card = await browser.value("getComputedStyle(document.querySelector('.drawing') ?? document.body).backgroundColor");
    check(card === "rgba(0, 0, 0, 0)", `charts lie on ${card} in dark mode`);
    const ground = await browser.value("getComputedStyle(document.querySelector('.drawing svg > :first-child') ?? document.body).fill");
    check(ground === (await background()), `charts are drawn on ${ground} in dark mode`);
    await shot(browser, `${name}-dark-charts`);
    await browser.value("scrollTo(0, 0)");
    await shot(browser, `${name}-dark`);
    await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });

    for (const width of [1000, 800, 390, 360]) {
        await screen(browser, width, 740, width < 500);
        const wide = await browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        check(wide <= 0, `on a screen of ${width} px the page is ${wide} px wider`);
    }
    await shot(browser, `${name}-phone`);
    for (const [part, selector] of [["rows", "#claims tbody tr"], ["charts", "figure"], ["claim", ".claim"], ["tables", ".files li"]]) {
        await browser.value(`document.querySelector('${selector}')?.scrollIntoView({ behavior: 'instant' })`);
        await shot(browser, `${name}-phone-${part}`);
    }

    await screen(browser, 1280, 900);
    const { data } = await browser.send("Page.printToPDF", { paperWidth: 8.27, paperHeight: 11.69, printBackground: false });
    check(data.length > 10_000, "the printed page is empty");
    const printed = Buffer.from(data, "base64").toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    check(printed > 0 && printed <= PRINTED, `${printed} printed pages`);
    if (process.env.SHOTS) writeFileSync(join(process.env.SHOTS, `${name}.pdf`), Buffer.from(data, "base64"));

    failures.push(...complaints(browser));
    await plain(browser, pathToFileURL(page).href);
    console.log(`${file}: opened in ${time.toFixed(0)} ms, ${printed} printed pages`);
}

const pages = process.argv.slice(2);
if (pages.length === 0) {
    console.error("usage: tests/pages/run report.mjs PAGE...");
    process.exit(2);
}
await use(pages, test, failures);
