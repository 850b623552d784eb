import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { digestOfFiles } from "../digest-of-files.ts";

export interface PackedFile {
  readonly file: string;
  readonly dist: string;
}

const root = join(import.meta.dirname, "../..");
const packages = join(root, ".build/package");
/** Omits most pages of docs/: a kept package's may be older. */
const sources = [
  "{cli,config,functions,infrastructure,lib,local,package,build,tools/{package,reference}}/**/*",
  "docs/{internals/platform/*.md,events.md}",
  "{serverless.yml,package.json,package-lock.json,tsconfig.json,tsconfig.package.json,README.md,CHANGELOG.md,LICENSE}",
];

/** Returns a folder that does not exist before `makePackedFile`. */
export function folderOfPackedFile(): string {
  return join(packages, digestOfFiles(sources));
}

/**
 * Does nothing for sources that were packed before. Needs no network.
 * @throws Error if the build fails; its messages are on standard error
 */
export function makePackedFile(folder = folderOfPackedFile()): PackedFile {
  if (!existsSync(folder)) {
    mkdirSync(packages, { recursive: true });
    removeOld();
    const making = mkdtempSync(join(packages, "making-"));
    run(process.execPath, [join(root, "tools/package/build-package.ts"), join(making, "dist")], root);
    run("npm", ["pack", "./dist", "--pack-destination", ".", "--offline", "--loglevel=error"], making);
    try {
      renameSync(making, folder);
    } catch {
      rmSync(making, { recursive: true });
    }
  }
  const [name = ""] = globSync("*.tgz", { cwd: folder });
  return { file: join(folder, name), dist: join(folder, "dist") };
}

/** Keeps newer ones, which may be of another branch, or in use. */
function removeOld() {
  for (const name of globSync("*", { cwd: packages })) {
    const path = join(packages, name);
    const made = statSync(path, { throwIfNoEntry: false });
    if (made && made.mtimeMs < Date.now() - dayMs) rmSync(path, { recursive: true, force: true });
  }
}

const dayMs = 86_400_000;

function run(program: string, args: readonly string[], cwd: string) {
  execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}
