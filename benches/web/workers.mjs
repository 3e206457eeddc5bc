// A million spheres in headless Chromium, drawn by one worker and by two: the time of a frame of 800×600 pixels while the scene turns.
//
//   roundel generate uniform -n 1e6 -o million.npy
//   node benches/web/workers.mjs MODULES million.npy [FRAMES]
//
// MODULES is a folder with puppeteer-core from npm. Frames are plain: one sample a pixel, the headlight alone. Both numbers of workers take
// turns, because the machine may slow down meanwhile; the figures are medians.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, file, frames = "20"] = process.argv.slice(2);
const puppeteer = createRequire(join(resolve(modules), "index.js"))("puppeteer-core");
const docs = resolve(fileURLToPath(import.meta.url), "../../../docs");
const PAGE = '<!doctype html><canvas style="width:800px;height:600px"></canvas>';

const server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    const found = path === "/data.npy" ? file : join(docs, path);
    if (path === "/") response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    else if (!existsSync(found)) response.writeHead(404).end();
    else createReadStream(found).pipe(response.writeHead(200, { "content-type": path.endsWith(".js") ? "text/javascript" : "application/octet-stream" }));
}).listen(0);

const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: ["--no-sandbox"], protocolTimeout: 600000,
});
const page = await browser.newPage();
page.on("pageerror", error => console.error(error.message));
await page.setViewport({ width: 820, height: 640 });
await page.goto(`http://localhost:${server.address().port}/`);
const medians = await page.evaluate(async frames => {
    const { load, view } = await import("/web/roundel.js");
    const bytes = new Uint8Array(await (await fetch("/data.npy")).arrayBuffer());
    const scene = await load(bytes, { name: "data.npy", look: "headlight" });
    const viewer = await view(document.querySelector("canvas"), scene, { workers: 2, pixelRatio: 1 });
    await viewer.finished();
    while (viewer.instances.length < 2) await new Promise(resolve => setTimeout(resolve, 50));
    const all = viewer.instances;
    const times = { 1: [], 2: [] };
    for (let frame = 0; frame < frames; frame++) {
        viewer.motion.orbit(viewer.motion.position(), [0.02, 0]);
        for (const workers of [1, 2]) {
            viewer.instances = all.slice(0, workers);
            const begun = performance.now();
            await viewer.draw(viewer.view(1, "plain"), workers);
            times[workers].push(performance.now() - begun);
        }
    }
    const median = list => list.sort((a, b) => a - b)[list.length >> 1];
    return [median(times[1]), median(times[2])];
}, Number(frames));
console.log(`one worker ${medians[0].toFixed(0)} ms, two workers ${medians[1].toFixed(0)} ms a frame`);
await browser.close();
server.close();
