import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { filesOfInstallers, packagePlaceOf } from "../../../build/folders.ts";

/** Which files of a service its functions are made of. */
export interface Sources {
  /** The folder of serverless.yml. */
  readonly folder: string;
  /** Folders whose files all count, with what is in folders of theirs. */
  readonly folders: readonly string[];
  /** Single files. */
  readonly files: readonly string[];
}

/** Knows what the files of a service hold. */
export interface SourceSnapshot {
  /** Digests by path from the service's folder, as of the last look. */
  readonly digests: ReadonlyMap<string, string>;
  /** Every folder that was looked into, from the service's folder, with the number that the file system knows it by. */
  readonly folders: ReadonlyMap<string, string>;
  /** Looks again; gives the files whose content changed, that are new, or gone, in the order of their names. */
  look(): string[];
}

interface Seen {
  readonly stamp: string;
  readonly digest: string;
  /** Written so shortly before it was read that a later change may have left no trace. */
  readonly isRecent: boolean;
}

/** Of the time that a file system keeps for a file; several changes within it look like one. */
const stampGranularityMs = 50;

/** Folders that hold no source, wherever they are. */
const passedOver = new Set(["node_modules", ".git"]);

/** Names what a service's functions are made of: the project's folders, and files beside serverless.yml. */
export function sourcesOf(serviceFolder: string): Sources {
  const beside = readdirSync(serviceFolder).filter((name) => /\.([cm]?[jt]s|ya?ml|json)$/.test(name));
  return {
    folder: serviceFolder,
    folders: ["config", "functions", "infrastructure", "build", "lib"],
    files: [...beside, ...filesOfInstallers(serviceFolder), ...packageFilesOf(serviceFolder)],
  };
}

/** What an app's serverless.yml is made of, and stands in the package. */
function packageFilesOf(serviceFolder: string): readonly string[] {
  const place = packagePlaceOf(serviceFolder);
  if (place === "") return [];
  const declared = ["app", "infrastructure"].flatMap((folder) =>
    (read(() => readdirSync(join(serviceFolder, place, folder))) ?? []).map(
      (name) => `${place}${folder}/${name}`,
    ),
  );
  return [`${place}package.json`, ...declared.filter((file) => file.endsWith(".yml"))];
}

/** Looks at all of a service's sources for the first time. */
export function createSourceSnapshot({ folder, folders, files }: Sources): SourceSnapshot {
  let seen: ReadonlyMap<string, Seen> = new Map();
  let seenFolders: ReadonlyMap<string, string> = new Map();
  let digests: ReadonlyMap<string, string> = new Map();
  const look = () => {
    const now = new Map<string, Seen>();
    const nowFolders = new Map<string, string>();
    for (const file of files) add(now, folder, file, seen.get(file));
    for (const one of folders) walk(one);
    function walk(path: string) {
      const number = read(() => statSync(join(folder, path), { bigint: true }).ino);
      if (number === undefined) return;
      nowFolders.set(path, String(number));
      for (const entry of read(() => readdirSync(join(folder, path), { withFileTypes: true })) ?? []) {
        const inner = `${path}/${entry.name}`;
        if (!entry.isDirectory()) add(now, folder, inner, seen.get(inner));
        else if (!passedOver.has(entry.name)) walk(inner);
      }
    }
    const paths = new Set([...seen.keys(), ...now.keys()]);
    const changed = [...paths].filter((path) => seen.get(path)?.digest !== now.get(path)?.digest);
    seen = now;
    seenFolders = nowFolders;
    digests = new Map([...now].map(([path, { digest }]) => [path, digest]));
    return changed.toSorted();
  };
  look();
  return {
    get digests() {
      return digests;
    },
    get folders() {
      return seenFolders;
    },
    look,
  };
}

/** Adds a file as it is now. One that is not there, or no file, is left out. */
function add(now: Map<string, Seen>, folder: string, path: string, before: Seen | undefined): void {
  const file = join(folder, path);
  const stats = read(() => statSync(file, { bigint: true }));
  if (!stats?.isFile()) return;
  // The time of the last change of any kind cannot be set back, other than that of the last writing.
  const stamp = `${stats.ino} ${stats.size} ${stats.ctimeNs}`;
  if (before?.stamp === stamp && !before.isRecent) {
    now.set(path, before);
    return;
  }
  const isRecent = Date.now() - Number(stats.ctimeMs) < stampGranularityMs;
  const content = read(() => readFileSync(file));
  if (content === undefined) return;
  now.set(path, { stamp, digest: createHash("sha256").update(content).digest("hex"), isRecent });
}

/** What is gone in the meantime is as if it never had been there. */
function read<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
