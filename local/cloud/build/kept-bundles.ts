import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../../lib/base/json.ts";
import { openBuildCache } from "./build-cache.ts";
import type { Bundle } from "./bundling.ts";
import { digestOfInputs } from "./resolution-key.ts";

export interface BundlesOptions {
  /** The folder of serverless.yml. */
  readonly serviceFolder: string;
  /** The digest of every source by its path from there. */
  readonly digests: ReadonlyMap<string, string>;
  /** Names how the service is resolved, and so how it is bundled. */
  readonly resolution: string;
}

/** Bundles of earlier starts from the same files. */
export interface KeptBundles {
  /** Copies them into a task's root; undefined when there are none, or not whole. */
  restore(taskRoot: string): readonly Bundle[] | undefined;
  keep(bundles: readonly Bundle[], taskRoot: string): void;
}

const keptSchema = z.object({
  bundles: z.array(
    z.object({ entry: z.string(), files: z.record(z.string(), z.string()), inputs: z.array(z.string()) }),
  ),
  /** What was bundled beside the sources: packages. */
  others: z.array(z.object({ file: z.string(), stamp: z.string(), digest: z.string() })),
});

/** Opens what is kept of bundles that were made of the very same files, by the same settings. */
export function openKeptBundles({ serviceFolder, digests, resolution }: BundlesOptions): KeptBundles {
  const cache = openBuildCache(serviceFolder, "bundles");
  // The maps name their sources by the way from a folder for temporary files.
  const key = digestOfInputs([resolution, realpathSync(tmpdir()), tmpdir(), [...digests].toSorted()]);
  return {
    restore(taskRoot) {
      const folder = cache.find(key);
      const text = folder === undefined ? undefined : readOrNothing(join(folder, "bundles.json"));
      if (folder === undefined || text === undefined) return undefined;
      const kept = keptSchema.safeParse(parseJson(text.toString()));
      if (!kept.success || !kept.data.others.every((other) => isSame(serviceFolder, other))) return undefined;
      for (const { files } of kept.data.bundles) {
        for (const [place, digest] of Object.entries(files)) {
          const content = readOrNothing(join(folder, place));
          if (content === undefined || sha256(content) !== digest) return undefined;
          mkdirSync(dirname(join(taskRoot, place)), { recursive: true });
          writeFileSync(join(taskRoot, place), content);
        }
      }
      return kept.data.bundles.map((bundle) => ({ ...bundle, isChanged: true }));
    },
    keep(bundles, taskRoot) {
      cache.keep(key, (folder) => {
        for (const place of bundles.flatMap(({ files }) => Object.keys(files))) {
          mkdirSync(dirname(join(folder, place)), { recursive: true });
          writeFileSync(join(folder, place), readFileSync(join(taskRoot, place)));
        }
        const inputs = new Set(bundles.flatMap((bundle) => bundle.inputs));
        const others = [...inputs].flatMap((file) => {
          const content = digests.has(file) ? undefined : readOrNothing(join(serviceFolder, file));
          // What has no file was made by a plugin, which is a source.
          return content === undefined
            ? []
            : [{ file, stamp: stampOf(serviceFolder, file), digest: sha256(content) }];
        });
        writeFileSync(join(folder, "bundles.json"), JSON.stringify({ bundles, others }));
      });
    },
  };
}

function isSame(
  serviceFolder: string,
  { file, stamp, digest }: { file: string; stamp: string; digest: string },
): boolean {
  if (stampOf(serviceFolder, file) === stamp) return true;
  const content = readOrNothing(join(serviceFolder, file));
  return content !== undefined && sha256(content) === digest;
}

/** The time of the last change of any kind cannot be set back. */
function stampOf(serviceFolder: string, file: string): string {
  const stats = statSync(join(serviceFolder, file), { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.ctimeNs}`;
}

function readOrNothing(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function sha256(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
