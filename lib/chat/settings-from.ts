import { isRecord } from "../base/json.ts";
import { lazy, lazyByKey } from "../base/lazy.ts";
import { readPlainly } from "./check-plain.ts";
import { InvalidInputError } from "./errors.ts";
import type { Schema } from "./schema.ts";

/**
 * The value of `import … from "…/config/<file>.yml"`: the content for the build's stage, and that of apps
 * with their own file.
 */
export interface SettingsFile<T = unknown> {
  readonly default: T;
  readonly apps: Readonly<Record<string, T>>;
}

/** A file of config/, by app. */
export interface Settings<T> {
  /** Returns an app's own content, or the common one (also for undefined). */
  readonly of: (appId: string | undefined) => T;
  /** Returns the common content, then each app's. */
  readonly all: () => readonly T[];
  /** Maps each content once. */
  readonly map: <U>(make: (value: T) => U) => Settings<U>;
}

/**
 * Parses a file of config/ on first use by the schema with which the build has checked it
 * (build/config-schemas.ts or functions/own/config-schemas.ts). With another one, `of` throws ZodError.
 * @throws InvalidInputError if an argument is not such a file or not a schema
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

/** Takes a shipped file as the build has parsed it: schemas cost a cold start milliseconds. Never throws. */
export function checkedSettings<T>({ default: common, apps }: SettingsFile<T>): Settings<T> {
  return perApp(Object.keys(apps), (appId) => freeze(appId === undefined ? common : (apps[appId] ?? common)));
}

/** Returns the same value for every app, for tests and rules outside files. Never throws. */
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

/** Apps and events share the content. */
function freeze<T>(value: T): T {
  const isPlain =
    Array.isArray(value) || (isRecord(value) && Object.getPrototypeOf(value) === Object.prototype);
  if (!isPlain) return value;
  for (const part of Object.values(Object(value))) freeze(part);
  return Object.freeze(value);
}
