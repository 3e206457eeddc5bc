// expect(locator or page).toMatchRoundel("name.png", { tolerance: 2 }): screenshots compared by `roundel golden match`.
//
// Goldens stand in `goldens/` beside the test's file. ROUNDEL_BLESS=name (or all) approves a screenshot; nothing is approved where CI
// is set. What a failure leaves is in target/golden, or where ROUNDEL_OUTPUT says; a page with a slider is attached to Playwright's own report.

import { expect } from "@playwright/test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PROGRAM = process.env.ROUNDEL || "roundel";

/** Flags of `roundel compare` for options such as { tolerance: 2, ignoreAntialiasing: true }. */
function flags(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    return value === false ? [] : [`${flag}=${value}`];
  });
}

expect.extend({
  async toMatchRoundel(target, file, options = {}) {
    const info = (await import("@playwright/test")).test.info();
    const name = file.replace(/\.png$/, "");
    const golden = join(dirname(info.file), "goldens", `${name}.png`);
    const [actual, report] = ["actual.png", "report.html"].map((ending) => info.outputPath(`${name}.${ending}`));
    mkdirSync(dirname(actual), { recursive: true });
    writeFileSync(actual, await target.screenshot({ animations: "disabled" }));
    const roundel = (...words) => spawnSync(PROGRAM, words, { encoding: "utf8", env: { ...process.env, ROUNDEL_RUN: String(process.ppid) } });
    const approve = "ROUNDEL_BLESS={} npx playwright test";
    const run = roundel("golden", "match", name, actual, "--folder", dirname(golden), "--package", "playwright", "--approve", approve, ...flags(options));
    if (run.error) throw run.error;
    if (run.status === 0) return { pass: true, message: () => `${name} matches` };
    if (run.status !== 1) throw new Error(run.stderr);
    // for Playwright's own report
    if (existsSync(golden)) roundel("compare", golden, actual, "--report", report, ...flags(options));
    for (const path of [actual, report].filter((path) => existsSync(path))) await info.attach(path.split("/").pop(), { path });
    return { pass: false, message: () => run.stdout.trim() };
  },
});

export { expect };
