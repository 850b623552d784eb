import { cpSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import * as z from "zod/mini";
import type { Bundling } from "../../../build/bundle-functions.ts";
import { BuildCache } from "./build-cache.ts";
import { Bundler } from "./bundler.ts";
import { type Bundle, bundleSchema } from "./bundling.ts";
import { writeProblem } from "./problem.ts";
import { digestOfInputs, resolutionKeyOf } from "./resolution-key.ts";
import {
  type ResolvedService,
  type ResolveOptions,
  resolvedSchema,
  resolveService,
} from "./resolve-service.ts";
import { createSourceSnapshot, type SourceSnapshot, sourcesOf, stampOf } from "./source-snapshot.ts";

export interface BuildOptions {
  readonly serviceFolder: string;
  /** Variables of `${env:…}` in serverless.yml, besides the user's own. */
  readonly environment: Readonly<Record<string, string>>;
  log(line: string): void;
  readonly snapshot?: SourceSnapshot | undefined;
}

export interface BuiltService extends ResolvedService {
  readonly folder: string;
  readonly taskRoot: string;
  readonly bundles: readonly Bundle[];
  readonly bundler: Bundler;
  /** @throws Error with serverless's last lines */
  resolveAgain(): Promise<ResolvedService>;
  close(): Promise<void>;
}

/**
 * Builds the stage `local` as a deployment would.
 * @throws Error with serverless's last lines, or the place of what cannot be bundled
 */
export async function buildService(options: BuildOptions): Promise<BuiltService> {
  const { serviceFolder, snapshot } = options;
  const folder = await mkdtemp(join(tmpdir(), "local-cloud-"));
  const taskRoot = join(folder, ".build");
  let bundler: Bundler | undefined;
  const close = async () => {
    await bundler?.close();
    await rm(folder, { recursive: true, force: true });
  };
  const readDigests = () => createSourceSnapshot(sourcesOf(serviceFolder)).digests;
  const resolve = async (digests: ReadonlyMap<string, string>) => {
    const isCurrent = () => haveSameEntries(digests, readDigests());
    const resolution = await resolveOrRecall({ ...options, digests, isCurrent });
    return { ...resolution, isCurrent };
  };
  try {
    const digests = new Map(snapshot?.digests ?? readDigests());
    const { resolved, key, isCurrent } = await resolve(digests);
    const { bundling, definition } = resolved;
    const { stage } = definition.provider;
    bundler = new Bundler({ serviceFolder, taskRoot, bundling, provider: { stage } });
    const kept = key === undefined ? undefined : new KeptBundles(serviceFolder, digests, key);
    const restored = kept?.restore(taskRoot);
    const bundles = restored ?? (await bundleAll(bundler, bundling, taskRoot));
    if (!restored && isCurrent()) kept?.keep(bundles, taskRoot);
    return {
      ...resolved,
      folder,
      taskRoot,
      bundles,
      bundler,
      close,
      resolveAgain: async () => (await resolve(readDigests())).resolved,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function bundleAll(
  bundler: Bundler,
  { entries: byKey }: Bundling,
  taskRoot: string,
): Promise<readonly Bundle[]> {
  const entries = [...new Set(Object.values(byKey))];
  const order = { entries, folder: taskRoot, known: {}, isRepeated: false };
  const { bundles, failed } = await bundler.bundle(order);
  if (failed.length === 0) return bundles;
  const problems = new Set(failed.flatMap((failure) => failure.problems.map(writeProblem)));
  throw new Error(`The functions cannot be bundled:\n${[...problems].join("\n")}`);
}

function haveSameEntries(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) {
  return one.size === other.size && [...one].every(([path, digest]) => other.get(path) === digest);
}

const keptSchema = z.object({
  bundles: z.array(bundleSchema),
  others: z.array(z.object({ file: z.string(), stamp: z.string() })),
});

class KeptBundles {
  readonly #cache: BuildCache;
  readonly #key: string;
  readonly #serviceFolder: string;
  readonly #digests: ReadonlyMap<string, string>;

  constructor(serviceFolder: string, digests: ReadonlyMap<string, string>, resolution: string) {
    this.#cache = new BuildCache(serviceFolder, "bundles");
    this.#serviceFolder = serviceFolder;
    this.#digests = digests;
    // Sources in maps are relative to a temporary folder.
    this.#key = digestOfInputs([resolution, realpathSync(tmpdir()), tmpdir(), [...digests].toSorted()]);
  }

  /** @returns undefined if there are none, or a package has changed */
  restore(taskRoot: string): readonly Bundle[] | undefined {
    const folder = this.#cache.find(this.#key);
    if (folder === undefined) return undefined;
    try {
      const text = readFileSync(join(folder, "bundles.json"), "utf8");
      const { bundles, others } = keptSchema.parse(JSON.parse(text));
      if (!others.every(({ file, stamp }) => this.#stampOf(file) === stamp)) return undefined;
      cpSync(join(folder, "files"), taskRoot, { recursive: true });
      return bundles.map((bundle) => ({ ...bundle, isChanged: true }));
    } catch {
      return undefined;
    }
  }

  keep(bundles: readonly Bundle[], taskRoot: string): void {
    this.#cache.keep(this.#key, (folder) => {
      cpSync(taskRoot, join(folder, "files"), { recursive: true });
      const inputs = new Set(bundles.flatMap((bundle) => bundle.inputs));
      const others = [...inputs]
        .filter((file) => !this.#digests.has(file))
        .map((file) => ({ file, stamp: this.#stampOf(file) }));
      writeFileSync(join(folder, "bundles.json"), JSON.stringify({ bundles, others }));
    });
  }

  /** The stamp of a generated file is empty. */
  #stampOf(file: string) {
    const stats = statSync(join(this.#serviceFolder, file), { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : stampOf(stats);
  }
}

interface Resolution {
  readonly resolved: ResolvedService;
  /** Undefined if the inputs are unknown. */
  readonly key: string | undefined;
}

const loopbackOrigin = /http:\/\/127\.0\.0\.1:\d+/g;

/**
 * Resolves the service, or returns the cached result of the same files and variables.
 * @param isCurrent false prevents caching: files have changed
 * @throws Error as `resolveService`
 */
async function resolveOrRecall(
  options: Omit<ResolveOptions, "environment"> & {
    readonly environment: Readonly<Record<string, string>>;
    readonly digests: ReadonlyMap<string, string>;
    isCurrent(): boolean;
  },
): Promise<Resolution> {
  const { serviceFolder, digests } = options;
  // Placeholders: the addresses differ at each start.
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

function placeholderOf(index: number) {
  return `http://local-address-${index}.invalid`;
}
