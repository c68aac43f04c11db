// Opens pages that play cloth in headless chromium, and plays, scrubs, turns and resizes them.
import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { complaints, open, screen, shot, use } from "./browser.mjs";

const failures = [];
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function test(browser, file) {
    const check = (holds, message) => { if (!holds) failures.push(`${file}: ${message}`); };
    const name = `viewer-${file.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(-40)}`;
    const drawn = () => browser.value("Number(document.body.dataset.drawn ?? 0)");
    const time = () => browser.value("parseFloat(document.getElementById('time').textContent)");
    const pixels = async () => (await browser.send("Page.captureScreenshot", { format: "png" })).data;
    const press = async (key, modifiers = 0) => {
        for (const type of ["keyDown", "keyUp"]) await browser.send("Input.dispatchKeyEvent", { type, key, modifiers });
        await pause(100);
    };

    await screen(browser, 1280, 800);
    const opened = await open(browser, pathToFileURL(realpathSync(file)).href);
    check((await drawn()) > 0, "nothing is drawn");
    check(await browser.value("document.querySelector('#sheet') === null && !document.getElementById('controls').hidden"), "the pictures stand in for the player");
    await shot(browser, `${name}-start`);

    const from = await drawn();
    await pause(1000);
    const rate = (await drawn()) - from; // it goes on at the end too, where it waits before it begins again
    await press("Home");
    await press(" ");
    await pause(200);
    check((await time()) > 0 && rate > 2, `it does not play: ${rate} frames in a second`);
    await press(" ");
    const [held, paused] = [await time(), await pixels()];
    await pause(300);
    check((await time()) === held && (await pixels()) === paused, "it does not pause");
    await press("Home");
    check((await time()) === 0, "Home does not lead to the start");
    const first = await pixels();
    await press("ArrowRight");
    check((await time()) > 0 && (await pixels()) !== first, "the right arrow leads to no other frame");
    await browser.value("{ const scrub = document.getElementById('scrub'); scrub.value = 1; scrub.dispatchEvent(new Event('input')); }");
    await pause(100);
    const end = await pixels();
    check(end !== first, "the end looks like the start");
    for (const [key, what] of [["s", "stretch"], ["w", "wire"]]) {
        await press(key);
        check((await browser.value(`document.getElementById("${what}").getAttribute("aria-pressed")`)) === "true" && (await pixels()) !== end, `${key} does not show ${what}`);
    }
    await shot(browser, `${name}-stretch`);
    await press("s");
    await press("w");
    check((await pixels()) === end, "what was switched on is not switched off again");
    const drag = async (type, x, y) => browser.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: 1, clickCount: 1 });
    await drag("mousePressed", 600, 400);
    await drag("mouseMoved", 700, 350);
    await drag("mouseReleased", 700, 350);
    await pause(100);
    check((await pixels()) !== end, "a drag does not turn it");
    await browser.send("Input.dispatchMouseEvent", { type: "mouseWheel", x: 600, y: 400, deltaX: 0, deltaY: -400 });
    await pause(100);
    await shot(browser, `${name}-turned`);
    await press("r");
    await browser.value("document.activeElement.blur()");
    await pause(100);
    check((await pixels()) === end, "r does not lead back to the first view");

    for (const [width, height, mobile] of [[800, 600, false], [390, 844, true]]) {
        await screen(browser, width, height, mobile);
        await pause(200);
        const beyond = await browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        check(beyond <= 0, `on a screen of ${width} px the page is ${beyond} px wider`);
        const stage = await browser.value("document.querySelector('canvas').getBoundingClientRect().height");
        check(stage > 0.6 * height, `on a screen of ${width} x ${height} px the picture is ${stage} px high`);
    }
    await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
    await pause(200);
    await shot(browser, `${name}-phone-dark`);
    await browser.send("Emulation.setEmulatedMedia", { features: [] });
    failures.push(...complaints(browser).map((complaint) => `${file}: ${complaint}`));

    // without script the pictures are there
    await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
    await screen(browser, 1280, 800);
    await browser.send("Page.navigate", { url: pathToFileURL(realpathSync(file)).href });
    await pause(500);
    await shot(browser, `${name}-without-script`);
    await browser.send("Emulation.setScriptExecutionDisabled", { value: false });
    check(await browser.value("document.querySelector('#sheet') !== null"), "without script there are no pictures");
    console.log(`${file}: opened in ${opened.toFixed(0)} ms, ${rate} frames in a second`);
}

await use(process.argv.slice(2), test, failures);
