import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseJson } from "../../../lib/base/json.ts";
import { openBuildCache } from "./build-cache.ts";
import { resolutionKeyOf } from "./resolution-key.ts";
import {
  type ResolvedService,
  type ResolveOptions,
  resolvedSchema,
  resolveService,
} from "./resolve-service.ts";

export interface Resolution {
  readonly resolved: ResolvedService;
  /** Names all that it depends on; undefined where that cannot be told. */
  readonly key: string | undefined;
}

const loopbackOrigin = /http:\/\/127\.0\.0\.1:\d+/g;

/**
 * Resolves a service, or takes what was resolved of the very same files and variables before.
 * @param lookAgain tells whether the files are still as their digests say: what changed meanwhile is not kept
 * @throws Error as `resolveService` does
 */
export async function resolveOrRecall(
  options: ResolveOptions & {
    /** What `${env:…}` reads, besides the user's own. */
    readonly environment: Readonly<Record<string, string>>;
    readonly digests: ReadonlyMap<string, string>;
    lookAgain(): boolean;
  },
): Promise<Resolution> {
  const { serviceFolder, folder, digests, lookAgain } = options;
  // Addresses of this world are other ones at each start: serverless gets names for them.
  const origins = [
    ...new Set(Object.values(options.environment).flatMap((value) => value.match(loopbackOrigin) ?? [])),
  ];
  const given = Object.fromEntries(
    Object.entries(options.environment).map(([name, value]) => [
      name,
      value.replaceAll(loopbackOrigin, (origin) => standIn(origins.indexOf(origin))),
    ]),
  );
  const known = resolutionKeyOf({ serviceFolder, digests, environment: { ...process.env, ...given } });
  if (known === undefined)
    return {
      resolved: await resolveService({ ...options, environment: { ...process.env, ...options.environment } }),
      key: undefined,
    };
  const finish = (text: string) =>
    resolvedSchema.safeParse(
      parseJson(origins.reduce((all, origin, index) => all.replaceAll(standIn(index), origin), text)),
    ).data;
  const cache = openBuildCache(serviceFolder, "resolved");
  const found = cache.find(known.key);
  const kept = found === undefined ? undefined : finish(readText(join(found, "resolved.json")));
  if (kept !== undefined) return { resolved: kept, key: known.key };
  const fresh = await resolveService({ ...options, environment: known.environment });
  const text = JSON.stringify(fresh);
  const resolved = finish(text) ?? fresh;
  // What serverless put beside the bundles would have to be kept, too.
  if (holdsFiles(join(folder, ".build"))) return { resolved, key: undefined };
  if (lookAgain())
    cache.keep(known.key, (into) => writeFileSync(join(into, "resolved.json"), text, { mode: 0o600 }));
  return { resolved, key: known.key };
}

/** No program listens there, and no two are alike at their end. */
function standIn(index: number): string {
  return `http://world-address-${index}.invalid`;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function holdsFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}
