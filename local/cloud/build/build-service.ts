import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bundle, Bundling } from "./bundling.ts";
import { openKeptBundles } from "./kept-bundles.ts";
import { resolveOrRecall } from "./kept-resolution.ts";
import { writeProblem } from "./problem.ts";
import type { ResolvedService } from "./resolve-service.ts";
import { createSourceSnapshot, type SourceSnapshot, sourcesOf } from "./source-snapshot.ts";
import { type Bundler, startBundler } from "./start-bundler.ts";

export interface BuildOptions {
  /** The folder of serverless.yml. */
  readonly serviceFolder: string;
  /** What serverless.yml's `${env:…}` reads, besides the user's own. */
  readonly environment: Readonly<Record<string, string>>;
  log(line: string): void;
  /** What the sources hold, looked at just now. Default: they are looked at. */
  readonly snapshot?: SourceSnapshot | undefined;
}

export interface BuiltService extends ResolvedService {
  /** A temporary folder that is this build's own: nothing else writes or removes it. */
  readonly folder: string;
  /** Where the functions' `handler` paths begin. */
  readonly taskRoot: string;
  readonly bundles: readonly Bundle[];
  /** Bundles again. Starts when it is first asked for. */
  bundler(): Bundler;
  /** Resolves serverless.yml as it is now. @throws Error with serverless's last lines */
  resolveAgain(): Promise<ResolvedService>;
  /** Ends the bundler and removes the folder. */
  close(): Promise<void>;
}

/**
 * Resolves serverless.yml for the stage `local` and bundles its functions as for a deployment.
 * @throws Error with serverless's last lines when it does not come to an end, or with the place of what cannot be bundled
 */
export async function buildService(options: BuildOptions): Promise<BuiltService> {
  const { serviceFolder, snapshot = createSourceSnapshot(sourcesOf(serviceFolder)) } = options;
  const folder = await mkdtemp(join(tmpdir(), "local-cloud-"));
  const taskRoot = join(folder, ".build");
  let started: Bundler | undefined;
  const close = async () => {
    await started?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const digests = new Map(snapshot.digests);
    const lookAgain = () => isLike(digests, createSourceSnapshot(sourcesOf(serviceFolder)).digests);
    const { resolved, key } = await resolveOrRecall({ ...options, folder, digests, lookAgain });
    const { bundling } = resolved;
    const bundler = () => {
      started ??= startBundler({
        ...{ serviceFolder, taskRoot, bundling },
        provider: { stage: resolved.definition.provider.stage },
      });
      return started;
    };
    const kept = key === undefined ? undefined : openKeptBundles({ serviceFolder, digests, resolution: key });
    const bundles = kept?.restore(taskRoot) ?? (await bundleAll(bundler(), bundling, taskRoot));
    if (started !== undefined && lookAgain()) kept?.keep(bundles, taskRoot);
    const resolveAgain = async () => {
      const looked = createSourceSnapshot(sourcesOf(serviceFolder)).digests;
      const beside = join(folder, ".resolved-again");
      const isStill = () => isLike(looked, createSourceSnapshot(sourcesOf(serviceFolder)).digests);
      const again = await resolveOrRecall({
        ...options,
        folder: beside,
        digests: looked,
        lookAgain: isStill,
      });
      return again.resolved;
    };
    return { ...resolved, folder, taskRoot, bundles, bundler, resolveAgain, close };
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
  const { bundles, failed } = await bundler.bundle({
    entries,
    folder: taskRoot,
    known: {},
    isRepeated: false,
  });
  if (failed.length === 0) return bundles;
  const problems = new Set(failed.flatMap((failure) => failure.problems.map(writeProblem)));
  throw new Error(`The functions cannot be bundled:\n${[...problems].join("\n")}`);
}

function isLike(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  return before.size === now.size && [...before].every(([path, digest]) => now.get(path) === digest);
}
