import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** Keeps folders by what they were made of. */
export interface BuildCache {
  /** Gives the folder that was kept under a key. It may be gone at any time: another world tidies up, too. */
  find(key: string): string | undefined;
  /** Keeps what `fill` writes into a folder, whole or not at all. What comes in its way is let be. */
  keep(key: string, fill: (folder: string) => void): void;
}

/** Every branch that one goes back to, and a few copies of a project that share its packages. */
const mostKept = 12;

/** Opens the cache of one kind of thing beside a service's packages, for its owner alone; keeps nothing without packages. */
export function openBuildCache(serviceFolder: string, kind: string): BuildCache {
  const packages = join(serviceFolder, "node_modules");
  const root = join(packages, ".cache", "local-world", kind);
  return {
    find(key) {
      const folder = join(root, key);
      if (!existsSync(folder)) return undefined;
      letBe(() => utimesSync(folder, new Date(), new Date())); // what is used stays
      return folder;
    },
    keep(key, fill) {
      if (!existsSync(packages)) return;
      const unfinished = join(root, `.${randomUUID()}`);
      letBe(() => {
        mkdirSync(unfinished, { recursive: true, mode: 0o700 });
        fill(unfinished);
        renameSync(unfinished, join(root, key));
      });
      rmSync(unfinished, { recursive: true, force: true });
      letBe(() => tidyUp(root));
    },
  };
}

function tidyUp(root: string): void {
  const kept = readdirSync(root).map((name) => ({ name, usedAtMs: statSync(join(root, name)).mtimeMs }));
  const oldest = kept.toSorted((one, other) => other.usedAtMs - one.usedAtMs).slice(mostKept);
  for (const { name } of oldest) rmSync(join(root, name), { recursive: true, force: true });
}

/** A cache that cannot be written costs time and nothing else. */
function letBe(act: () => void): void {
  try {
    act();
  } catch {
    // The folder may be read-only, full, or tidied up by another world.
  }
}
