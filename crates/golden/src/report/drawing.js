"use strict";
/* The stage: placing pictures on it and drawing them. `draw` draws everything from `state`, on the next frame after `redraw`. */
const $ = id => document.getElementById(id);
const GRID_FROM = 12, VALUES_FROM = 44, NEAREST = 128;
let queued = false;

// Placing

/** The panes of the view: a rectangle each, and the layers drawn in it. */
function panes() {
  const { width, height } = $("stage"), { expected, actual, difference } = state.rasters;
  const whole = (label, ...layers) => [{ x: 0, y: 0, width, height, label, layers }];
  const only = expected ?? actual;
  if (!only) return [];
  if (!expected || !actual || expected === actual) return whole(expected ? "expected" : "actual", { raster: only });
  switch (state.view) {
    case "side": {
      const shown = [["expected", expected], ["actual", actual], ["difference", difference]].filter(([, raster]) => raster);
      const each = width / shown.length;
      return shown.map(([label, raster], i) => ({ x: i * each, y: 0, width: each, height, label, layers: [{ raster }] }));
    }
    case "slider": return whole("actual | expected", { raster: expected }, { raster: actual, until: state.mix.slider / 100 });
    case "onion": return whole(`actual ${state.mix.onion} %`, { raster: expected }, { raster: actual, alpha: state.mix.onion / 100 });
    case "blink": return state.blinked ? whole("actual", { raster: actual }) : whole("expected", { raster: expected });
    case "marks": return difference ? whole("difference", { raster: difference }) : whole("sizes differ", { raster: expected });
    default:
      if (state.rasters.gap?.times !== state.mix.gap) state.rasters.gap = gap(expected, actual, state.mix.gap);
      return whole(`difference × ${state.mix.gap}`, { raster: state.rasters.gap });
  }
}

/** The largest width and height of the case's pictures. */
function extent() {
  const rasters = ROLES.map(role => state.rasters[role]).filter(Boolean);
  return [Math.max(1, ...rasters.map(raster => raster.width)), Math.max(1, ...rasters.map(raster => raster.height))];
}

function fit() {
  const pane = panes()[0] ?? $("stage"), [width, height] = extent();
  const scale = Math.min(pane.width / width, pane.height / height);
  place(scale > 1 ? Math.min(Math.floor(scale), NEAREST) : scale, width / 2, height / 2);
  state.fitted = true;
}

/** Centres each pane on a position in the pictures. */
function place(scale, x, y) {
  const pane = panes()[0] ?? $("stage");
  Object.assign(state, { scale, x: x - pane.width / scale / 2, y: y - pane.height / scale / 2, fitted: false });
  redraw();
}

/** Zooms about a position in a pane, in device pixels; about its centre by default. */
function zoom(factor, at) {
  const pane = panes()[0] ?? $("stage");
  at ??= { x: pane.width / 2, y: pane.height / 2 };
  let scale = Math.max(1 / 64, Math.min(NEAREST, state.scale * factor));
  if (scale > 1) scale = factor > 1 ? Math.ceil(scale - 1e-9) : Math.floor(scale + 1e-9);
  state.x += at.x / state.scale - at.x / scale;
  state.y += at.y / state.scale - at.y / scale;
  Object.assign(state, { scale, fitted: false });
  redraw();
}

function region(by) {
  const { regions, region_count } = state.found ?? { regions: [] };
  if (!regions.length) return;
  state.region = (state.region + by + regions.length + (state.region < 0 && by < 0 ? 1 : 0)) % regions.length;
  const [x, y, width, height, pixels] = regions[state.region], pane = panes()[0];
  $("region").textContent = `${state.region + 1} of ${region_count}: ${pixels} px at ${x},${y}`;
  const scale = Math.min(pane.width / (width + 8), pane.height / (height + 8), VALUES_FROM);
  place(scale > 1 ? Math.floor(scale) : scale, x + width / 2, y + height / 2);
}

// Drawing

function redraw() {
  if (queued) return;
  queued = true;
  requestAnimationFrame(() => { queued = false; draw(); });
}

function draw() {
  const canvas = $("stage"), context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  const style = getComputedStyle(document.documentElement);
  for (const pane of panes()) drawPane(context, pane, name => style.getPropertyValue(name));
  $("zoom").textContent = state.scale >= 1 ? `${state.scale} ×` : `${Math.round(100 * state.scale)} %`;
  Object.assign(canvas.dataset, { view: state.view, scale: state.scale, blinked: state.blinked, name: state.cases[state.index]?.name });
  canvas.dataset.draws = 1 + Number(canvas.dataset.draws ?? 0);
}

function drawPane(context, pane, colour) {
  for (const { raster, until, alpha } of pane.layers) {
    const [left, top] = [pane.x - state.x * state.scale, pane.y - state.y * state.scale];
    const [width, height] = [raster.width * state.scale, raster.height * state.scale];
    const cut = until === undefined ? pane.width : Math.max(0, Math.min(pane.width, left - pane.x + until * width));
    context.save();
    context.beginPath();
    context.rect(pane.x, pane.y, cut, pane.height);
    context.clip();
    if (alpha === undefined) checker(context, [left, top, width, height], colour);
    context.globalAlpha = alpha ?? 1;
    context.imageSmoothingEnabled = state.scale < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(raster.canvas, left, top, width, height);
    if (state.grid && alpha === undefined) grid(context, pane, raster, left, top);
    context.restore();
    if (until !== undefined) {
      context.fillStyle = colour("--mark");
      context.fillRect(pane.x + cut - 1, pane.y, 2, pane.height);
      knob(context, pane.x + cut, pane.y + pane.height / 2);
    }
  }
  outline(context, pane, colour);
  context.fillStyle = colour("--line");
  if (pane.x > 0) context.fillRect(pane.x, pane.y, 1, pane.height);
  const label = ` ${pane.label} `;
  context.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  context.fillStyle = colour("--panel");
  context.fillRect(pane.x, pane.y, context.measureText(label).width, 18 * devicePixelRatio);
  context.fillStyle = colour("--ink");
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillText(label, pane.x, pane.y + 13 * devicePixelRatio);
}

function knob(context, x, y) {
  context.beginPath();
  context.arc(x, y, 7 * devicePixelRatio, 0, 2 * Math.PI);
  context.fill();
}

/** Draws the checkerboard behind translucent pixels. */
function checker(context, rectangle, colour) {
  const cell = 8 * devicePixelRatio, tile = new OffscreenCanvas(2 * cell, 2 * cell), ink = tile.getContext("2d");
  ink.fillStyle = colour("--paper");
  ink.fillRect(0, 0, 2 * cell, 2 * cell);
  ink.fillStyle = colour("--check");
  ink.fillRect(0, 0, cell, cell);
  ink.fillRect(cell, cell, cell, cell);
  context.fillStyle = context.createPattern(tile, "repeat");
  context.fillRect(...rectangle);
}

/** Draws lines between pixels, and their values if there is room. */
function grid(context, pane, raster, left, top) {
  const { scale } = state;
  if (scale < GRID_FROM) return;
  const [x0, y0] = [Math.max(0, Math.floor(state.x)), Math.max(0, Math.floor(state.y))];
  const x1 = Math.min(raster.width, Math.ceil(state.x + pane.width / scale));
  const y1 = Math.min(raster.height, Math.ceil(state.y + pane.height / scale));
  if (x0 >= x1 || y0 >= y1) return;
  context.fillStyle = "#80808066";
  for (let x = x0; x <= x1; x++) context.fillRect(left + x * scale, top + y0 * scale, 1, (y1 - y0) * scale);
  for (let y = y0; y <= y1; y++) context.fillRect(left + x0 * scale, top + y * scale, (x1 - x0) * scale, 1);
  if (scale < VALUES_FROM) return;
  const pixels = raster.context.getImageData(x0, y0, x1 - x0, y1 - y0).data;
  context.font = `${scale / 5}px ui-monospace, monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b, a] = pixels.subarray(i, i + 4);
    const [x, y] = [x0 + (i / 4) % (x1 - x0), y0 + Math.floor(i / 4 / (x1 - x0))];
    context.fillStyle = (a < 128 || 0.299 * r + 0.587 * g + 0.114 * b > 140) ? "#000" : "#fff";
    const lines = a < 255 ? [r, g, b, a] : [r, g, b];
    lines.forEach((value, line) => context.fillText(value, left + (x + 0.5) * scale, top + (y + (line + 1) / (lines.length + 1)) * scale));
  }
}

/** Draws a frame around the current region. */
function outline(context, pane, colour) {
  const found = state.found?.regions[state.region];
  if (!found) return;
  const [x, y, width, height] = found, { scale } = state;
  context.save();
  context.beginPath();
  context.rect(pane.x, pane.y, pane.width, pane.height);
  context.clip();
  context.strokeStyle = colour("--mark");
  context.lineWidth = 2 * devicePixelRatio;
  context.strokeRect(pane.x + (x - state.x) * scale - 3, pane.y + (y - state.y) * scale - 3, width * scale + 6, height * scale + 6);
  context.restore();
}

/** Shows the values of the pixel under the pointer. */
function hover() {
  const at = state.pointer, { expected, actual } = state.rasters;
  const [width, height] = extent();
  if (!at || at.x < 0 || at.y < 0 || at.x >= width || at.y >= height) {
    const sizes = ROLES.slice(0, 2).filter(role => state.rasters[role]).map(role => `${role} ${state.rasters[role].width} × ${state.rasters[role].height}`);
    $("values").textContent = sizes.join("   ");
    return;
  }
  const value = raster => raster && at.x < raster.width && at.y < raster.height ? [...raster.context.getImageData(at.x, at.y, 1, 1).data] : null;
  // a canvas stores premultiplied colours: those of translucent pixels are rounded
  const text = (role, pixel) => pixel ? `   ${role} ${pixel[3] < 255 ? "≈ " : ""}${pixel.map(channel => String(channel).padStart(3)).join(" ")}` : "";
  const [p, q] = [value(expected), value(actual)];
  const gaps = p && q ? "   difference " + p.map((channel, i) => String(q[i] - channel).padStart(4)).join(" ") : "";
  $("values").textContent = `${at.x},${at.y}${text("expected", p)}${text("actual", q)}${gaps}`;
}

