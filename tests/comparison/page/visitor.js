// Acts as a visitor of the page: waits until it is drawn, presses keys, reads the colours of the stage.
// in virtual time frames come when they like
window.requestAnimationFrame = draw => setTimeout(draw, 0);
const results = {};
const rest = ms => new Promise(done => setTimeout(done, ms));
/** Works for a moment: pictures are decoded in real time, of which virtual time knows nothing. */
const moment = () => { let sum = 0; for (let i = 0; i < 1e6; i++) sum += Math.sqrt(i); return sum; };
const until = async claim => {
  for (let i = 0; i < 5000 && !claim(); i++) {
    moment();
    await rest(20);
  }
  return claim();
};
const stage = document.getElementById("stage");
/** Nothing is being decoded, and all is drawn. */
const settled = async () => { await rest(20); return until(() => !queued && !state.loading); };
const press = async (key, options) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options }));
  await settled();
};
/** The colour at a place of the stage, 0 to 1 each way. */
const at = (x, y) => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  context.drawImage(stage, -Math.floor(x * stage.width), -Math.floor(y * stage.height));
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
};
const here = () => document.getElementById("name").textContent;
const touch = (type, x, y) => {
  const box = stage.getBoundingClientRect();
  stage.dispatchEvent(new PointerEvent(type, { clientX: box.left + x * box.width, clientY: box.top + y * box.height, pointerId: 1, bubbles: true }));
};
addEventListener("load", async () => {
  try {
    await until(() => stage.dataset.name);
    await settled();
    await visit();
  } catch (error) { results.error = String(error.stack ?? error); }
  const text = document.createElement("pre");
  text.id = "results";
  text.hidden = true;
  text.textContent = JSON.stringify(results);
  document.body.append(text);
});
