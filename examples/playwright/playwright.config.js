import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  reporter: [["list"]],
  // a browser of the system, where Playwright's own is not installed
  use: { launchOptions: { executablePath: process.env.CHROMIUM || undefined, args: ["--no-sandbox"] } },
});
