import { execFile } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkFunctionNames } from "../../build/check-function-names.ts";
import { readConfigText } from "../../build/config-text.ts";
import { settingsOf } from "../../build/load-config-file.ts";
import { appsSchema } from "../../build/served-apps.ts";
import { examplesModule } from "../contract/documented-examples.ts";
import { isNight } from "../helpers/by-day.ts";
import { checkConfig } from "../helpers/check-config.ts";
import { installPackageInto } from "../helpers/packed-package.ts";
import { runVitest } from "../helpers/run-vitest.ts";
import { writeFiles } from "../helpers/write-files.ts";
import { codeBlocksOf } from "./code-blocks.ts";
import { readCommandPages } from "./command-pages.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);
/** What the pages' apps have besides the package. */
const besides = [
  "@aws/durable-execution-sdk-js",
  "@hono/node-server",
  "@nestjs/common",
  "@nestjs/core",
  "@nestjs/platform-express",
  "@opentelemetry/api",
  "@types/aws-lambda",
  "@types/express",
  "@types/node",
  "express",
  "fastify",
  "hono",
  "reflect-metadata",
  "vitest",
];

const files = readCommandPages().flatMap(({ file: page, text: content }) =>
  codeBlocksOf(content)
    .filter(({ isFragment }) => !isFragment)
    .map(({ kind, file, text, line }) => ({
      kind,
      place: `${page}:${line}`,
      // Each page is a separate app: several have their functions/own/triggers.ts.
      app: join("pages", page.replace(/\.md$/, "")),
      name: file ?? `line-${line}.${kind}`,
      text,
    })),
);
const code = files.filter(({ kind }) => kind === "ts" || kind === "js");
const tests = code.map((file) => ({ path: join(file.app, file.name), text: file.text }));
const testsWith = (runner: string) =>
  tests.filter(({ text }) => text.includes(`from "${runner}"`)).map(({ path }) => path);
const testsOfTemplate = globSync("test/*.test.ts", { cwd: join(root, "package/template") }).map((file) =>
  join("pages/template", file),
);

describe("the files on the pages and those of a new app, with the packed package", () => {
  let app: string;

  beforeAll(async () => {
    app = realpathSync(mkdtempSync(join(tmpdir(), "pages-")));
    await installPackageInto(app, { besides });
    // By day without the four longest crash tests; refund-ticket.md has a shorter one.
    const long = [
      "calls the chief once",
      "thanks and asks once",
      "forwards to the named",
      "deletes the third",
    ];
    const byDay = isNight ? "" : `testNamePattern: /^(?!${long.join("|")})/, `;
    const write = (path: string, text: string) => writeFiles(app, { [path]: text });
    const given = ["config/apps.yml", "config/stages.yml"].map((name) => [name, template(name)] as const);
    for (const file of files) for (const [name, text] of given) write(join(file.app, name), text);
    for (const file of files) write(join(file.app, file.name), file.text);
    for (const folder of ["config", "functions", "test"])
      cpSync(join(root, "package/template", folder), join(app, "pages/template", folder), {
        recursive: true,
      });
    write("package.json", JSON.stringify({ type: "module", private: true }));
    // The package looks for these in the tests' folder, which all pages share.
    write("serverless.yml", "");
    for (const { name, text } of files.filter(({ name }) => name === "config/requests.yml"))
      write(name, text);
    write("functions/own/config-schemas.ts", ownSchemas());
    write("pages/examples.ts", examplesModule());
    write(
      "vitest.config.ts",
      `import { configFiles } from "cometchat-functions/testing";
export default { plugins: [configFiles()], test: { ${byDay}include: ["pages/**/*.test.ts"], isolate: false, fileParallelism: false } };`,
    );
    const { compilerOptions } = JSON.parse(template("tsconfig.json"));
    write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["config", "functions", "pages"] }));
    write("config/modules.d.ts", template("config/modules.d.ts"));
  });
  afterAll(() => rmSync(app, { recursive: true, force: true }));

  it("compile", async () => {
    const outcome = await run(join(root, "node_modules/.bin/tsc"), ["-p", app]).catch(
      (error: { stdout: string }) => error,
    );

    expect(code.length).toBeGreaterThan(50);
    expect(outcome.stdout).toBe("");
  });

  it("pass their tests in Vitest", async () => {
    const named = [...testsWith("vitest"), ...testsOfTemplate];
    const outcome = await runVitest(app, named);

    expect(testsOfTemplate).toHaveLength(2);
    expect(outcome).toMatchObject({ files: named.length, failed: [] });
  });

  it("pass their tests in Node's runner", async () => {
    const options = ["--test", "--test-isolation=none", "--test-reporter=tap"];
    const { stdout } = await run(process.execPath, [...options, ...testsWith("node:test")], {
      cwd: app,
      env: { ...process.env, VITEST: undefined, NODE_TEST_CONTEXT: undefined },
    }).catch((error: { stdout: string }) => error);

    expect(stdout).toMatch(/^# pass [1-9]/m);
    expect(stdout, stdout).toMatch(/^# fail 0$/m);
  });

  it.each(files.filter(({ kind }) => kind === "yaml"))("conform to their schemas: $place", async (file) => {
    expect(await readYaml(file)).toEqual(expect.anything());
  });

  it("are valid JSON if declared as JSON", () => {
    const texts = files.filter(({ kind }) => kind === "json");

    for (const { place, text } of texts) expect(() => JSON.parse(text), place).not.toThrow();
  });

  /** Reads a YAML file as a build does. @throws Error if it does not fit */
  async function readYaml({ app: folder, name, text }: (typeof files)[number]): Promise<unknown> {
    if (name === "functions/own/functions.yml") {
      const service = readFileSync(join(root, "serverless.yml"), "utf8");
      const mistakes = checkFunctionNames(text, service, (handler) =>
        findHandler(join(app, folder, handler)),
      );
      if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
      return parse(text);
    }
    if (name === "config/apps.yml") return appsSchema.parse(parse(text));
    const [, appId, ofApp] = /^config\/apps\/([^/]+)\/(.+)$/.exec(name) ?? [];
    if (appId !== undefined && ofApp !== undefined) {
      const base = readConfigText(ofApp, readFileSync(join(root, "config", ofApp), "utf8"));
      return settingsOf(ofApp, {
        base,
        stage: undefined,
        apps: new Map([[appId, readConfigText(name, text)]]),
      });
    }
    const known = name.replace(/^config\//, "");
    const { ownConfigSchemas } = await import(join(app, "functions/own/config-schemas.ts"));
    return ownConfigSchemas[known]?.parse(parse(text)) ?? checkConfig(known, text);
  }
});

function findHandler(handler: string): string | undefined {
  return existsSync(handler.replace(/\.\w+$/, ".ts")) ? undefined : "is not on this page";
}

/** Joins the schemas of all pages, as the package reads those of one app. */
function ownSchemas() {
  const pages = code.filter(({ name }) => name === "functions/own/config-schemas.ts");
  const imports = pages.map(
    ({ app, name }, index) => `import { ownConfigSchemas as page${index} } from "../../${app}/${name}";`,
  );
  return `${imports.join("\n")}\nexport const ownConfigSchemas = { ${pages.map((_, index) => `...page${index}`).join(", ")} };\n`;
}

function template(file: string) {
  return readFileSync(join(root, "package/template", file), "utf8");
}
