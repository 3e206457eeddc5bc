// A visit to `report_shows_lists_slides_and_takes_keys`: uses every control, and notes what it sees.
results.rows = [...document.querySelectorAll("#list b")].map(row => row.textContent);
results.filters = [...document.querySelectorAll("#filters button")].map(button => button.textContent);
await until(() => document.querySelectorAll("#list canvas[data-drawn]").length === results.rows.length);
results.thumbnails = document.querySelectorAll("#list canvas[data-drawn]").length;
results.first = here();
// lines between pixels, where one would be else
const colours = () => new Set(Array.from({ length: 30 }, (_, i) => at(0.5 + i / stage.width, 0.45))).size;
await press("4");
await press("+");
await press("+");
await press("+");
results.grid = [Number(stage.dataset.scale) >= 12, colours()];
await press("g");
results.grid.push(colours());
await press("f");
await press("1");
// side by side: red, blue, and red marks
results.side = [at(1 / 6, 0.5), at(0.5, 0.5), at(5 / 6, 0.5)];
// the divider: actual to its left
await press("2");
results.slider = [at(0.45, 0.4), at(0.55, 0.4)];
for (let i = 0; i < 4; i++) await press("ArrowRight", { shiftKey: true });
results.keyed = [document.getElementById("mix").value, at(0.45, 0.4), at(0.55, 0.4)];
document.getElementById("mix").value = 10;
document.getElementById("mix").dispatchEvent(new Event("input"));
await settled();
results.input = [at(0.45, 0.4), at(0.55, 0.4)];
touch("pointerdown", 0.6, 0.5);
touch("pointermove", 0.65, 0.5);
touch("pointerup", 0.65, 0.5);
await settled();
results.dragged = [Number(document.getElementById("mix").value), at(0.5, 0.4), at(0.55, 0.4)];
await press("3");
results.onion = at(0.5, 0.5);
await press("x");
results.blink = [at(0.5, 0.5)];
await press("x");
results.blink.push(at(0.5, 0.5));
await press(" ");
const before = at(0.5, 0.5);
results.blinks = await until(() => at(0.5, 0.5) !== before);
await press("5");
results.marks = at(0.5, 0.5);
await press("6");
results.gap = at(0.5, 0.5);
// the list
await press("j");
results.second = here();
await press("n");
results.region = [document.getElementById("region").textContent, stage.dataset.scale];
await press("n");
results.next_region = document.getElementById("region").textContent;
await press("1");
await press("f");
const fitted = Number(stage.dataset.scale);
await press("+");
results.nearer = Number(stage.dataset.scale) > fitted;
touch("pointermove", 1 / 6, 0.5);
results.values = document.getElementById("values").textContent;
for (const kind of ["c", "w", "m", "s", "a"]) {
  await press(kind);
    results["shown_" + kind] = [...document.querySelectorAll("#list b")].map(row => row.textContent);
}
await press("w");
results.fresh = [here(), at(0.5, 0.5)];
await press("a");
const search = document.getElementById("search");
search.value = "SIZE";
search.dispatchEvent(new Event("input"));
await settled();
results.searched = [here(), document.getElementById("found").textContent, document.querySelectorAll("#list li").length];
await press("t");
const theme = document.documentElement.dataset.theme, paper = getComputedStyle(document.body).backgroundColor;
await press("t");
results.themes = [theme !== document.documentElement.dataset.theme, paper !== getComputedStyle(document.body).backgroundColor];
await press("?");
results.help = document.getElementById("help").open && document.querySelectorAll("#help kbd").length > 20;
