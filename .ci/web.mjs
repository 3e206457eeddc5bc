// Drives pages with roundel in headless Chromium as a hand would, and compares what they draw with what the program draws.
//
//   node .ci/web.mjs ROUNDEL MODULES LIBRARY.wasm.gz OUT [SELFTEST.wasm]
//
// MODULES is a folder in which puppeteer-core is installed. LIBRARY takes the place of the one that pages of the program hold.
// SELFTEST draws the manifest's frames.
// Writes pictures of pages to OUT. Exits with 1 if anything is not as it should be.
import { execFileSync, spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [program, modules, library, out, selftest] = process.argv.slice(2).map(path => resolve(path));
const puppeteer = createRequire(join(modules, "index.js"))("puppeteer-core");
const root = resolve(import.meta.dirname ?? join(new URL(import.meta.url).pathname, ".."), "..");
mkdirSync(out, { recursive: true });

let failures = 0;
let checks = 0;
function check(is, what) {
    checks++;
    if (!is) failures++;
    console.log(`${is ? "ok" : "FAILED"} ${what}`);
}

// the folder docs by HTTP, and the self-test's program
const kinds = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file = { "/web/selftest.wasm": selftest, "/web/roundel.wasm.gz": library }[path] ?? join(root, "docs", path);
    if (path === "/blank.html") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><canvas style='width:320px;height:240px'></canvas>");
    else if (path === "/favicon.ico") response.writeHead(204).end();
    else if (!existsSync(file)) response.writeHead(404).end();
    else createReadStream(file).pipe(response.writeHead(200, { "content-type": kinds[extname(file)] ?? "application/octet-stream" }));
}).listen(0);
const origin = `http://localhost:${server.address().port}`;

const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: ["--no-sandbox"], protocolTimeout: 600000,
});
console.log(await browser.version());

const roundel = (...words) => execFileSync(program, words, { cwd: join(root, "docs/scenes"), encoding: "utf8" });
/** Exports a page that holds the library. */
function exportPage(file, ...words) {
    roundel("export", "-q", "--force", "-o", file, ...words);
    const base64 = readFileSync(library).toString("base64");
    writeFileSync(file, readFileSync(file, "utf8").replace(/id="wasm">[^<]*/, () => `id="wasm">${base64}`));
}

const inOut = name => join(out, name);
const same = (a, b) => spawnSync(program, ["compare", "--tolerance", "0", a, b], { encoding: "utf8" });

async function open(url, { scripts = true } = {}) {
    const page = await browser.newPage();
    page.troubles = [];
    page.asked = [];
    page.on("pageerror", error => page.troubles.push(error.message));
    page.on("console", message => { if (message.type() === "error") page.troubles.push(message.text()); });
    page.on("request", request => page.asked.push(request.url()));
    await page.setViewport({ width: 900, height: 640 });
    await page.setJavaScriptEnabled(scripts);
    const begun = performance.now();
    await page.goto(url);
    if (scripts) await page.waitForFunction("!window.roundel || (window.roundel.isReady && window.roundel.frames > 0)", { timeout: 120000 });
    page.time = performance.now() - begun;
    return page;
}

const finished = page => page.evaluate("roundel.viewer.finished().then(image => [image.width, image.height])");
const command = page => page.evaluate("roundel.viewer.command()");

/** Compares the canvas of a page, and the PNG that it saves, with what its command draws. */
async function sameAsProgram(page, name) {
    await finished(page);
    const saved = inOut(`${name}.png`);
    const base64 = await page.evaluate(`(async () => {
        const bytes = new Uint8Array(await (await roundel.viewer.png()).arrayBuffer());
        return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
    })()`);
    writeFileSync(saved, Buffer.from(base64, "base64"));
    // both are drawn in different ways: in parts by all workers, as a whole by one
    const isCanvas = await page.evaluate(`(async () => {
        const bitmap = await createImageBitmap(await roundel.viewer.png());
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d");
        context.drawImage(bitmap, 0, 0);
        const [a, b] = [context.getImageData(0, 0, bitmap.width, bitmap.height).data, (await roundel.viewer.finished()).data];
        return a.length === b.length && a.every((value, index) => value === b[index]);
    })()`);
    check(isCanvas, `${name}: the canvas shows the bytes of the PNG`);
    const line = await command(page);
    const drawn = inOut(`${name}-program.png`);
    const run = spawnSync("sh", ["-c", line.replace(/^roundel/, `'${program}'`) + ` -q -o '${drawn}' --force`], { cwd: join(root, "docs/scenes"), encoding: "utf8" });
    check(run.status === 0, `${name}: ${line} ${run.stderr}`);
    const compared = same(saved, drawn);
    check(compared.status === 0, `${name}: the bytes of the program ${compared.stdout.trim()}`);
}

async function shoot(page, name) {
    await page.screenshot({ path: inOut(`${name}.png`) });
}

/** Drops files on a page, given as { name: text or bytes in Base64 }, of which `shown` is drawn. */
async function dropFiles(page, shown, files) {
    await page.evaluate(files => {
        const transfer = new DataTransfer();
        for (const [name, { text, base64 }] of Object.entries(files)) {
            const content = text ?? Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
            transfer.items.add(new File([content], name));
        }
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, files);
    await page.waitForFunction(name => roundel.viewer?.scene?.name === name && roundel.scene?.name === name, { timeout: 120000 }, shown);
}

const drop = (page, name, text) => dropFiles(page, name, { [name]: { text } });

/** Whether a part of the canvas, in shares of its sides, shows anything but its background. */
const shows = (page, left, top, right, bottom) => page.evaluate((left, top, right, bottom) => {
    const canvas = document.querySelector("canvas");
    const [x, y] = [left * canvas.width, top * canvas.height].map(Math.floor);
    const [width, height] = [right * canvas.width - x, bottom * canvas.height - y].map(Math.floor);
    const { data } = canvas.getContext("2d").getImageData(x, y, width, height);
    return data.some((value, index) => value !== data[index % 4]);
}, left, top, right, bottom);

// 1. an exported page, from disk
const exported = inOut("opsin.html");
exportPage(exported, "opsin.pdb.gz");
{
    const page = await open(pathToFileURL(exported).href);
    console.log(`first picture after ${page.time.toFixed(0)} ms`);
    check(page.asked.every(url => /^(file|data|blob):/.test(url)), "the page asks the network for nothing");
    const isStill = await page.evaluate(`(async () => {
        const bitmap = await createImageBitmap(document.getElementById("still"));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d");
        context.drawImage(bitmap, 0, 0);
        const a = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
        const b = (await roundel.scene.render()).data;
        return a.length === b.length && a.every((value, index) => value === b[index]);
    })()`);
    check(isStill, "the library draws the bytes of the still picture");
    await sameAsProgram(page, "home");
    await shoot(page, "page");

    const before = await command(page);
    await page.mouse.move(400, 250);
    await page.mouse.down();
    await page.mouse.move(520, 300, { steps: 6 });
    await page.mouse.up();
    const dragged = await command(page);
    check(dragged !== before && dragged.includes("--eye="), "a drag orbits");
    await page.mouse.wheel({ deltaY: -300 });
    await new Promise(done => setTimeout(done, 100));
    const zoomed = await command(page);
    check(zoomed !== dragged, "the wheel zooms");
    await page.focus("canvas");
    await page.keyboard.press("ArrowLeft");
    check(await command(page) !== zoomed, "an arrow key orbits");
    await sameAsProgram(page, "moved");
    await page.mouse.click(450, 290);
    await page.waitForSelector(".roundel-tooltip:not([hidden])");
    const tip = await page.$eval(".roundel-tooltip", tip => tip.textContent);
    check(/resid|residue|element|name/.test(tip), `a click shows an atom: ${tip.slice(0, 60)}`);
    await shoot(page, "picked");

    const touch = await page.createCDPSession();
    const touches = (type, ...points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const unpinched = await command(page);
    await touches("touchStart", [400, 250], [500, 250]);
    await touches("touchMove", [360, 250], [540, 250]);
    await touches("touchEnd");
    check(await command(page) !== unpinched, "two fingers zoom");
    await page.click("#reset");
    check(await command(page) === before, "the view of the file comes back");

    await drop(page, "places.csv", readFileSync(join(root, "docs/scenes/places.csv"), "utf8"));
    check(await page.evaluate("roundel.scene.kind") === "circles", "a dropped table is a map");
    await sameAsProgram(page, "map");
    await shoot(page, "dropped");
    await page.mouse.move(400, 250);
    await page.mouse.wheel({ deltaY: -500 });
    await sameAsProgram(page, "map-zoomed");
    await page.evaluate(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["ATOM nothing"], "broken.pdb"));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
    await page.waitForFunction("!document.getElementById('error').hidden");
    const said = await page.$eval("#error", error => error.textContent);
    check(said.includes("broken.pdb"), `a broken file is refused: ${said}`);
    check(page.troubles.length === 0, `no errors in the console: ${page.troubles.join("; ")}`);
    await page.close();
}
{
    const page = await open(pathToFileURL(exported).href, { scripts: false });
    await shoot(page, "without-scripts");
    await page.close();
}

// 2. a box of particles, whose edges are marks on the picture
{
    const file = inOut("salt.html");
    exportPage(file, "salt.dump", "--color-by", "type");
    const page = await open(pathToFileURL(file).href);
    await finished(page);
    await shoot(page, "salt");
    check(page.troubles.length === 0, `no errors in the console: ${page.troubles.join("; ")}`);
    await page.close();
}

// 3. title and legend beside a picture, also while the view moves
{
    const file = inOut("legend.html");
    exportPage(file, "opsin.pdb.gz", "--color-by", "b_factor", "--legend", "--title", "Temperature", "-W", "640");
    const page = await open(pathToFileURL(file).href);
    check(await shows(page, 0.9, 0, 1, 0.4), "the first frame has the legend");
    await sameAsProgram(page, "legend");
    await page.mouse.move(300, 250);
    await page.mouse.down();
    await page.mouse.move(420, 300, { steps: 4 });
    await page.evaluate("roundel.viewer.drawing");
    check(!(await page.evaluate("roundel.viewer.final")) && await shows(page, 0.9, 0, 1, 0.4), "a moving frame has the legend");
    await page.mouse.up();
    await sameAsProgram(page, "legend-moved");
    await shoot(page, "legend");
    await page.setViewport({ width: 700, height: 560 });
    await new Promise(done => setTimeout(done, 300));
    await sameAsProgram(page, "legend-resized");
    const help = await page.$eval("#help", help => help.textContent);
    check(/Drag to orbit.*wheel.*double-click/.test(help), `a line of help: ${help}`);
    check(page.troubles.length === 0, `no errors in the console: ${page.troubles.join("; ")}`);
    await page.close();
}
{
    const file = inOut("axes.html");
    const flags = ["--r", "people", "--color", "people", "--color-scale", "log", "--legend", "--axes", "--scale-bar", "-W", "500", "--label", "people > 2e6", "{name}"];
    exportPage(file, "places.csv", ...flags);
    const page = await open(pathToFileURL(file).href);
    await sameAsProgram(page, "axes");
    await shoot(page, "axes");
    await page.mouse.move(400, 250);
    await page.mouse.wheel({ deltaY: -400 });
    await sameAsProgram(page, "axes-zoomed");
    const [, height] = /--view-box=[\d.]+,[\d.]+,([\d.]+)/.exec(await command(page));
    check(Math.abs(height * 1.1 ** 4 - 1094) < 1, `four notches show a part of the canvas: ${height}`);
    await shoot(page, "axes-zoomed");
    check(page.troubles.length === 0, `no errors in the console: ${page.troubles.join("; ")}`);
    await page.close();
}

// 4. frames of a trajectory
{
    const file = inOut("run.html");
    // a range that leaves nothing out: the command of one frame cannot say what other frames leave out
    exportPage(file, "argon.xyz.gz", "--color-by", "kinetic", "--color-range", "p0,p100", "--legend", "--stamp", "frame");
    const page = await open(pathToFileURL(file).href);
    await sameAsProgram(page, "run");
    const slider = await page.$("#player input");
    const state = () => page.evaluate("({ frame: roundel.viewer.frame, frames: roundel.viewer.frames, text: document.querySelector('#player output').textContent })");
    check((await state()).frames > 5 && await slider.isVisible(), `a slider shows the frames: ${(await state()).text}`);
    const still = await page.evaluate("roundel.viewer.finished().then(image => Array.from(image.data.slice(0, 4000000)).reduce((sum, value, index) => (sum * 31 + value + index) % 1000003, 7))");
    const box = await slider.boundingBox();
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
    const middle = (await state()).frame;
    check(middle > 0 && middle < (await state()).frames - 1, `the slider moves the frame: ${(await state()).text}`);
    await sameAsProgram(page, "run-middle");
    const moved = await page.evaluate("roundel.viewer.finished().then(image => Array.from(image.data.slice(0, 4000000)).reduce((sum, value, index) => (sum * 31 + value + index) % 1000003, 7))");
    check(still !== moved, "another frame is another picture");
    await shoot(page, "run");
    const frames = await page.evaluate("roundel.frames");
    await page.click("#player button");
    await page.waitForFunction(`roundel.viewer.frame !== ${middle} && roundel.frames > ${frames} + 2`);
    check(!(await page.evaluate("roundel.viewer.final")), "playing frames are not final");
    await page.mouse.move(300, 250);
    await page.mouse.down();
    await page.mouse.move(380, 280, { steps: 4 });
    await page.mouse.up();
    await page.focus("canvas");
    await page.keyboard.press("Space");
    await page.waitForFunction("!roundel.viewer.isPlaying");
    await sameAsProgram(page, "run-stopped");
    const stopped = (await state()).frame;
    await page.keyboard.press(",");
    check((await state()).frame === Math.max(0, stopped - 1), "a key goes one frame back");

    const atoms = 20000;
    const frame = `${atoms}\n\n${"Ar 1.25 2.5 3.75\n".repeat(atoms)}`;
    await page.evaluate((frame, count) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(Array(count).fill(frame), "long.xyz"));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, frame, Math.ceil(51e6 / frame.length));
    await page.waitForFunction("roundel.scene?.name === 'long.xyz'", { timeout: 120000 });
    const note = await page.$eval("#note", note => (note.hidden ? "" : note.textContent));
    check(/long\.xyz has 5\d MB.*50 MB/.test(note) && !(await slider.isVisible()), `a file beyond the limit shows a frame: ${note}`);

    const bytes = path => ({ base64: readFileSync(join(root, "tests/fuzz", path)).toString("base64") });
    const atomsOf30 = { text: `30\n\n${"O 0 0 0\n".repeat(30)}` };
    for (const [name, file, names, topology] of [
        ["water.xtc", "xtc/water.xtc", "names.xyz", atomsOf30], ["charmm.dcd", "dcd/charmm.dcd", "water.psf", bytes("psf/water.psf")],
    ]) {
        await dropFiles(page, name, { [names]: topology, [name]: bytes(file) });
        const { frames } = await state();
        check(frames > 1 && (await command(page)).includes(`--topology=${names}`), `${name} plays ${frames} frames, with the names of ${names}`);
    }
    const dump = step => `ITEM: TIMESTEP\n${step}\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id type x y z\n1 1 1 1 1\n2 1 ${4 + step} 4 4\n`;
    await drop(page, "run.dump", dump(0) + dump(1) + dump(2));
    check((await state()).frames === 3, "a LAMMPS dump plays");
    check(page.troubles.length === 0, `no errors in the console: ${page.troubles.join("; ")}`);
    await page.close();
}

// 5. the package, from a server
{
    const page = await open(`${origin}/blank.html`);
    const result = await page.evaluate(async () => {
        const { load, view, options } = await import("/web/roundel.js");
        const scene = await load("/scenes/caffeine.xyz");
        const png = await scene.render({ width: 200, look: "studio", format: "png" });
        const viewer = await view(document.querySelector("canvas"), scene, { workers: 2, pixelRatio: 1 });
        const image = await viewer.finished();
        await viewer.set({ look: "flat" });
        const flat = await viewer.finished();
        const listed = await options();
        const refused = await scene.render({ colour_by: "element" }).then(() => "drawn", error => error.message);
        viewer.close();
        scene.close();
        const text = btoa(Array.from(new Uint8Array(await png.arrayBuffer()), byte => String.fromCharCode(byte)).join(""));
        const differs = image.data.some((value, index) => value !== flat.data[index]);
        return { text, differs, size: [image.width, image.height], options: listed.length, refused };
    });
    writeFileSync(inOut("caffeine.png"), Buffer.from(result.text, "base64"));
    roundel("render", "caffeine.xyz", "-W", "200", "--look", "studio", "-q", "-o", inOut("caffeine-program.png"), "--force");
    check(same(inOut("caffeine.png"), inOut("caffeine-program.png")).status === 0, "the package draws the bytes of the program");
    check(result.differs && result.size.join() === "320,240", "the package shows a scene, and another look of it");
    check(result.options > 60 && /did you mean color/.test(result.refused), `options have names: ${result.refused}`);
    check(page.troubles.length === 0, `no errors in the console: ${page.troubles.join("; ")}`);
    await page.close();
}

// 6. a library that stops at once, as it does in a panic: (module (memory (export "memory") 1) (func (export "reserve") (param i32)
// (result i32) (i32.const 8)) (func (export "add_file") (param i32)) (func (export "request") (result i32) (unreachable)))
const TRAP = "AGFzbQEAAAABDgNgAX8Bf2ABfwBgAAF/AwQDAAECBQMBAAEHKQQGbWVtb3J5AgAHcmVzZXJ2ZQAACGFkZF9maWxlAAEHcmVxdWVzdAACCg4DBABBCAsDAAELAwAACw==";
{
    const page = await open(`${origin}/blank.html`);
    const said = await page.evaluate(async trap => {
        const { load, setup } = await import("/web/roundel.js");
        setup({ wasm: Uint8Array.from(atob(trap), letter => letter.charCodeAt(0)) });
        return load({ "a.xyz": "1\n\nH 0 0 0\n" }).then(() => "loaded", error => error.message);
    }, TRAP);
    check(said.startsWith("this is a bug of roundel, which has stopped (unreachable"), `a panic is reported: ${said}`);
    await page.close();
}

// 7. the front page
{
    const page = await open(`${origin}/index.html`);
    check(await shows(page, 0.9, 0, 1, 0.4), "the front page has a legend");
    await sameAsProgram(page, "front");
    await drop(page, "map.csv", "x,y\n1,2\n3,5\n6,1\n");
    check(await page.evaluate("roundel.scene.shapes") === 3, "the front page shows a file that is dropped on it");
    await shoot(page, "front-page");
    check(page.troubles.length === 0, `no errors in the console: ${page.troubles.join("; ")}`);
    await page.close();
}

// 8. the manifest's frames
if (selftest) {
    const page = await open(`${origin}/web/selftest.html`);
    await page.waitForFunction("window.result", { timeout: 600000 });
    const { same, other } = await page.evaluate("window.result");
    check(other.length === 0 && same > 60, `${same} frames of the manifest agree in Chromium${other.length ? `, not ${other.join(", ")}` : ""}`);
    await shoot(page, "selftest");
    await page.close();
}

await browser.close();
server.close();
console.log(`${checks - failures} passed, ${failures} failed`);
process.exitCode = failures ? 1 : 0;
