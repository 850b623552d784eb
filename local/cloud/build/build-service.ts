import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bundle } from "./bundling.ts";
import { writeProblem } from "./problem.ts";
import { type ResolvedService, resolveService } from "./resolve-service.ts";
import { type Bundler, startBundler } from "./start-bundler.ts";

export interface BuildOptions {
  /** The folder of serverless.yml. */
  readonly serviceFolder: string;
  /** What serverless.yml's `${env:…}` reads, besides the user's own. */
  readonly environment: Readonly<Record<string, string>>;
  log(line: string): void;
}

export interface BuiltService extends ResolvedService {
  /** A temporary folder that is this build's own: nothing else writes or removes it. */
  readonly folder: string;
  /** Where the functions' `handler` paths begin. */
  readonly taskRoot: string;
  readonly bundles: readonly Bundle[];
  /** Bundles again. Starts when it is first asked for. */
  bundler(): Bundler;
  /** Ends the bundler and removes the folder. */
  close(): Promise<void>;
}

/**
 * Resolves serverless.yml for the stage `local` and bundles its functions as for a deployment.
 * @throws Error with serverless's last lines when it does not come to an end, or with the place of what cannot be bundled
 */
export async function buildService(options: BuildOptions): Promise<BuiltService> {
  const folder = await mkdtemp(join(tmpdir(), "local-cloud-"));
  const taskRoot = join(folder, ".build");
  let started: Bundler | undefined;
  const close = async () => {
    await started?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const resolved = await resolveService({ ...options, folder });
    const { definition, bundling } = resolved;
    const bundler = () => {
      started ??= startBundler({
        ...{ serviceFolder: options.serviceFolder, taskRoot, bundling },
        provider: definition.provider,
      });
      return started;
    };
    const entries = [...new Set(Object.values(bundling.entries))];
    const { bundles, failed } = await bundler().bundle({
      entries,
      folder: taskRoot,
      known: {},
      isRepeated: false,
    });
    if (failed.length > 0) {
      const problems = new Set(failed.flatMap(({ problems }) => problems.map(writeProblem)));
      throw new Error(`The functions cannot be bundled:\n${[...problems].join("\n")}`);
    }
    return { ...resolved, folder, taskRoot, bundles, bundler, close };
  } catch (error) {
    await close();
    throw error;
  }
}
