/* The list of cases, the case that is shown, pointer and keys. Pictures are base64 text, in elements at the end of the
   document or in scripts of their own, and are decoded when they come into view. */
const VIEWS = [["side", "Side by side"], ["slider", "Slider"], ["onion", "Onion skin"], ["blink", "Blink"],
  ["marks", "Differing pixels"], ["gap", "Difference ×"]];
const KINDS = ["changed", "new", "missing", "same"];
const ROLES = ["expected", "actual", "difference"];
const BLINK = 600;
const state = { cases: [], shown: [], kind: "all", index: -1, view: "side", mix: { slider: 50, onion: 50, gap: 8 }, grid: true,
  scale: 1, x: 0, y: 0, fitted: true, found: null, frame: 0, region: -1, blinked: false, paused: false, rasters: {}, loading: false, pointer: null };
let wanted = 0;

// Pictures

const pictures = new Map(), scripts = new Map();

/** Called by the script of a case, for each of its pictures. */
function picture(id, kind, text) {
  pictures.set(id, { kind, text });
}

/** Loads the script with the pictures of a case, if they are not in the document. */
function load(path) {
  if (!path) return null;
  if (!scripts.has(path)) scripts.set(path, new Promise(done => {
    const script = document.createElement("script");
    // a script that is gone leaves its case without pictures
    script.onload = script.onerror = done;
    script.src = path.split("/").map(encodeURIComponent).join("/");
    document.head.append(script);
  }));
  return scripts.get(path);
}

/** A picture of a case as a blob. */
async function blob(found, role) {
  await load(found.script);
  const id = found[role], element = $("picture-" + id);
  const { kind, text } = pictures.get(id) ?? { kind: element.dataset.kind, text: element.textContent };
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return new Blob([bytes], { type: kind });
}

/** A picture of a case, decoded; its samples are those of the file where the browser allows it. */
async function decode(found, role) {
  const bitmap = await createImageBitmap(await blob(found, role), { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { canvas, context, width: canvas.width, height: canvas.height };
}

/** The differences of the channels, times a factor. */
function gap(a, b, times) {
  const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
  const [p, q] = [a, b].map(raster => raster.context.getImageData(0, 0, width, height).data);
  const image = new ImageData(width, height);
  for (let i = 0; i < p.length; i += 4) {
    const alpha = Math.abs(p[i + 3] - q[i + 3]);
    for (let c = 0; c < 3; c++) image.data[i + c] = Math.min(255, times * Math.max(alpha, Math.abs(p[i + c] - q[i + c])));
    image.data[i + 3] = 255;
  }
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.putImageData(image, 0, 0);
  return { canvas, context, width, height, times };
}

// The list

const thumbnails = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    thumbnails.unobserve(target);
    thumbnail(target, state.cases[target.dataset.index]);
  }
}, { root: $("list"), rootMargin: "200px" });

async function thumbnail(canvas, whole) {
  const found = atFrame(whole, 0);
  const bitmap = await blob(found, found.actual === undefined ? "expected" : "actual").then(createImageBitmap).catch(() => null);
  if (!bitmap) return;
  const scale = Math.min(canvas.width / bitmap.width, canvas.height / bitmap.height, 4);
  const [width, height] = [Math.max(1, bitmap.width * scale), Math.max(1, bitmap.height * scale)];
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.imageSmoothingEnabled = scale < 1;
  context.drawImage(bitmap, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  bitmap.close();
  canvas.dataset.drawn = "true";
}

function list() {
  const name = $("search").value.toLowerCase();
  state.shown = [...state.cases.keys()].filter(index => {
    const found = state.cases[index];
    return (state.kind === "all" || found.status === state.kind) && found.name.toLowerCase().includes(name);
  });
  const rows = state.shown.map(index => {
    const found = state.cases[index], row = document.createElement("li"), button = document.createElement("button");
    const canvas = Object.assign(document.createElement("canvas"), { width: 128, height: 96 });
    const title = Object.assign(document.createElement("b"), { textContent: found.name, className: found.status });
    const text = Object.assign(document.createElement("small"), { textContent: found.summary });
    canvas.dataset.index = index;
    button.append(canvas, title, text);
    button.onclick = () => show(index);
    row.append(button);
    row.dataset.index = index;
    return row;
  });
  thumbnails.disconnect();
  $("list").replaceChildren(...rows);
  rows.forEach(row => thumbnails.observe(row.querySelector("canvas")));
  for (const button of $("filters").children) button.setAttribute("aria-pressed", button.dataset.kind === state.kind);
  if (!state.shown.includes(state.index) && state.shown.length) show(state.shown[0]); else current();
}

function current() {
  for (const row of $("list").children) {
    const here = Number(row.dataset.index) === state.index;
    row.firstChild.setAttribute("aria-current", here);
    if (here) row.scrollIntoView({ block: "nearest" });
  }
}

function step(by) {
  const place = state.shown.indexOf(state.index);
  const next = state.shown[Math.max(0, Math.min(state.shown.length - 1, place + by))];
  if (next !== undefined) show(next);
}

function filter(kind) {
  state.kind = kind;
  list();
}

// One case

/** A case with the pictures and regions of a frame, if it is a film. */
function atFrame(found, frame) {
  return { ...found, ...found.frames?.[frame], name: found.name, summary: found.summary };
}

async function show(index, frame = 0) {
  const found = atFrame(state.cases[index], frame), ticket = ++wanted;
  Object.assign(state, { index, frame, found });
  $("name").textContent = found.name;
  $("name").className = found.status;
  $("found").textContent = found.summary;
  $("approve").hidden = !found.approve;
  $("approve").textContent = found.approve ?? "";
  current();
  state.loading = true;
  const roles = ROLES.filter(role => found[role] !== undefined);
  const rasters = await Promise.all(roles.map(role => decode(found, role).catch(() => null)));
  if (ticket !== wanted) return;
  state.loading = false;
  state.rasters = Object.fromEntries(roles.map((role, i) => [role, rasters[i]]).filter(([, raster]) => raster));
  if (found.status === "same") state.rasters.actual = state.rasters.expected;
  state.region = -1;
  state.pointer = null;
  $("frame-group").hidden = !found.frames;
  if (found.frames) $("frame-name").textContent = `${found.frames[frame].name}, ${frame + 1} of ${found.frames.length}: ${found.frames[frame].summary}`;
  $("region-group").hidden = !found.regions.length;
  $("region").textContent = `${found.region_count} ${found.region_count === 1 ? "region" : "regions"}`;
  fit();
  hover();
}

/** Shows the next or the previous frame that differs. */
function frame(by) {
  const { frames } = state.cases[state.index] ?? {};
  if (frames) show(state.index, (state.frame + by + frames.length) % frames.length);
}

function setView(view) {
  state.view = view;
  for (const button of $("views").children) button.setAttribute("aria-pressed", button.dataset.view === view);
  const mixed = view in state.mix;
  $("mix").parentElement.style.visibility = mixed ? "visible" : "hidden";
  if (mixed) {
    [$("mix").min, $("mix").max] = view === "gap" ? [1, 64] : [0, 100];
    $("mix").value = state.mix[view];
    $("mix-label").textContent = { slider: "Actual left of", onion: "Actual", gap: "Factor" }[view];
  }
  if (state.fitted) fit();
  redraw();
}

function setMix(value) {
  if (!(state.view in state.mix)) return;
  state.mix[state.view] = Math.max(Number($("mix").min), Math.min(Number($("mix").max), value));
  $("mix").value = state.mix[state.view];
  redraw();
}

// Pointer and keys

/** A pointer's position in its pane, and the pixel under it. */
function locate(event) {
  const box = $("stage").getBoundingClientRect();
  const [x, y] = [(event.clientX - box.left) * devicePixelRatio, (event.clientY - box.top) * devicePixelRatio];
  const pane = panes().find(({ x: left, width }) => x >= left && x < left + width) ?? { x: 0, y: 0 };
  const within = { x: x - pane.x, y: y - pane.y };
  return { within, pixel: { x: Math.floor(state.x + within.x / state.scale), y: Math.floor(state.y + within.y / state.scale) } };
}

function pointer() {
  const stage = $("stage");
  let dragged = null;
  const slide = event => {
    const [width] = [state.rasters.actual?.width ?? 1];
    setMix(Math.round(100 * (state.x + locate(event).within.x / state.scale) / width));
  };
  stage.onpointerdown = event => {
    // the divider follows the pointer; with Shift, and in any other view, the pictures do
    dragged = state.view === "slider" && !event.shiftKey && event.button === 0 ? "divider" : "pictures";
    try { stage.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone */ }
    if (dragged === "divider") slide(event);
  };
  stage.onpointermove = event => {
    if (dragged === "divider") slide(event);
    if (dragged === "pictures") {
      state.x -= event.movementX * devicePixelRatio / state.scale;
      state.y -= event.movementY * devicePixelRatio / state.scale;
      state.fitted = false;
      redraw();
    }
    state.pointer = locate(event).pixel;
    hover();
  };
  stage.onpointerup = stage.onpointercancel = () => { dragged = null; };
  stage.onpointerleave = () => { state.pointer = null; hover(); };
  stage.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.25 : 0.8, locate(event).within);
  }, { passive: false });
}

const KEYS = [
  [["j", "ArrowDown"], "next picture", () => step(1)],
  [["k", "ArrowUp"], "previous picture", () => step(-1)],
  ...VIEWS.map(([view, label], i) => [[String(i + 1)], label.toLowerCase().replace("×", "multiplied"), () => setView(view)]),
  [["ArrowLeft"], "less of divider, opacity or factor; with Shift by ten", event => setMix(state.mix[state.view] - (event.shiftKey ? 10 : 1))],
  [["ArrowRight"], "more", event => setMix(state.mix[state.view] + (event.shiftKey ? 10 : 1))],
  [[" "], "blink: pause or resume", () => { state.paused = !state.paused; }],
  [["x"], "blink: show the other picture", () => { state.paused = true; state.blinked = !state.blinked; setView("blink"); }],
  [["+", "="], "zoom in", () => zoom(1.25)],
  [["-"], "zoom out", () => zoom(0.8)],
  [["f", "0"], "whole picture", fit],
  [["o"], "one to one", () => { const pane = panes()[0]; if (pane) place(1, state.x + pane.width / state.scale / 2, state.y + pane.height / state.scale / 2); }],
  [["g"], "pixel grid and values", () => { state.grid = !state.grid; $("grid").setAttribute("aria-pressed", state.grid); redraw(); }],
  [["."], "film: next frame that differs", () => frame(1)],
  [[","], "film: previous frame", () => frame(-1)],
  [["n"], "next differing region", () => region(1)],
  [["p"], "previous region", () => region(-1)],
  [["a"], "all pictures", () => filter("all")],
  [["c"], "changed pictures", () => filter("changed")],
  [["w"], "new pictures", () => filter("new")],
  [["m"], "missing pictures", () => filter("missing")],
  [["s"], "same pictures", () => filter("same")],
  [["/"], "search by name", () => $("search").focus()],
  [["y"], "copy the command that approves it", () => approve()],
  [["t"], "light or dark theme", () => theme()],
  [["?"], "this list", () => $("help").showModal()],
];

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  redraw();
}

function approve() {
  const { approve } = state.cases[state.index] ?? {};
  if (approve) navigator.clipboard?.writeText(approve).then(() => { $("approve").textContent = "copied"; }, () => {});
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  if (event.target === $("search")) {
    if (event.key === "Escape" || event.key === "Enter") $("stage").focus();
    return;
  }
  // a focused button keeps the space key, a focused slider the arrow keys
  if (event.key === " " && event.target.tagName === "BUTTON") return;
  if (event.target === $("mix") && event.key.startsWith("Arrow")) return;
  const [, , act] = KEYS.find(([keys]) => keys.includes(event.key)) ?? [];
  if (!act) return;
  event.preventDefault();
  act(event);
}

function start() {
  const report = JSON.parse($("report").textContent);
  const order = ["changed", "missing", "new", "same"];
  for (const found of report.cases) if (found.run !== undefined && found.run !== report.run) found.summary += " (in an earlier run)";
  state.cases = report.cases.sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  document.title = report.title;
  $("title").textContent = report.title;
  for (const kind of ["all", ...KINDS]) {
    const count = kind === "all" ? state.cases.length : state.cases.filter(found => found.status === kind).length;
    const button = Object.assign(document.createElement("button"), { textContent: `${kind} ${count}`, className: kind });
    button.dataset.kind = kind;
    button.onclick = () => filter(kind);
    $("filters").append(button);
  }
  VIEWS.forEach(([view, label], i) => {
    const button = Object.assign(document.createElement("button"), { textContent: label, title: `${label} (${i + 1})` });
    button.dataset.view = view;
    button.onclick = () => setView(view);
    $("views").append(button);
  });
  $("help").firstChild.innerHTML = KEYS.map(([keys, text]) => {
    const names = keys.map(key => `<kbd>${key === " " ? "Space" : key.replace("Arrow", "")}</kbd>`);
    return `<tr><td>${names.join(" ")}</td><td>${text}</td></tr>`;
  }).join("") + "<tr><td>wheel, drag</td><td>zoom and move; in the slider, drag moves the divider, Shift-drag the pictures</td></tr>";
  const clicks = { in: () => zoom(1.25), out: () => zoom(0.8), fit, one: () => KEYS.find(([keys]) => keys[0] === "o")[2](),
    grid: () => KEYS.find(([keys]) => keys[0] === "g")[2](), "region-on": () => region(1), "region-back": () => region(-1), "frame-on": () => frame(1), "frame-back": () => frame(-1), approve, theme,
    "help-button": () => $("help").showModal() };
  for (const [id, act] of Object.entries(clicks)) $(id).onclick = act;
  $("search").oninput = list;
  $("mix").oninput = () => setMix(Number($("mix").value));
  document.addEventListener("keydown", onKey);
  new ResizeObserver(() => {
    const box = $("frame").getBoundingClientRect();
    $("stage").width = Math.max(1, Math.round(box.width * devicePixelRatio));
    $("stage").height = Math.max(1, Math.round(box.height * devicePixelRatio));
    if (state.fitted) fit();
    // at once: resizing a canvas clears it
    draw();
  }).observe($("frame"));
  matchMedia("(prefers-color-scheme: dark)").onchange = redraw;
  setInterval(() => {
    if (state.view !== "blink" || state.paused) return;
    state.blinked = !state.blinked;
    redraw();
  }, BLINK);
  pointer();
  setView("side");
  list();
  const linked = state.cases.findIndex(found => found.name === decodeURIComponent(location.hash.slice(1)));
  if (linked >= 0) show(linked);
}

document.addEventListener("DOMContentLoaded", start);
