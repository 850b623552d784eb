import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { pageBuild, pageFolder } from "../../local/console/page-build.ts";

/** An app has neither the page's sources nor the libraries that the built page contains. */
export async function writeConsolePage(root: string, dist: string): Promise<void> {
  const to = join(dist, "local/console/page");
  const built = {
    ...pageBuild(pageFolder),
    outdir: to,
    write: true,
    logLevel: "warning",
    metafile: true,
  } as const;
  const { metafile } = await build(built);
  const inputs = Object.keys(metafile.inputs).join("\n");
  const libraries = new Set(inputs.match(/(?<=^node_modules\/)(@[^/]+\/)?[^/]+/gm));
  const licenses = [...libraries].map(
    (name) => `${name}\n\n${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8")}`,
  );
  writeFileSync(join(to, "main.js.LICENSE"), licenses.join("\n---\n\n"));
}
