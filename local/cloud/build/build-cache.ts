import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** Enough for the branches in use and copies that share packages. */
const maxKept = 12;

/** Caches folders beside a service's packages, by input keys. Ignores failures: a start only takes longer. */
export class BuildCache {
  readonly #packages: string;
  readonly #root: string;

  constructor(serviceFolder: string, kind: "resolved" | "bundles") {
    this.#packages = join(serviceFolder, "node_modules");
    this.#root = join(this.#packages, ".cache", "local-stack", kind);
  }

  find(key: string): string | undefined {
    const folder = join(this.#root, key);
    if (!existsSync(folder)) return undefined;
    ignoreFailure(() => utimesSync(folder, new Date(), new Date()));
    return folder;
  }

  keep(key: string, fill: (folder: string) => void): void {
    if (!existsSync(this.#packages)) return;
    const unfinished = join(this.#root, `.${randomUUID()}`);
    ignoreFailure(() => {
      mkdirSync(unfinished, { recursive: true, mode: 0o700 });
      fill(unfinished);
      renameSync(unfinished, join(this.#root, key));
    });
    rmSync(unfinished, { recursive: true, force: true });
    ignoreFailure(() => {
      const kept = readdirSync(this.#root).map((name) => join(this.#root, name));
      const usedAtMs = new Map(kept.map((folder) => [folder, statSync(folder).mtimeMs]));
      const newestFirst = kept.toSorted(
        (one, other) => (usedAtMs.get(other) ?? 0) - (usedAtMs.get(one) ?? 0),
      );
      for (const folder of newestFirst.slice(maxKept)) rmSync(folder, { recursive: true, force: true });
    });
  }
}

function ignoreFailure(act: () => void) {
  try {
    act();
  } catch {}
}
