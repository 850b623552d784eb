import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bundling } from "../../../build/bundle-functions.ts";
import { Bundler } from "./bundler.ts";
import type { Bundle } from "./bundling.ts";
import { KeptBundles } from "./kept-bundles.ts";
import { resolveOrRecall } from "./kept-resolution.ts";
import { writeProblem } from "./problem.ts";
import type { ResolvedService } from "./resolve-service.ts";
import { createSourceSnapshot, type SourceSnapshot, sourcesOf } from "./source-snapshot.ts";

export interface BuildOptions {
  readonly serviceFolder: string;
  /** What serverless.yml's `${env:…}` reads, besides the user's own variables. */
  readonly environment: Readonly<Record<string, string>>;
  log(line: string): void;
  /** Default: they are read. */
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
 * For the stage `local`, as for a deployment.
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
      ...{ ...resolved, folder, taskRoot, bundles, bundler, close },
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

function haveSameEntries(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([path, digest]) => other.get(path) === digest);
}
