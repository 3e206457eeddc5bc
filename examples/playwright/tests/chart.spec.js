import { test } from "@playwright/test";
import { expect } from "../roundel.js";

const chart = (heights) =>
  `<body style="margin: 0"><svg width="160" height="60" style="background: white">${heights
    .map((height, index) => `<rect x="${16 * index + 3}" y="${60 - height}" width="13" height="${height}" fill="#1f77b4"/>`)
    .join("")}</svg></body>`;

test("chart is drawn", async ({ page }) => {
  await page.setContent(chart([20, 35, 45, Number(process.env.HEIGHT || 50), 30, 12]));
  await expect(page.locator("svg")).toMatchRoundel("chart.png", { tolerance: 1 });
});
