// The page's part of roundel.show: sends mouse and keys to the kernel, and shows the pictures that it draws.

const BUTTONS = ["left", "middle", "right"];
const KEYS = new Set(["1", "3", "5", "7", "9", "A", "F", "L", "S", "Enter", "Space", "Left", "Right"]);
/** Milliseconds between questions while the kernel refines a picture. */
const PATIENCE = 30;

function nameOfKey(event) {
  if (event.key === " ") return "Space";
  if (event.key === "ArrowLeft") return "Left";
  if (event.key === "ArrowRight") return "Right";
  return event.key.length === 1 ? event.key.toUpperCase() : event.key;
}

function render({ model, el }) {
  const [width, height] = [model.get("width"), model.get("height")];
  const ratio = window.devicePixelRatio || 1;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { className: "roundel-view", width: Math.round(width * ratio), height: Math.round(height * ratio), tabIndex: 0 });
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.setAttribute("role", "img");
  const line = document.createElement("div");
  line.className = "roundel-line";
  el.append(canvas, line);

  const begun = performance.now();
  const id = Math.random().toString(36).slice(2);
  const held = { Shift: false, Ctrl: false };
  let events = [];
  let waiting = false;
  let timer = 0;
  let newest = 0;

  async function show(png) {
    const number = ++newest;
    const bitmap = await createImageBitmap(new Blob([png], { type: "image/png" }));
    // a later picture may have been decoded first
    if (number < newest) return;
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    canvas.dataset.pictures = String(Number(canvas.dataset.pictures || 0) + 1);
  }

  function describe(picked) {
    const parts = picked.kind ? [`${picked.kind} ${picked.index}`, ...Object.entries(picked.record).map((pair) => pair.join(": "))] : [];
    line.textContent = parts.join(", ");
    canvas.setAttribute("aria-label", parts.join(", ") || "spheres");
  }

  function ask() {
    if (waiting) return;
    clearTimeout(timer);
    waiting = true;
    model.send({ view: id, events: events.join("\n") });
    events = [];
  }

  function add(text, kind) {
    const time = Math.max(0, Math.round(performance.now() - begun));
    // of several moves the last one counts
    if (kind === "move" && events.length && events[events.length - 1].includes(" move ")) events.pop();
    events.push(`${time} ${text}`);
    ask();
  }

  function modifiers(event) {
    for (const [name, is_down] of [["Shift", event.shiftKey], ["Ctrl", event.ctrlKey]]) {
      if (held[name] !== is_down) {
        held[name] = is_down;
        add(`${is_down ? "key-down" : "key-up"} ${name}`);
      }
    }
  }

  function move(event) {
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) * width) / box.width;
    const y = ((event.clientY - box.top) * height) / box.height;
    add(`move ${x.toFixed(2)} ${y.toFixed(2)}`, "move");
  }

  canvas.addEventListener("pointerdown", (event) => {
    if (!BUTTONS[event.button]) return;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    modifiers(event);
    move(event);
    add(`press ${BUTTONS[event.button]}`);
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    modifiers(event);
    move(event);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (BUTTONS[event.button]) add(`release ${BUTTONS[event.button]}`);
  });
  canvas.addEventListener("pointerleave", () => model.send({ save: true }));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener(
    "wheel",
    (event) => {
      modifiers(event);
      const notch = [100, 3, 1][event.deltaMode] || 100;
      add(`wheel ${Math.max(-10, Math.min(10, -event.deltaY / notch)).toFixed(3)}`);
      event.preventDefault();
    },
    { passive: false },
  );
  for (const [type, word] of [["keydown", "key-down"], ["keyup", "key-up"]]) {
    canvas.addEventListener(type, (event) => {
      const name = nameOfKey(event);
      if (!KEYS.has(name) || event.metaKey || event.ctrlKey || event.altKey) return;
      add(`${word} ${name}`);
      event.preventDefault();
      // the notebook has shortcuts of its own
      event.stopPropagation();
    });
  }

  function answer(content, buffers) {
    if (!("idle" in content)) return;
    describe(content.picked);
    canvas.dataset.quality = content.quality;
    if (buffers && buffers.length) show(buffers[0]);
    if (content.view !== id) return;
    waiting = false;
    if (events.length) ask();
    else if (!content.idle) timer = setTimeout(ask, PATIENCE);
  }

  const still = () => show(model.get("picture"));
  model.on("msg:custom", answer);
  model.on("change:picture", still);
  still();
  describe(model.get("picked"));
  return () => {
    clearTimeout(timer);
    model.off("msg:custom", answer);
    model.off("change:picture", still);
  };
}

export default { render };
