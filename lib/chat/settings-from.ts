import { isRecord } from "../base/json.ts";
import { lazy, lazyByKey } from "../base/lazy.ts";
import { InvalidInputError } from "./errors.ts";
import { readPlainly } from "./read-plainly.ts";
import type { Schema } from "./schema.ts";

/** What `import … from "…/config/<file>.yml"` gives: the file's content for the stage of the build, and that of apps with a file of their own. */
export interface SettingsFile {
  readonly default: unknown;
  readonly apps: Readonly<Record<string, unknown>>;
}

/** What a file of config/ says, app by app. Each content is read when it is first asked for, and kept. */
export interface Settings<T> {
  /** Gives an app's own content, or what holds for every app without one. Undefined asks for the latter. */
  readonly of: (appId: string | undefined) => T;
  /** Gives what holds for apps without a content of their own, then each app's own. */
  readonly all: () => readonly T[];
  /** Gives what is made of each content, once for all apps that share it. */
  readonly map: <U>(make: (value: T) => U) => Settings<U>;
}

/**
 * Reads a file of config/ by a schema. The build has checked it with the one of the same file in build/config-schemas.ts or
 * functions/own/config-schemas.ts: with another schema `of` throws ZodError.
 * @throws InvalidInputError for what is no such file, or no schema
 */
export function settingsFrom<T>(file: SettingsFile, schema: Schema<T>): Settings<T> {
  readPlainly("settingsFrom", "file", () => {
    if (
      isRecord(file) &&
      isRecord(file.apps) &&
      Object.keys(file.apps) &&
      typeof Object(schema).parse === "function"
    )
      return;
    const rule = "what an import of a file of config/ gives, followed by a schema of zod";
    throw new InvalidInputError("settingsFrom", "file", rule, file === undefined);
  });
  return perApp(Object.keys(file.apps), (appId) =>
    freeze(schema.parse(appId === undefined ? file.default : file.apps[appId])),
  );
}

/** Gives settings that are the same for every app: for tests, and for rules that no file holds. Never throws. */
export function sameForEveryApp<T>(value: T): Settings<T> {
  return perApp([], () => value);
}

function perApp<T>(appIds: readonly string[], make: (appId: string | undefined) => T): Settings<T> {
  const withOwn = new Set(appIds);
  const shared = lazy(() => make(undefined));
  const own = lazyByKey(make);
  const of = (appId: string | undefined) =>
    appId !== undefined && withOwn.has(appId) ? own(appId) : shared();
  return {
    of,
    all: () => [undefined, ...appIds].map(of),
    map: (change) => perApp(appIds, (appId) => change(of(appId))),
  };
}

/** Apps share a content, and so do the events of a process: what one handler wrote into it, another would read. */
function freeze<T>(value: T): T {
  const isPlain =
    Array.isArray(value) || (isRecord(value) && Object.getPrototypeOf(value) === Object.prototype);
  if (!isPlain) return value;
  for (const part of Object.values(Object(value))) freeze(part);
  return Object.freeze(value);
}
