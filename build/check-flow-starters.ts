import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { onlyEntry } from "./check-trigger-names.ts";

/**
 * Which of these own triggers import a flow's definition, directly or by other files. To start a flow, a
 * trigger needs it.
 */
export async function findFlowStarters(
  projectFolder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const folder = join(projectFolder, "functions/own");
  const table = await readFile(join(folder, "triggers.ts"), "utf8").catch(() => "");
  const found = await Promise.all(
    names.map(async (name) => {
      const contents = onlyEntry(table, "ownTriggers", name);
      return contents !== undefined && (await definesFlow(contents, folder)) ? [name] : [];
    }),
  );
  return found.flat();
}

async function definesFlow(contents: string, resolveDir: string): Promise<boolean> {
  const { metafile } = await build({
    stdin: { contents, resolveDir, loader: "ts" },
    // Unused imports disappear; a project's own settings might keep them.
    tsconfigRaw: "{}",
    ...{ bundle: true, write: false, metafile: true, logLevel: "silent" },
    ...{ packages: "external", platform: "node", format: "esm" },
  }).catch(() => ({ metafile: undefined })); // check-own-code.ts reports it
  return Object.values(metafile?.outputs ?? {}).some(
    ({ imports, inputs }) =>
      imports.some(({ path }) => path === "cometchat-functions/flows") ||
      Object.keys(inputs).some((file) => file.endsWith("lib/flows/define-flow.ts")),
  );
}
