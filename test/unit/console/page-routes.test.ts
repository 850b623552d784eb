import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, it, onTestFinished } from "vitest";
import { addPage, bundleFiles } from "../../../local/console/page-routes.ts";
import { killEsbuild } from "../../helpers/kill-esbuild.ts";

/** Serves a page with this source as main.tsx, and collects what is reported. */
function servePage(source: string) {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  const write = (text: string) => writeFileSync(join(folder, "main.tsx"), text);
  const files = bundleFiles(folder);
  onTestFinished(async () => {
    await files.close();
    rmSync(folder, { recursive: true });
  });
  write(source);
  const reported: string[] = [];
  const app = new Hono();
  addPage(app, { files, report: (text) => reported.push(text) });
  return { app, reported, write };
}

it("serves esbuild's current bundle of the page", async () => {
  const { app, write } = servePage("console.log('first');");
  await app.request("/");
  write("console.log('second');");

  const page = await app.request("/");
  const script = await app.request("/main.js");

  expect([page.status, await script.text()]).toEqual([200, 'console.log("second");\n']);
});

it("reports a build error with file, line and column, in the terminal and on the page", async () => {
  const { app, reported } = servePage("export const fine = 1;\nexport const broken = ;\n");

  const page = await app.request("/");

  const problem = expect.stringMatching(/main\.tsx:2:23: Unexpected ";"/);
  expect([page.status, await page.text(), reported]).toEqual([500, problem, [problem]]);
});

it("serves the page again after the mistake is corrected", async () => {
  const { app, reported, write } = servePage("import { x } from './nowhere.ts'; x();");
  await app.request("/");
  write("console.log('mended');");

  const page = await app.request("/");

  expect([page.status, reported]).toEqual([200, [expect.stringContaining("./nowhere.ts")]]);
});

it("serves the page again after esbuild's process has ended", async () => {
  const { app, reported } = servePage("console.log('same');");
  await app.request("/");
  killEsbuild();

  const page = await app.request("/");

  expect([page.status, reported]).toEqual([200, []]);
});

it("reports every failure in the terminal", async () => {
  const reported: string[] = [];
  const app = new Hono();
  const build = () => Promise.reject(new Error("No memory."));
  const files = { build, read: async () => undefined, close: async () => {} };
  addPage(app, { files, report: (text) => reported.push(text) });
  app.onError((_, context) => context.text("", 500));

  expect([(await app.request("/")).status, reported]).toEqual([500, ["No memory."]]);
});
