// The script of an exported page: shows what the page holds, and any file that is dropped on it.

import { player } from "./player.js";
import { arranged, load, setup, view } from "./roundel.js";

const element = id => document.getElementById(id);

/** Bytes that the page holds in an element, in Base64. */
function stored(id) {
    const text = element(id).textContent;
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let index = 0; index < letters.length; index++) bytes[index] = letters.charCodeAt(index);
    return bytes;
}

/** A file of the page; compressed ones are unpacked, so that readers find what the command line found. */
async function storedFile({ id, isPacked }) {
    const bytes = stored(id);
    if (!isPacked) return bytes;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

const page = JSON.parse(element("page").textContent);
const canvas = element("canvas");
let viewer;

function complain(error) {
    const shown = element("error");
    [shown.textContent, shown.hidden] = [error.message, false];
}

function say(scene, more = "") {
    const shapes = `${scene.shapes.toLocaleString("en")} ${scene.kind}`;
    element("what").textContent = `${page.title ?? scene.name} · ${shapes}${more}`;
    element("what").title = scene.notes.join("\n");
}

async function show(source, options) {
    element("error").hidden = true;
    const scene = await load(source, options);
    canvas.hidden = false;
    if (viewer) await viewer.show(scene);
    else {
        viewer = await view(canvas, scene, { onframe, onerror: complain });
        player(element("player"), viewer);
    }
    element("still").hidden = true;
    element("help").textContent = viewer.help;
    [element("note").textContent, element("note").hidden] = [viewer.note, !viewer.note];
    element("buttons").hidden = false;
    const background = scene.facts.background;
    // a transparent background shows the page's background
    if (!/^transparent$|00$/.test(background) || background.length < 9) document.body.style.background = background;
    [window.roundel.viewer, window.roundel.scene] = [viewer, scene];
    say(scene);
    return scene;
}

function onframe({ quality, side }) {
    window.roundel.frames++;
    if (viewer?.scene) say(viewer.scene, quality === "final" && side === 1 ? " · final picture" : "");
}

async function open(files) {
    if (files.length === 0) return;
    const [list, options] = arranged(files);
    element("what").textContent = `reading ${list[0].name}`;
    page.title = undefined;
    try {
        await show(list, options);
        document.title = list[0].name;
    } catch (error) {
        complain(error);
        if (viewer) say(viewer.scene);
    }
}

function save(name, blob) {
    const link = document.createElement("a");
    [link.href, link.download] = [URL.createObjectURL(blob), name];
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

element("open").onchange = event => open(event.target.files);
element("reset").onclick = () => viewer.reset();
element("save").onclick = async () => save(`${viewer.scene.name.replace(/\.[^.]*$/, "")}.png`, await viewer.png());
element("copy").onclick = async ({ target }) => {
    const command = await viewer.command();
    try {
        await navigator.clipboard.writeText(command);
        target.textContent = "Copied";
        setTimeout(() => { target.textContent = "Copy command"; }, 1200);
    } catch {
        // pages from disk may not have a clipboard
        prompt("The command that draws this picture:", command);
    }
};
addEventListener("dragover", event => {
    event.preventDefault();
    document.body.classList.add("drop");
});
addEventListener("dragleave", event => { if (!event.relatedTarget) document.body.classList.remove("drop"); });
addEventListener("drop", event => {
    event.preventDefault();
    document.body.classList.remove("drop");
    open(event.dataTransfer.files);
});
// a page around this one hands over what was dropped on it
addEventListener("message", ({ data }) => { if (data?.roundel instanceof Array) open(data.roundel); });

window.roundel = { frames: 0, load, view };
setup({
    wasm: stored("wasm"),
    worker: URL.createObjectURL(new Blob([element("worker").textContent], { type: "text/javascript" })),
});
const files = await Promise.all(page.files.map(async file => [file.name, await storedFile(file)]));
await show(Object.fromEntries(files), page.options).catch(complain);
window.roundel.isReady = true;
