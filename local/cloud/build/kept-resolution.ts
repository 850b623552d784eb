import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { BuildCache } from "./build-cache.ts";
import { resolutionKeyOf } from "./resolution-key.ts";
import {
  type ResolvedService,
  type ResolveOptions,
  resolvedSchema,
  resolveService,
} from "./resolve-service.ts";

export interface Resolution {
  readonly resolved: ResolvedService;
  /** Undefined if what it depends on cannot be determined. */
  readonly key: string | undefined;
}

const loopbackOrigin = /http:\/\/127\.0\.0\.1:\d+/g;

/**
 * From the same files and variables.
 * @param isCurrent a resolution of changed files is not kept
 * @throws Error as `resolveService`
 */
export async function resolveOrRecall(
  options: Omit<ResolveOptions, "environment"> & {
    readonly environment: Readonly<Record<string, string>>;
    readonly digests: ReadonlyMap<string, string>;
    isCurrent(): boolean;
  },
): Promise<Resolution> {
  const { serviceFolder, digests } = options;
  // The addresses differ at each start: serverless gets placeholders.
  const given = JSON.stringify(options.environment);
  const origins = [...new Set(given.match(loopbackOrigin))];
  const stable = given.replaceAll(loopbackOrigin, (origin) => placeholderOf(origins.indexOf(origin)));
  const environment = { ...process.env, ...JSON.parse(stable) };
  const known = resolutionKeyOf({ serviceFolder, digests, environment });
  if (known === undefined) {
    const everything = { ...process.env, ...options.environment };
    return { resolved: await resolveService({ ...options, environment: everything }), key: undefined };
  }
  const { key } = known;
  const finish = (text: string) =>
    resolvedSchema.parse(
      JSON.parse(origins.reduce((all, origin, index) => all.replaceAll(placeholderOf(index), origin), text)),
    );
  const cache = new BuildCache(serviceFolder, "resolved");
  const found = cache.find(key);
  try {
    if (found !== undefined) {
      return { resolved: finish(readFileSync(join(found, "resolved.json"), "utf8")), key };
    }
  } catch {}
  const text = JSON.stringify(await resolveService({ ...options, environment: known.environment }));
  if (options.isCurrent()) {
    cache.keep(key, (into) => writeFileSync(join(into, "resolved.json"), text, { mode: 0o600 }));
  }
  return { resolved: finish(text), key };
}

/** No program listens there, and no address begins with another. */
function placeholderOf(index: number): string {
  return `http://world-address-${index}.invalid`;
}
