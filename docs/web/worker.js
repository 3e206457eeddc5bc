// One instance of roundel in a worker: it takes messages one after another, and answers each.
//
// A message is { id, module } once, then { id, files, request }: files are added by name, and the request, if there is one, is
// carried out. The answer is { id, answer, bytes } or { id, error }. wasm/src/session.rs lists the requests.

/** Bytes of memory close to the limit of 32-bit addresses: beyond this, a trap is taken for a lack of memory. */
const FULL = 2 ** 31;

let wasm;
let broken;

const place = (at, length) => new Uint8Array(wasm.memory.buffer, at, length);

function write(bytes) {
    const at = wasm.reserve(bytes.length);
    if (!at) throw new Error(`there is not enough memory for ${bytes.length} bytes`);
    place(at, bytes.length).set(bytes);
}

const text = () => new TextDecoder().decode(place(wasm.answer(), wasm.answer_length()));

function ask({ do: what, ...details }) {
    write(new TextEncoder().encode(JSON.stringify({ [what]: details })));
    let isAnswered;
    try {
        isAnswered = wasm.request();
    } catch (trap) {
        // a panic or a lack of memory traps, and leaves the instance unusable
        broken = new Error(stopped(trap));
        throw broken;
    }
    if (!isAnswered) throw new Error(text());
    return JSON.parse(text());
}

/** The message of a trap. The library has none of its own: those of panics would be 8 % of its bytes. */
function stopped(trap) {
    const memory = wasm.memory.buffer.byteLength;
    if (memory > FULL) return `there is not enough memory: ${Math.round(memory / 1e6)} MB are in use`;
    return `this is a bug of roundel, which has stopped (${trap.message}); \`roundel render\` with this file and these options says more`;
}

function addFile(name, content) {
    const start = new TextEncoder().encode(name);
    const bytes = new Uint8Array(start.length + content.length);
    bytes.set(start);
    bytes.set(content, start.length);
    write(bytes);
    wasm.add_file(start.length);
}

async function handle({ id, module, files = [], request }) {
    try {
        if (broken) throw broken;
        if (module) wasm = (await WebAssembly.instantiate(module, {})).exports;
        for (const [name, content] of files) addFile(name, content);
        const answer = request && ask(request);
        const makesBytes = request && ["draw", "picture", "marks"].includes(request.do);
        const bytes = makesBytes ? place(wasm.bytes(), wasm.bytes_length()).slice().buffer : undefined;
        postMessage({ id, answer, bytes }, bytes ? [bytes] : []);
    } catch (error) {
        postMessage({ id, error: error.message });
    }
}

let last = Promise.resolve();
onmessage = ({ data }) => {
    last = last.then(() => handle(data));
};
