import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Bundler } from "../../../local/cloud/build/bundler.ts";
import { killEsbuild } from "../../helpers/kill-esbuild.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

function startBundler(plugin?: string) {
  const serviceFolder = temporaryFolder();
  mkdirSync(join(serviceFolder, "functions"));
  writeFileSync(join(serviceFolder, "functions/a.ts"), "export const handler = async () => 1;\n");
  if (plugin !== undefined) writeFileSync(join(serviceFolder, "plugin.mjs"), plugin);
  const taskRoot = join(serviceFolder, "out");
  const options = { bundle: true, format: "esm", outExtension: { ".js": ".mjs" } };
  const bundling = {
    entries: { a: "functions/a.ts" },
    options,
    ...(plugin !== undefined && { plugins: "plugin.mjs" }),
  };
  const bundler = new Bundler({ serviceFolder, taskRoot, provider: { stage: "local" }, bundling });
  onTestFinished(() => bundler.close());
  return async (isRepeated: boolean) => {
    const order = { entries: ["functions/a.ts"], folder: taskRoot, known: {}, isRepeated };
    const { bundles, failed } = await bundler.bundle(order);
    return { bundled: bundles.map(({ entry }) => entry), failed };
  };
}

const whole = { bundled: ["functions/a.ts"], failed: [] };

it.each([true, false])(
  "bundles again after esbuild's process has ended (repeated: %s)",
  async (isRepeated) => {
    const bundle = startBundler();
    await bundle(isRepeated);
    killEsbuild();

    expect(await Promise.all([bundle(isRepeated), bundle(isRepeated)])).toEqual([whole, whole]);
  },
);

const crash = (count: number) => `
import { existsSync, writeFileSync } from "node:fs";
const flags = Array.from({ length: ${count} }, (_, index) => new URL("crashed-" + index, import.meta.url));
const flag = flags.find((one) => !existsSync(one));
export default flag === undefined ? [] : [{ name: "crash", setup() {
  writeFileSync(flag, "");
  setImmediate(() => { throw new Error("The plugin crashed."); });
  return new Promise(() => {});
} }];`;

it("bundles again after its worker has ended by itself", async () => {
  expect(await startBundler(crash(1))(false)).toEqual(whole);
});

it("rejects if its worker ends twice, and bundles at the next call", async () => {
  const bundle = startBundler(crash(2));

  await expect(bundle(false)).rejects.toThrow("crashed");
  expect(await bundle(false)).toEqual(whole);
});
