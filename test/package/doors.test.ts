import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import { entryPoints } from "../../tools/package/entry-points.ts";
import { installPackage, packPackage } from "../helpers/packed-package.ts";

const root = join(import.meta.dirname, "../..");

const messagesOnly =
  'import { composeChatClient, messages } from "./package/chat.js"; export const chat = composeChatClient({ appId: "a", apiKey: "k" }, { messages });';

let folder: string;

beforeAll(async () => {
  ({ dist: folder } = await packPackage());
}, 900_000);

const leaveForLater: Plugin = {
  name: "leave-for-later",
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/** Bundles a module with its dependencies, minified. Returns the compressed size in bytes. */
async function gzipBytesOf(text: string, plugins: Plugin[] = []) {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: folder },
    absWorkingDir: folder,
    // A temporary folder has no packages of its own.
    nodePaths: [join(root, "node_modules")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    mainFields: ["module", "main"],
    external: ["@aws/*", "@aws-sdk/*"],
    plugins,
  });
  return gzipSync(outputFiles[0]?.contents ?? "").length;
}

/** Bundles a module that imports an entry point. Returns which of the package's modules are in the bundle. */
async function modulesOf(text: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: text, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    write: false,
    metafile: true,
  });
  const inputs = Object.values(metafile.outputs)[0]?.inputs ?? {};
  return Object.keys(inputs).filter((file) => (inputs[file]?.bytesInOutput ?? 0) > 0);
}

describe("the entry points of the packed file", { timeout: 900_000 }, () => {
  it("pass publint", async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true, pack: false });

    const told = messages.map(({ code, args }) => [code, args]);

    // A new app's first tests are not tests of this package.
    const first = ["missed-call", "tell-user"].map((name) => `/package/template/test/${name}.test.ts`);
    const suggested = { internalFilePaths: first };
    expect(told).toEqual([["USE_FILES", suggested]]);
  });

  it.each([
    ["chat", 50.5],
    ["events", 23],
    ["webhook", 42],
    ["triggers", 83],
    ["flows", 10.1],
    ["functions", 67],
    ["platform", 159],
    ["testing", 12],
  ])("load /%s in at most %s kB, compressed", async (door, most) => {
    const bytes = await gzipBytesOf(`export * from "./package/${door}.js";`, [leaveForLater]);

    expect(bytes).toBeLessThan(most * 1_000);
  });

  it("load at most 528 kB, compressed, if everything is imported", async () => {
    const all = entryPoints.map((door, index) => `export * as door${index} from "./package/${door}.js";`);

    expect(await gzipBytesOf(all.join("\n"))).toBeLessThan(528_000);
  });

  it.each([
    ["a client for messages only", 26.8, messagesOnly],
    [
      "a trigger",
      11,
      'import { onTrigger } from "./package/triggers.js"; export const act = onTrigger("message_sent", async () => {});',
    ],
    [
      "a trigger with a pattern",
      58.5,
      'import { onTrigger, textPattern } from "./package/triggers.js"; export const act = onTrigger("message_sent", { where: { text: textPattern("refund") } }, async () => {});',
    ],
  ])("give %s in at most %s kB, compressed", async (_use, most, text) => {
    expect(await gzipBytesOf(text)).toBeLessThan(most * 1_000);
  });

  it("load only the packages that docs/webhook.md names", async () => {
    const project = await installPackage();
    const load = async (door: string) => {
      const source = `
        import { registerHooks } from "node:module";
        const packages = new Set();
        registerHooks({ load(url, context, next) {
          const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? [];
          if (name !== undefined) packages.add(name);
          return next(url, context);
        } });
        await import("cometchat-functions/${door}");
        packages.delete("cometchat-functions");
        console.log([...packages].sort().join());
      `;
      const args = ["--input-type=module", "-e", source];
      return (await promisify(execFile)(process.execPath, args, { cwd: project })).stdout.trim();
    };

    const loaded = await Promise.all(entryPoints.map(async (door) => [door, await load(door)]));

    expect(Object.fromEntries(loaded)).toEqual({
      chat: "zod",
      events: "zod",
      webhook: "zod",
      triggers: "re2js,zod",
      flows: "zod",
      functions: "jose,zod",
      platform: "@hono/node-server,hono,zod",
      testing: "",
    });
  });

  it("keep in a bundle the check of Node's version", async () => {
    const modules = await modulesOf('export { defineFlow } from "./package/flows.js";');

    expect(modules).toContain("lib/base/needs-node.js");
  });
});
