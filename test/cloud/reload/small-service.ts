import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFiles } from "../../helpers/write-files.ts";

const root = join(import.meta.dirname, "../../..");

const serverlessFile = `service: small
frameworkVersion: "4"
plugins:
  - ./bundle-functions.cjs
  - ./local-cloud.cjs
provider:
  name: aws
  runtime: nodejs24.x
  environment:
    GREETING: \${env:SMALL_GREETING, 'hello'}
functions:
  word:
    handler: functions/word.handler
    events:
      - httpApi: GET /word
  other:
    handler: functions/other.handler
custom:
  esbuild:
    bundle: true
    minify: true
    sourcemap: external
    sourcesContent: false
    platform: node
    target: node24
    format: esm
    outExtension: { .js: .mjs }
`;

const files: Readonly<Record<string, string>> = {
  "serverless.yml": serverlessFile,
  "package.json": '{ "type": "module" }',
  "tsconfig.json": "{}",
  "bundle-functions.cjs": `module.exports = require(${JSON.stringify(join(root, "build/bundle-functions.ts"))}).default;\n`,
  "local-cloud.cjs": `const { existsSync, writeFileSync } = require("node:fs");
// Serverless waits for as long as a file beside the folder exists.
if (existsSync(__dirname + ".hold")) writeFileSync(__dirname + ".held", "");
while (existsSync(__dirname + ".hold")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
module.exports = require(${JSON.stringify(join(root, "local/cloud/serverless-plugin.mjs"))}).default;
`,
  "functions/word.ts": `import { word } from "../lib/deep/word.ts";
export async function handler(event: { waitMs?: number }) {
  await new Promise((resolve) => setTimeout(resolve, event?.waitMs ?? 0));
  return { word, greeting: process.env.GREETING };
}
`,
  "functions/other.ts": "export const handler = async () => process.pid;\n",
  "lib/deep/word.ts": 'export const word = "first";\n',
};

/** A small service in its own folder: `word` returns the text of lib/deep/word.ts, `other` its process id. */
export function makeSmallService() {
  const folder = mkdtempSync(join(tmpdir(), "small-service-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const at = (path: string) => join(folder, path);
  const held = `${folder}.hold`;
  const write = (path: string, text: string) => writeFiles(folder, { [path]: text });
  writeFiles(folder, files);
  return {
    folder,
    at,
    write,
    /** Sets what `word` returns. */
    say: (text: string) => write("lib/deep/word.ts", `export const word = ${JSON.stringify(text)};\n`),
    restore: (path: string) => write(path, files[path] ?? ""),
    /** Keeps serverless from ending until `letGo`. */
    hold: () => writeFileSync(held, ""),
    isHeld: () => existsSync(`${folder}.held`),
    letGo: () => rmSync(held, { force: true }),
    remove: () => {
      for (const file of [held, `${folder}.held`]) rmSync(file, { force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
