import { existsSync, type FSWatcher, readFileSync, watch } from "node:fs";
import { join, resolve } from "node:path";
import { createSourceSnapshot, type SourceSnapshot, type Sources } from "../build/source-snapshot.ts";

/** Editors write files in steps. */
const quietMs = 25;
/** Limit for a program that writes constantly. */
const maxWaitMs = 500;
/** A missing or empty file is probably being written. */
const secondLookMs = 75;
/** Some file systems report nothing (container mounts, shares). */
const pollMs = 2_000;
/** A stale lock ends the wait. */
const maxCheckoutMs = 5_000;

const emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * Reports every change once, and changes made together as one. File system events only trigger a comparison.
 */
export class SourceWatch {
  readonly snapshot: SourceSnapshot;
  readonly #folder: string;
  readonly #gitLock: string | undefined;
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: string | undefined }>();
  readonly #poll: NodeJS.Timeout;
  /** Changed files with their earlier digests. */
  readonly #pending = new Map<string, string | undefined>();
  #pendingSince = 0;
  readonly #early = new Set<string>();
  #listener: ((files: readonly string[]) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firstAt: number | undefined;
  #isClosed = false;

  constructor(sources: Sources) {
    const { folder, files, folders } = sources;
    this.snapshot = createSourceSnapshot(sources);
    this.#folder = folder;
    this.#gitLock = findGitLock(folder);
    const own = new Set([...files, ...folders].map((path) => path.split("/")[0]));
    this.#watch("", (name) => {
      if (name === null || own.has(name)) this.#lookSoon();
    });
    this.#watchFolders();
    this.#poll = setInterval(() => {
      if (this.#firstAt !== undefined) return;
      this.#firstAt = performance.now();
      this.#lookUnlessCheckout();
    }, pollMs).unref();
  }

  /** Calls the listener first with changes since the watch began. */
  subscribe(listener: (files: readonly string[]) => void): void {
    this.#listener = listener;
    if (this.#early.size > 0) listener([...this.#early].toSorted());
    this.#early.clear();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    for (const { watcher } of this.#watchers.values()) watcher.close();
  }

  #lookSoon() {
    if (this.#isClosed) return;
    const now = performance.now();
    this.#firstAt ??= now;
    const waitMs = Math.max(0, Math.min(quietMs, this.#firstAt + maxWaitMs - now));
    this.#lookIn(waitMs, () => this.#lookUnlessCheckout());
  }

  #lookIn(ms: number, look: () => void) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(look, ms);
  }

  #lookUnlessCheckout() {
    const waitedMs = performance.now() - (this.#firstAt ?? 0);
    const isCheckout = this.#gitLock !== undefined && existsSync(this.#gitLock);
    if (isCheckout && waitedMs < maxCheckoutMs) this.#lookIn(quietMs, () => this.#lookUnlessCheckout());
    else this.#look();
  }

  #look() {
    this.#firstAt = undefined;
    const before = this.snapshot.digests;
    const changed = this.snapshot.look();
    const now = performance.now();
    if (this.#pending.size === 0) this.#pendingSince = now;
    for (const file of changed) {
      if (!this.#pending.has(file)) this.#pending.set(file, before.get(file));
    }
    this.#watchFolders();
    const isUnfinished = (file: string) => (this.snapshot.digests.get(file) ?? emptyDigest) === emptyDigest;
    const waits = now - this.#pendingSince < secondLookMs && [...this.#pending.keys()].some(isUnfinished);
    if (waits) this.#lookIn(secondLookMs, () => this.#look());
    else this.#report();
  }

  #report() {
    const { digests } = this.snapshot;
    const lasting = [...this.#pending].filter(([file, before]) => before !== digests.get(file));
    this.#pending.clear();
    const files = lasting.map(([file]) => file).toSorted();
    if (files.length === 0 || this.#isClosed) return;
    if (this.#listener) this.#listener(files);
    else for (const file of files) this.#early.add(file);
  }

  #watchFolders() {
    const { folders } = this.snapshot;
    for (const [path, { watcher, inode }] of this.#watchers) {
      if (path === "" || folders.get(path) === inode) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    const fresh = [...folders.keys()].filter((path) => !this.#watchers.has(path));
    for (const path of fresh) this.#watch(path, () => this.#lookSoon());
    if (fresh.length > 0) this.#lookSoon(); // a file may have been added before the folder was watched
  }

  #watch(path: string, onEvent: (name: string | null) => void) {
    try {
      const options = { persistent: false };
      const watcher = watch(join(this.#folder, path), options, (_event, name) => onEvent(name));
      this.#watchers.set(path, { watcher, inode: this.snapshot.folders.get(path) });
      watcher.on("error", () => {
        watcher.close();
        this.#watchers.delete(path);
        this.#lookSoon();
      });
    } catch {
      // The folder is gone, or watchers are too many: the poll finds changes.
    }
  }
}

/**
 * @see https://git-scm.com/docs/gitrepository-layout: in a second working tree `.git` is a file that names
 *   the folder
 */
function findGitLock(folder: string) {
  const place = join(folder, ".git");
  try {
    const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(place, "utf8")) ?? [];
    return named === undefined ? undefined : join(resolve(folder, named), "index.lock");
  } catch {
    return existsSync(place) ? join(place, "index.lock") : undefined;
  }
}
