import { hash } from "node:crypto";
import { type BigIntStats, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { filesOfInstallers, packagePlaceOf } from "../../../build/folders.ts";

export interface Sources {
  readonly folder: string;
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

export interface SourceSnapshot {
  readonly digests: ReadonlyMap<string, string>;
  /** Inodes by path; replaced folders differ. */
  readonly folders: ReadonlyMap<string, string>;
  look(): string[];
}

interface Seen {
  readonly stamp: string;
  readonly digest: string;
  /** A later change may share it. */
  readonly isRecent: boolean;
}

const stampGranularityMs = 50;

/** The check of config/ reads folders. */
const checkedFolder: Seen = { stamp: "", digest: "empty", isRecent: false };

const passedOver = new Set(["node_modules", ".git"]);

/** Returns folders, and files beside serverless.yml. */
export function sourcesOf(serviceFolder: string): Sources {
  const beside = readdirSync(serviceFolder).filter((name) => /\.([cm]?[jt]s|ya?ml|json)$/.test(name));
  // In an app, `build` is often a compiler's output.
  const steps = packagePlaceOf(serviceFolder) === "" ? ["build"] : [];
  return {
    folder: serviceFolder,
    folders: ["config", "functions", "infrastructure", ...steps, "lib"],
    files: [...beside, ...filesOfInstallers(serviceFolder), ...packageFilesOf(serviceFolder)],
  };
}

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
      const entries = read(() => readdirSync(join(folder, path), { withFileTypes: true }));
      if (entries?.length === 0 && path.startsWith("config/")) now.set(`${path}/`, checkedFolder);
      for (const entry of entries ?? []) {
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

function add(now: Map<string, Seen>, folder: string, path: string, before: Seen | undefined) {
  const file = join(folder, path);
  const stats = read(() => statSync(file, { bigint: true }));
  if (!stats?.isFile()) return;
  const stamp = stampOf(stats);
  if (before?.stamp === stamp && !before.isRecent) {
    now.set(path, before);
    return;
  }
  const isRecent = Date.now() - Number(stats.ctimeMs) < stampGranularityMs;
  const content = read(() => readFileSync(file));
  if (content === undefined) return;
  now.set(path, { stamp, digest: hash("sha256", content), isRecent });
}

/** Includes ctime, which programs cannot set. */
export function stampOf({ ino, size, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${ctimeNs}`;
}

function read<T>(look: () => T) {
  try {
    return look();
  } catch {
    return undefined;
  }
}
