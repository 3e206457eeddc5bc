// roundel in a browser: circles and spheres, drawn in workers without WebGL, with the bytes that the command line draws.

import { Viewer } from "./viewer.js";

const setting = { wasm: undefined, worker: undefined };
let compiled;

/**
 * Says where the parts of the package are: `wasm`, its bytes (gzip or not), a URL or a WebAssembly.Module; `worker`, a URL of
 * worker.js. Only for pages that move them; by default they lie beside this file.
 */
export function setup({ wasm, worker }) {
    Object.assign(setting, { wasm: wasm ?? setting.wasm, worker: worker ?? setting.worker });
    compiled = undefined;
}

/** Unpacks gzip; returns other bytes as they are. */
async function unpacked(bytes) {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function compile() {
    const wasm = setting.wasm ?? new URL("./roundel.wasm.gz", import.meta.url);
    if (wasm instanceof WebAssembly.Module) return wasm;
    const bytes = typeof wasm === "string" || wasm instanceof URL ? await download(wasm) : wasm;
    return WebAssembly.compile(await unpacked(new Uint8Array(bytes)));
}

async function download(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
}

/** A worker with an instance of roundel, which does one thing at a time. */
class Instance {
    constructor(module) {
        this.waiting = new Map();
        this.count = 0;
        this.worker = new Worker(setting.worker ?? new URL("./worker.js", import.meta.url));
        this.worker.onmessage = ({ data: { id, answer, bytes, error } }) => {
            const { resolve, reject } = this.waiting.get(id);
            this.waiting.delete(id);
            if (error === undefined) resolve({ ...answer, answer, bytes });
            else reject(new Error(error));
        };
        this.worker.onerror = event => {
            for (const { reject } of this.waiting.values()) reject(new Error(event.message));
        };
        this.send({ module }).catch(() => {});
    }

    send(message) {
        return new Promise((resolve, reject) => {
            this.waiting.set(++this.count, { resolve, reject });
            this.worker.postMessage({ id: this.count, ...message });
        });
    }

    ask(request) {
        return this.send({ request });
    }

    /** Ends the worker; what it was asked for fails with an error that says so. */
    end() {
        this.worker.terminate();
        const error = Object.assign(new Error("the worker has ended"), { isEnded: true });
        for (const { reject } of this.waiting.values()) reject(error);
    }
}

async function instance() {
    compiled ??= compile();
    return new Instance(await compiled);
}

/** Names and bytes of what `load` was given. */
async function filesOf(source, name) {
    const bytesOf = async value =>
        value instanceof Blob ? new Uint8Array(await value.arrayBuffer()) :
        typeof value === "string" ? new TextEncoder().encode(value) : new Uint8Array(value.buffer ?? value, value.byteOffset, value.byteLength);
    if (typeof source === "string" || source instanceof URL) {
        const url = new URL(source, globalThis.document?.baseURI);
        return [[name ?? decodeURIComponent(url.pathname.split("/").pop()), new Uint8Array(await download(url))]];
    }
    if (source instanceof Blob) return [[name ?? source.name ?? "data", await bytesOf(source)]];
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return [[name ?? "data", await bytesOf(source)]];
    const files = source instanceof Array || source instanceof globalThis.FileList ? [...source].map(file => [file.name, file]) : Object.entries(source);
    return Promise.all(files.map(async ([name, value]) => [name, await bytesOf(value)]));
}

/**
 * Reads a scene or data: the URL of a file, a File, bytes, or several files as { name: bytes, … } of which the first is drawn and
 * names the others. Options have the names of the command line's flags, with underscores; `name` is the name of bytes.
 */
export async function load(source, { name, ...options } = {}) {
    const [files, first] = await Promise.all([filesOf(source, name), instance()]);
    const scene = new Scene(files, options);
    scene.facts = (await scene.prepare(first, options)).answer;
    scene.spare = first;
    return scene;
}

/** A scene: kind, width and height of its picture, number of shapes and notes. */
export class Scene {
    constructor(files, options) {
        Object.assign(this, { files, options, name: files[0][0] });
    }

    get kind() { return this.facts.kind; }
    get width() { return this.facts.width; }
    get height() { return this.facts.height; }
    get shapes() { return this.facts.shapes; }
    get notes() { return this.facts.notes; }

    /** Reads the files in an instance, with these options. */
    prepare(instance, options) {
        return instance.send({ files: this.files, request: { do: "load", name: this.name, options } });
    }

    /** An instance that has read the scene, for its caller alone. */
    async take(options = this.options) {
        const spare = this.spare;
        this.spare = undefined;
        if (spare && options === this.options) return spare;
        const other = spare ?? await instance();
        await this.prepare(other, options);
        return other;
    }

    /**
     * Draws the picture of `roundel render` with these options beside those of `load`. Returns ImageData, or a Blob with
     * `format: "png"`.
     */
    async render({ format = "imagedata", ...options } = {}) {
        const isOther = Object.keys(options).length > 0;
        const drawing = await this.take(isOther ? { ...this.options, ...options } : this.options);
        try {
            const { width, height, bytes } = await drawing.ask({ do: "picture", format: format === "png" ? "png" : "rgba" });
            return format === "png"
                ? new Blob([bytes], { type: "image/png" })
                : new ImageData(new Uint8ClampedArray(bytes), width, height);
        } finally {
            if (isOther || this.spare) drawing.end();
            else this.spare = drawing;
        }
    }

    /** Ends the scene's worker. Viewers of the scene go on. */
    close() {
        this.spare?.end();
        this.spare = undefined;
    }
}

/**
 * The files that were dropped on a page, in the order in which `load` takes them, and options: a scene names the other files, a
 * trajectory takes the names of its atoms from the other file.
 */
export function arranged(files) {
    const rank = ({ name }) => (/\.(toml|json)$/i.test(name) ? 0 : /\.(xtc|dcd)$/i.test(name) ? 1 : 2);
    const list = [...files].sort((a, b) => rank(a) - rank(b));
    const options = list.length === 2 && rank(list[0]) === 1 && rank(list[1]) === 2 ? { topology: list[1].name } : {};
    return [list, options];
}

/** The options: name, help, and the values that each takes. */
export async function options() {
    const asked = await instance();
    const { answer } = await asked.ask({ do: "options" });
    asked.end();
    return answer;
}

/** Shows a scene in a canvas, to orbit, zoom and pick. See `ViewOptions` in roundel.d.ts. */
export async function view(canvas, scene, options = {}) {
    const viewer = new Viewer(canvas, options);
    await viewer.show(scene);
    return viewer;
}
