// A headless chromium that is spoken to by the DevTools protocol over pipes: no packages.
// With SHOTS=DIR pictures of what is seen are left there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ANSWERS_WITHIN = 60_000; // ms

export class Browser {
    constructor() {
        this.profile = mkdtempSync(join(tmpdir(), "page-"));
        this.number = 0;
        this.waiting = new Map();
        this.events = [];
        this.process = spawn("chromium", [
            "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", `--user-data-dir=${this.profile}`,
            "--remote-debugging-pipe", "about:blank",
        ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
        let text = "";
        this.process.stdio[4].setEncoding("utf8").on("data", (part) => {
            const messages = (text + part).split("\0");
            text = messages.pop();
            for (const message of messages) this.receive(JSON.parse(message));
        });
        const gone = (why) => this.waiting.forEach(({ reject }) => reject(new Error(`chromium ended: ${why}`)));
        this.process.on("error", gone).on("exit", gone);
        this.process.stdio[3].on("error", gone);
    }

    receive(message) {
        if (message.id === undefined) {
            this.events.push(message);
            return;
        }
        const { resolve, reject } = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.result);
    }

    send(method, params = {}) {
        const id = ++this.number;
        return new Promise((resolve, reject) => {
            const late = setTimeout(() => reject(new Error(`${method} was not answered`)), ANSWERS_WITHIN);
            const settled = (settle) => (value) => { clearTimeout(late); settle(value); };
            this.waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
            this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + "\0");
        });
    }

    async attach() {
        const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
        this.session = (await this.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
        for (const domain of ["Page", "Runtime", "Log", "Network", "Accessibility"]) await this.send(`${domain}.enable`);
    }

    /** The value of an expression in the page; promises are awaited. */
    async value(expression) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
        return result.value;
    }

    async close() {
        if (this.process.pid !== undefined && this.process.exitCode === null) {
            const ended = once(this.process, "exit");
            this.process.kill();
            await ended;
        }
        await rm(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
}

export async function shot(browser, name) {
    const { data } = await browser.send("Page.captureScreenshot", { format: "png" });
    if (process.env.SHOTS) writeFileSync(join(process.env.SHOTS, `${name}.png`), Buffer.from(data, "base64"));
    return data.length;
}

export async function open(browser, url) {
    browser.events = [];
    const start = performance.now();
    await browser.send("Page.navigate", { url });
    await browser.value("new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', () => done()))");
    await browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    return performance.now() - start;
}

export const screen = (browser, width, height, mobile = false) =>
    browser.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });

/** What exceptions, the console and the log have said since the page was opened. */
export function complaints(browser) {
    const said = [];
    for (const { method, params } of browser.events) {
        const { level, text } = params.entry ?? params;
        if (method === "Runtime.exceptionThrown") said.push(`an exception: ${params.exceptionDetails.exception?.description}`);
        if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) said.push(`the console says ${JSON.stringify(params.args)}`);
        if (method === "Log.entryAdded" && ["error", "warning"].includes(level)) said.push(`the log says ${text}`);
        if (method === "Network.requestWillBeSent" && !/^(file|data):/.test(params.request.url)) said.push(`it asks for ${params.request.url}`);
    }
    return said;
}

/** Uses pages one after the other; failures are told, and make the exit code. */
export async function use(pages, test, failures) {
    if (process.env.SHOTS) mkdirSync(process.env.SHOTS, { recursive: true });
    const browser = new Browser();
    try {
        await browser.attach();
        for (const page of pages) await test(browser, page);
    } catch (error) {
        failures.push(error.message);
    } finally {
        await browser.close();
    }
    for (const failure of failures) console.error(failure);
    process.exit(failures.length > 0 ? 1 : 0);
}
