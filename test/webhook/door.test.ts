import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { loadConfigFile } from "../../build/load-config-file.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Bundles a source, minified, in parts that are loaded on demand, and returns the files of its first part.
 */
async function bundle(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: "ts", sourcefile: "entry.ts" },
    bundle: true,
    minify: true,
    splitting: true,
    outdir: "out",
    format: "esm",
    platform: "node",
    target: "node20.19",
    mainFields: ["module", "main"],
    metafile: true,
    write: false,
    plugins: [
      {
        name: "config-files",
        setup: (setup) =>
          setup.onLoad({ filter: /[/\\]config[/\\][^/\\]+\.yml$/ }, async ({ path }) => ({
            contents: await loadConfigFile(path, "local"),
            loader: "js",
          })),
      },
    ],
  });
  const [, entry] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint) ?? [];
  const inputs = entry?.inputs ?? {};
  return {
    bytes: outputFiles.find(({ path }) => path.endsWith("stdin.js"))?.contents.length ?? 0,
    files: Object.keys(inputs).filter((file) => (inputs[file]?.bytesInOutput ?? 0) > 0),
  };
}

const ofEvents = (files: readonly string[]) => files.filter((file) => /parse-event|-events\.ts/.test(file));
const ofAws = (files: readonly string[]) => files.filter((file) => /lib\/aws|@aws|@smithy/.test(file));
const ofSqlite = (files: readonly string[]) => files.filter((file) => file.includes("sqlite"));

describe("package/webhook.ts", () => {
  it("loads nothing of AWS, whatever its imports", async () => {
    const { files } = await bundle('export * from "./package/webhook.ts";');

    expect([ofAws(files), ofSqlite(files).length > 0]).toEqual([[], true]);
  });

  it("can provide a receiver without stores", async () => {
    const { files } = await bundle('export { createWebhookReceiver } from "./package/webhook.ts";');

    expect([ofAws(files), ofSqlite(files), ofEvents(files).length > 0]).toEqual([[], [], true]);
  });
});

describe("the deployed receiver", () => {
  it("contains no readers of events, stores or handlers of other hosts", async () => {
    const { files, bytes } = await bundle('export { handler } from "./functions/webhook.ts";');

    expect(files).toContain("lib/receive/receive-webhook.ts");
    expect(files.filter((file) => /webhook\/(stores|hosts|create-webhook)/.test(file))).toEqual([]);
    expect(ofEvents(files)).toEqual([]);
    expect(bytes).toBeLessThan(36_600);
  });
});
