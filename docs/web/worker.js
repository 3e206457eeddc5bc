// One instance of roundel in a worker: it takes messages one after another, and answers each.
//
// A message is { id, module } once, then { id, files, request }: files are added by name, and the request, if there is one, is
// carried out. The answer is { id, answer, bytes } or { id, error }. What requests there are stands in wasm/src/session.rs.

let wasm;
let broken;

const place = (at, length) => new Uint8Array(wasm.memory.buffer, at, length);

function write(bytes) {
    const at = wasm.reserve(bytes.length);
    place(at, bytes.length).set(bytes);
}

const text = () => new TextDecoder().decode(place(wasm.answer(), wasm.answer_length()));

function ask(request) {
    write(new TextEncoder().encode(JSON.stringify(request)));
    let isAnswered;
    try {
        isAnswered = wasm.request();
    } catch (trap) {
        // a panic leaves its message, and an instance that nobody may use again
        broken = new Error(text() || String(trap));
        throw broken;
    }
    if (!isAnswered) throw new Error(text());
    return JSON.parse(text());
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
        const makesBytes = request && (request.do === "draw" || request.do === "picture");
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
