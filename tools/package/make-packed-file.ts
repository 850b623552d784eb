import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

export interface PackedFile {
  /** The file that npm would publish. */
  readonly file: string;
  /** The same, unpacked. */
  readonly dist: string;
}

/**
 * Builds the package from this repository's sources and packs it. Needs no network.
 * @param folder the output folder of both
 * @throws Error if the build fails; its messages are on standard error
 */
export function makePackedFile(folder: string): PackedFile {
  const dist = join(folder, "dist");
  const root = join(import.meta.dirname, "../..");
  execFileSync(process.execPath, [join(root, "tools/package/build-package.ts"), dist], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const pack = ["pack", "./dist", "--pack-destination", ".", "--offline", "--loglevel=error"];
  execFileSync("npm", pack, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const [name = ""] = globSync("*.tgz", { cwd: folder });
  return { file: join(folder, name), dist };
}
