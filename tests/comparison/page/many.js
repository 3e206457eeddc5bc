// A visit to `report_of_five_hundred_pictures_is_lazy`.
const drawn = () => document.querySelectorAll("#list canvas[data-drawn]").length;
results.rows = document.querySelectorAll("#list li").length;
await until(() => drawn() >= 8);
await rest(300);
results.thumbnails = drawn();
document.querySelector("#list li:last-child button").click();
await until(() => document.querySelector("#list li:last-child canvas").dataset.drawn && stage.dataset.name === "499.png");
await settled();
results.last = [here(), at(1 / 6, 0.5), at(0.5, 0.5)];
results.later = drawn();
