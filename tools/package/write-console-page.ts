import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { pageBuild, pageFolder } from "../../local/console/page-routes.ts";

/** Bundles the page, whose sources and packages an app lacks, with their licenses. */
export async function writeConsolePage(root: string, dist: string): Promise<void> {
  const to = join(dist, "local/console/page");
  const options = {
    ...pageBuild(pageFolder),
    outdir: to,
    write: true,
    logLevel: "warning",
    metafile: true,
  } as const;
  const { inputs } = (await build(options)).metafile;
  const bundled = Object.keys(inputs).flatMap(
    (file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  );
  const licenses = [...new Set(bundled)].toSorted().map((name) => {
    const license = readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8");
    return `${name}\n\n${license.trim()}\n`;
  });
  writeFileSync(join(to, "main.js.LICENSE"), licenses.join("\n"));
}
