import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { projectFolder, readEsbuildSettings } from "../bench/esbuild-settings.ts";

/** The deployed handlers, as Lambda calls them. */
export interface FuzzFunctions {
  readonly receive: (event: unknown, context: unknown) => Promise<{ statusCode: number; body: string }>;
  readonly consume: (event: unknown, context: unknown) => Promise<{ batchItemFailures: readonly unknown[] }>;
  /** Gives the process its own environment back. */
  readonly unload: () => void;
}

/**
 * Bundles receiver and consumer as serverless.yml does, but for a configuration in which every trigger acts, and loads
 * them into this process under the given environment.
 */
export async function loadFunctions(environment: Readonly<Record<string, string>>): Promise<FuzzFunctions> {
  const folder = await mkdtemp(join(tmpdir(), "fuzz-"));
  const { settings, plugins } = await readEsbuildSettings();
  const before = { ...process.env };
  Object.assign(process.env, environment);
  const unload = () => {
    for (const name of Object.keys(environment)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  };
  try {
    const load = async (
      name: string,
    ): Promise<{ handler: (event: unknown, context?: unknown) => Promise<never> }> => {
      const outfile = join(folder, `${name}.mjs`);
      const entryPoints = [join(projectFolder, "functions", `${name}.ts`)];
      await build({
        ...{ ...settings, entryPoints, outfile, absWorkingDir: projectFolder, logLevel: "error" },
        plugins: [everythingOn, ...plugins],
      });
      return import(pathToFileURL(outfile).href);
    };
    const [receiver, consumer] = [await load("webhook"), await load("process-events")];
    return { receive: receiver.handler, consume: consumer.handler, unload };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const everythingOn: Plugin = {
  name: "everything-on",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]config[/\\](forward|escalate|welcome)\.yml$/ }, ({ path }) => {
      const name = path.split(/[/\\]/).at(-1)?.replace(".yml", "") ?? "";
      return {
        contents: `export default ${JSON.stringify({ default: files[name], apps: {} })};`,
        loader: "js",
      };
    });
  },
};

const files: Readonly<Record<string, object>> = {
  forward: { enabled: true, triggers: ["*"] },
  escalate: { enabled: true, group: "moderators", as: "moderation", on: ["blocked", "failed"] },
  welcome: { groups: [{ group: "chess-club", as: "support", text: "Welcome, {names}!" }] },
};
