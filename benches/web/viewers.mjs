// Molecular viewers in the same headless Chromium: roundel, Mol* and 3Dmol, all with the spheres of van der Waals radii.
//
//   node benches/web/viewers.mjs MODULES FILE.pdb|FILE.xyz [RUNS]
//
// MODULES is a folder with puppeteer-core, molstar and 3dmol from npm. For each viewer, the median of RUNS pages: bytes of the
// viewer by HTTP (gzip), time from opening the page to the first frame, and time of a frame while turning. Chromium without a GPU
// draws WebGL by SwiftShader, so the figures hold for machines without a GPU only.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [modules, file, runs = "3"] = process.argv.slice(2);
const puppeteer = createRequire(join(resolve(modules), "index.js"))("puppeteer-core");
const web = resolve(fileURLToPath(import.meta.url), "../../../docs/web");
const format = file.endsWith(".xyz") ? "xyz" : "pdb";
const FRAMES = 20;

const shared = `
    const text = await (await fetch("/data")).text();
    const frames = async (turn, wait) => {
        const times = [];
        for (let index = 0; index < ${FRAMES}; index++) {
            const begun = performance.now();
            turn(index);
            await wait();
            times.push(performance.now() - begun);
        }
        return times.sort((a, b) => a - b)[times.length >> 1];
    };
    // reading a pixel waits for the graphics driver
    const read = gl => { const pixel = new Uint8Array(4); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); };
`;

const pages = {
    roundel: `<canvas id="c" style="width:800px;height:600px"></canvas><script type="module">${shared}
        const { load, view } = await import("/web/roundel.js");
        const scene = await load(new TextEncoder().encode(text), { name: "${basename(file)}", style: "spacefill" });
        const viewer = await view(document.getElementById("c"), scene, { pixelRatio: 1 });
        window.first = performance.now();
        await viewer.finished();
        window.final = performance.now();
        window.frame = await frames(() => viewer.motion.orbit(viewer.motion.position(), [0.02, 0]), () => viewer.redraw());
        window.note = JSON.stringify(viewer.shown);
    </script>`,
    molstar: `<div id="c" style="position:relative;width:800px;height:600px"></div><script src="/molstar.js"></script><script type="module">${shared}
        const viewer = await molstar.Viewer.create("c", { layoutShowControls: false, viewportShowExpand: false, layoutIsExpanded: false });
        const { plugin } = viewer;
        const { builders } = plugin;
        const data = await builders.data.rawData({ data: text });
        const trajectory = await builders.structure.parseTrajectory(data, "${format}");
        const structure = await builders.structure.createStructure(await builders.structure.createModel(trajectory));
        const all = await builders.structure.tryCreateComponentStatic(structure, "all");
        await builders.structure.representation.addRepresentation(all, { type: "spacefill", color: "chain-id" });
        plugin.managers.camera.reset();
        const { canvas3d } = plugin;
        const gl = canvas3d.webgl.gl;
        const drawn = () => { canvas3d.commit(true); canvas3d.tick(performance.now(), { isSynchronous: true }); read(gl); };
        drawn();
        window.first = performance.now();
        const position = canvas3d.camera.state.position;
        window.frame = await frames(index => {
            const [x, y, z] = position, angle = 0.06 * (index + 1);
            const target = canvas3d.camera.state.target;
            const [dx, dz] = [x - target[0], z - target[2]];
            canvas3d.camera.setState({ position: [target[0] + dx * Math.cos(angle) + dz * Math.sin(angle), y, target[2] - dx * Math.sin(angle) + dz * Math.cos(angle)] }, 0);
        }, drawn);
    </script>`,
    "3dmol": `<div id="c" style="position:relative;width:800px;height:600px"></div><script src="/3dmol.js"></script><script type="module">${shared}
        const viewer = $3Dmol.createViewer("c", { backgroundColor: "white" });
        viewer.addModel(text, "${format}");
        viewer.setStyle({}, { sphere: { colorscheme: "chain" } });
        viewer.zoomTo();
        viewer.render();
        const canvas = document.querySelector("#c canvas");
        const gl = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
        read(gl);
        window.first = performance.now();
        window.frame = await frames(() => viewer.rotate(3, "y"), () => { viewer.render(); read(gl); });
    </script>`,
};

const own = name => readFileSync(join(web, name));
const assets = {
    "/data": () => readFileSync(file),
    "/molstar.js": () => readFileSync(join(modules, "node_modules/molstar/build/viewer/molstar.js")),
    "/3dmol.js": () => readFileSync(join(modules, "node_modules/3dmol/build/3Dmol-min.js")),
    ...Object.fromEntries(["roundel.js", "viewer.js", "camera.js", "worker.js", "roundel.wasm.gz"].map(name => [`/web/${name}`, () => own(name)])),
};
let sent = 0;
const packed = new Map();
const server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    const page = pages[path.slice(1)];
    if (page) return response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><meta charset="utf-8">${page}`);
    if (!assets[path]) return response.writeHead(404).end();
    if (!packed.has(path)) packed.set(path, path.endsWith(".gz") ? assets[path]() : gzipSync(assets[path](), { level: 9 }));
    const bytes = packed.get(path);
    if (path !== "/data") sent += bytes.length;
    const headers = { "content-type": path.endsWith(".js") ? "text/javascript" : "application/octet-stream" };
    response.writeHead(200, path.endsWith(".gz") ? headers : { ...headers, "content-encoding": "gzip" }).end(bytes);
}).listen(0);
const origin = `http://localhost:${server.address().port}`;

const median = list => list.sort((a, b) => a - b)[list.length >> 1];
for (const name of Object.keys(pages)) {
    const [firsts, finals, times] = [[], [], []];
    let bytes, trouble, note;
    for (let run = 0; run < Number(runs); run++) {
        // a new process each time, so that no code is cached
        const browser = await puppeteer.launch({
            executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, protocolTimeout: 300000,
            args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
        });
        const page = await browser.newPage();
        page.on("pageerror", error => { trouble = error.message; });
        await page.setViewport({ width: 820, height: 640 });
        sent = 0;
        try {
            await page.goto(`${origin}/${name}`);
            await page.waitForFunction("window.frame", { timeout: 240000 });
            const [first, final, frame, shown] = await page.evaluate("[first, window.final, frame, window.note]");
            firsts.push(first);
            if (final) finals.push(final);
            times.push(frame);
            [bytes, note] = [sent, shown];
            await page.screenshot({ path: join(process.env.OUT ?? "/tmp", `viewers-${name}.png`) });
        } catch (error) {
            trouble ??= error.message;
        }
        await browser.close();
    }
    const ms = list => (list.length ? `${median(list).toFixed(0)} ms` : "–");
    console.log(`${name}: ${bytes ?? "?"} bytes, first picture ${ms(firsts)}, final ${ms(finals)}, frame ${ms(times)}${note ? `, ${note}` : ""}${trouble ? `; ${trouble}` : ""}`);
}
server.close();
