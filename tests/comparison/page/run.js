// A visit to `report_of_a_test_run_shows_pictures_from_its_scripts`.
results.rows = [...document.querySelectorAll("#list b")].map(row => row.textContent);
results.summaries = [...document.querySelectorAll("#list small")].map(row => row.textContent);
await until(() => document.querySelectorAll("#list canvas[data-drawn]").length === results.rows.length);
results.thumbnails = document.querySelectorAll("#list canvas[data-drawn]").length;
await press("g");
results.side = [at(1 / 6, 0.5), at(0.5, 0.5), at(5 / 6, 0.5)];
results.approve = document.getElementById("approve").textContent;
await press("j");
await press("j");
results.fresh = at(0.5, 0.5);
