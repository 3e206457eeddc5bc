// expect(locator or page).toMatchRoundel("name.png", { tolerance: 2 }): screenshots compared by `roundel compare`.
//
// Goldens stand in `goldens/` beside the test's file. ROUNDEL_BLESS=name (or all) approves a screenshot; nothing is approved where CI
// is set. What a failure leaves, the difference and a report with a slider among it, is attached to Playwright's own report.

import { expect } from "@playwright/test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, copyFileSync, writeFileSync } from "node:fs";
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

function isBlessed(name) {
  const names = (process.env.ROUNDEL_BLESS || "").split(",").map((text) => text.trim().replace(/\.png$/, ""));
  return !process.env.CI && (names.includes("all") || names.includes(name));
}

expect.extend({
  async toMatchRoundel(target, file, options = {}) {
    const info = (await import("@playwright/test")).test.info();
    const name = file.replace(/\.png$/, "");
    const golden = join(dirname(info.file), "goldens", `${name}.png`);
    const [actual, difference, report] = ["actual.png", "diff.png", "report.html"].map((ending) => info.outputPath(`${name}.${ending}`));
    mkdirSync(dirname(actual), { recursive: true });
    writeFileSync(actual, await target.screenshot({ animations: "disabled" }));
    let message = `there is no golden yet: ${golden}`;
    if (existsSync(golden)) {
      const run = spawnSync(PROGRAM, ["compare", golden, actual, "--diff", difference, "--report", report, ...flags(options)], { encoding: "utf8" });
      if (run.error) throw run.error;
      if (run.status === 0) return { pass: true, message: () => `${name} matches` };
      if (run.status !== 1) throw new Error(run.stderr);
      message = run.stdout.trim().replace(`${actual}: `, "");
    }
    if (isBlessed(name)) {
      mkdirSync(dirname(golden), { recursive: true });
      copyFileSync(actual, golden);
      return { pass: true, message: () => `${name} is blessed` };
    }
    for (const path of [actual, difference, report].filter((path) => existsSync(path))) await info.attach(path.split("/").pop(), { path });
    return { pass: false, message: () => `${name}: ${message}\n  actual: ${actual}\n  report: ${report}\nif it is right: ROUNDEL_BLESS=${name} npx playwright test` };
  },
});

export { expect };
