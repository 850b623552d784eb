import { existsSync, type FSWatcher, readFileSync, watch } from "node:fs";
import { join, resolve } from "node:path";
import { createSourceSnapshot, type SourceSnapshot, type Sources } from "../build/source-snapshot.ts";

/** Watches the files of a service. */
export interface SourceWatch {
  readonly snapshot: SourceSnapshot;
  /** Hears of changes from now on, of those since the watch began first. */
  subscribe(listener: (files: readonly string[]) => void): void;
  close(): void;
}

/** Editors write a file in several steps, and several files one after the other. */
const quietMs = 25;
/** Whoever writes without end is not waited for. */
const longestMs = 500;
/** What is gone or empty is likely to be written in a moment. */
const secondLookMs = 75;
/** Some file systems tell nothing (mounts of a container, shares): all is looked at from time to time. */
const pollMs = 2_000;
/** Git holds its lock while it changes files; a forgotten one is not waited for. */
const longestCheckoutMs = 5_000;

/**
 * Tells of every change of content in a service's files, those together that come together. What the file system says is
 * only taken as a sign to look: no change is missed, and none is told that is none.
 */
export function watchSources(sources: Sources): SourceWatch {
  const { folder, files } = sources;
  const snapshot = createSourceSnapshot(sources);
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly number: string | undefined }>();
  let timer: NodeJS.Timeout | undefined;
  let firstAt: number | undefined;
  let isClosed = false;
  const gitLock = findGitLock(folder);
  const early = new Set<string>();
  let listener: ((files: readonly string[]) => void) | undefined;

  const hear = () => {
    if (isClosed) return;
    const now = performance.now();
    firstAt ??= now;
    clearTimeout(timer);
    timer = setTimeout(consider, Math.max(0, Math.min(quietMs, firstAt + longestMs - now)));
  };
  const consider = () => {
    const waitedMs = performance.now() - (firstAt ?? 0);
    if (gitLock !== undefined && existsSync(gitLock) && waitedMs < longestCheckoutMs) {
      timer = setTimeout(consider, quietMs);
      return;
    }
    look();
  };
  const look = () => {
    firstAt = undefined;
    const before = snapshot.digests;
    const changed = new Set(snapshot.look());
    watchFolders();
    const isUnfinished = (file: string) => {
      const digest = snapshot.digests.get(file);
      return digest === undefined || digest === emptyDigest;
    };
    if (![...changed].some(isUnfinished)) return tell(before, changed);
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const file of snapshot.look()) changed.add(file);
      watchFolders();
      tell(before, changed);
    }, secondLookMs);
  };
  const tell = (before: ReadonlyMap<string, string>, changed: ReadonlySet<string>) => {
    const lasting = [...changed].filter((file) => before.get(file) !== snapshot.digests.get(file));
    if (lasting.length === 0 || isClosed) return;
    if (listener === undefined) for (const file of lasting) early.add(file);
    else listener(lasting.toSorted());
  };
  const watchFolders = () => {
    let isNew = false;
    for (const [path, { watcher, number }] of watchers) {
      if (path === "" || snapshot.folders.get(path) === number) continue;
      watcher.close();
      watchers.delete(path);
    }
    for (const path of snapshot.folders.keys()) {
      if (watchers.has(path)) continue;
      add(path, hear);
      isNew = true;
    }
    if (isNew) hear(); // something may have come into it before it was watched
  };
  const add = (path: string, onEvent: (event: string, name: string | null) => void) => {
    try {
      const watcher = watch(join(folder, path), { persistent: false }, onEvent);
      watchers.set(path, { watcher, number: snapshot.folders.get(path) });
      // A folder that was moved or removed: what is there now is found by the next look.
      watcher.on("error", () => {
        watcher.close();
        watchers.delete(path);
        hear();
      });
    } catch {
      // It is gone already, or the system watches no more: the regular look finds what changes.
    }
  };

  const own = new Set([...files, ...sources.folders].map((path) => path.split("/")[0]));
  add("", (_, name) => {
    if (name === null || own.has(name)) hear();
  });
  watchFolders();
  const poll = setInterval(() => {
    if (firstAt !== undefined) return;
    firstAt = performance.now();
    consider();
  }, pollMs).unref();
  return {
    snapshot,
    subscribe(hearer) {
      listener = hearer;
      if (early.size > 0) hearer([...early].toSorted());
      early.clear();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(poll);
      for (const { watcher } of watchers.values()) watcher.close();
    },
  };
}

/** SHA-256 of nothing. */
const emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** @see https://git-scm.com/docs/gitrepository-layout: in a second working tree `.git` is a file that names the folder */
function findGitLock(folder: string): string | undefined {
  const place = join(folder, ".git");
  try {
    const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(place, "utf8")) ?? [];
    return named === undefined ? undefined : join(resolve(folder, named), "index.lock");
  } catch {
    return existsSync(place) ? join(place, "index.lock") : undefined;
  }
}
