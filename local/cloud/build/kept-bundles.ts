import { cpSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { BuildCache } from "./build-cache.ts";
import type { Bundle } from "./bundling.ts";
import { digestOfInputs } from "./resolution-key.ts";

const keptSchema = z.object({
  bundles: z.array(
    z.object({ entry: z.string(), files: z.record(z.string(), z.string()), inputs: z.array(z.string()) }),
  ),
  others: z.array(z.object({ file: z.string(), stamp: z.string() })),
});

/** Bundles of earlier starts from the same files and settings. */
export class KeptBundles {
  readonly #cache: BuildCache;
  readonly #key: string;
  readonly #serviceFolder: string;
  readonly #digests: ReadonlyMap<string, string>;

  /** @param resolution the key of the resolved service */
  constructor(serviceFolder: string, digests: ReadonlyMap<string, string>, resolution: string) {
    this.#cache = new BuildCache(serviceFolder, "bundles");
    this.#serviceFolder = serviceFolder;
    this.#digests = digests;
    // The maps name their sources relative to a temporary folder.
    this.#key = digestOfInputs([resolution, realpathSync(tmpdir()), tmpdir(), [...digests].toSorted()]);
  }

  /** @returns undefined if there are none, or a package has changed */
  restore(taskRoot: string): readonly Bundle[] | undefined {
    const folder = this.#cache.find(this.#key);
    if (folder === undefined) return undefined;
    try {
      const text = readFileSync(join(folder, "bundles.json"), "utf8");
      const { bundles, others } = keptSchema.parse(JSON.parse(text));
      if (!others.every(({ file, stamp }) => this.#stampOf(file) === stamp)) return undefined;
      cpSync(join(folder, "files"), taskRoot, { recursive: true });
      return bundles.map((bundle) => ({ ...bundle, isChanged: true }));
    } catch {
      return undefined;
    }
  }

  keep(bundles: readonly Bundle[], taskRoot: string): void {
    this.#cache.keep(this.#key, (folder) => {
      cpSync(taskRoot, join(folder, "files"), { recursive: true });
      const inputs = new Set(bundles.flatMap((bundle) => bundle.inputs));
      const others = [...inputs]
        .filter((file) => !this.#digests.has(file))
        .map((file) => ({ file, stamp: this.#stampOf(file) }));
      writeFileSync(join(folder, "bundles.json"), JSON.stringify({ bundles, others }));
    });
  }

  /**
   * The time of the last change of any kind cannot be set back. An input without a file was made by a plugin.
   */
  #stampOf(file: string): string {
    const stats = statSync(join(this.#serviceFolder, file), { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.ctimeNs}`;
  }
}
