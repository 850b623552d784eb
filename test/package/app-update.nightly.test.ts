import { globSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { linkPackage, type MadeApp, makeApp, startApp } from "../helpers/made-app.ts";
import { nextVersion, packNext } from "../helpers/next-version.ts";
import { startPackageRegistry } from "../helpers/package-registry.ts";
import { packPackage } from "../helpers/packed-package.ts";
import { ownParts } from "./own-parts.ts";

/** The first published version, once there is one; the packed file until then. */
const [release] = globSync("releases/*.tgz", { cwd: import.meta.dirname }).toSorted();

it("an app of the first version with custom parts works after npm update, with all new features", {
  timeout: 900_000,
}, async () => {
  const { file: now } = await packPackage();
  const first = release === undefined ? now : join(import.meta.dirname, release);
  const next = await packNext(now);
  const app = await makeApp(first, next);
  onTestFinished(app.remove);
  for (const [file, text] of Object.entries(ownParts)) write(app, file, text);
  const registry = await startPackageRegistry([first, next]);

  const options = [
    "--registry",
    registry,
    "--cache",
    join(app.folder, "..", "cache"),
    "--no-audit",
    "--no-fund",
    "--ignore-scripts", // of packages in this repository
  ];
  const updated = await app.run("npm", "update", "cometchat-functions", ...options);
  expect(updated.code, updated.output).toBe(0);
  expect(JSON.parse(read(app, "node_modules/cometchat-functions/package.json")).version).toBe(nextVersion);

  const { output: asked } = await app.run("cometchat-functions", "config");
  const [, packages = ""] = /Type: npm install --save-dev (.+)/.exec(asked) ?? [];
  for (const one of packages.split(" ").filter(Boolean)) {
    const [, name = "", range = ""] = /^"?(.+)@([^"]+)"?$/.exec(one) ?? [];
    linkPackage(name, range, join(app.folder, "node_modules"));
  }
  const checked = await app.run("cometchat-functions", "config");
  expect(checked, checked.output).toMatchObject({ code: 0 });
  const compiled = await app.run("tsc");
  expect(compiled).toEqual({ code: 0, output: "" });
  const tested = await app.run("vitest", "run", "--testTimeout=180000");
  expect(tested, tested.output).toMatchObject({ code: 0, output: expect.stringMatching(/Tests\s+6 passed/) });

  const packaged = await app.run("cometchat-functions", "package");
  expect(packaged, packaged.output).toMatchObject({ code: 0 });
  const { Resources } = JSON.parse(read(app, ".serverless/cloudformation-template-update-stack.json"));
  expect(Object.keys(Resources)).toEqual(
    expect.arrayContaining([
      ...["NewQueue", "NewFunctionLambdaFunction", "NewFunctionRole"], // the package's
      ...["NotifyLambdaFunction", "NightlyReportLambdaFunction", "NotifyRole"], // the app's
    ]),
  );

  const told = await startApp(app).until("the reply appears");
  expect(told).toContain("sent on behalf of support");
});

it("an update reports each remaining manual step in a line", { timeout: 900_000 }, async () => {
  const app = await makeApp();
  onTestFinished(app.remove);
  const service = read(app, "serverless.yml");
  const manifest = JSON.parse(read(app, "package.json"));
  const ownProvider = "provider:\n  name: aws\n  runtime: nodejs24.x\n";
  write(app, "serverless.yml", service.replace(/^provider: .*$/m, ownProvider));
  write(app, "package.json", JSON.stringify({ ...manifest, cometchatFunctions: { madeWith: "0.98.0" } }));
  const esbuild = join(app.folder, "node_modules/esbuild");
  const { version, ...rest } = JSON.parse(read(app, "node_modules/esbuild/package.json"));
  const installed = realpathSync(esbuild);
  rmSync(esbuild); // a link
  write(app, "node_modules/esbuild/package.json", JSON.stringify({ ...rest, version: "0.1.0" }));
  symlinkSync(join(installed, "lib"), join(esbuild, "lib"));

  const { code, output } = await app.run("cometchat-functions", "config");

  expect(code).toBe(1);
  expect(output).toContain('Type: npm install "cometchat-functions@>=0.98.0"');
  expect(output).toContain(`npm install --save-dev esbuild@^${version.split(".", 2).join(".")}`);
  expect(output).toContain("serverless.yml: provider lacks architecture, ");
  expect(output).toMatch(/`provider: \$\{file\(node_modules\/cometchat-functions\/app\/provider.yml\)\}`/);
});

function read({ folder }: MadeApp, file: string) {
  return readFileSync(join(folder, file), "utf8");
}

function write({ folder }: MadeApp, file: string, text: string) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
