import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { pageBuild, pageFolder } from "../../local/console/page-build.ts";

/** An app has neither the page's sources nor Preact. */
export async function writeConsolePage(root: string, dist: string): Promise<void> {
  const to = join(dist, "local/console/page");
  await build({ ...pageBuild(pageFolder), outdir: to, write: true, logLevel: "warning" });
  copyFileSync(join(root, "node_modules/preact/LICENSE"), join(to, "main.js.LICENSE"));
}
