import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { makePackedFile } from "../../tools/package/make-packed-file.ts";

const root = join(import.meta.dirname, "../..");
const sources = [
  "{cli,config,functions,infrastructure,lib,local,package,build,tools/package}/**/*",
  "docs/{internals/platform/*.md,events.md}", // what the code reads of docs/: other pages may be older in the packed file
  "{serverless.yml,package.json,tsconfig.json,tsconfig.package.json,README.md,CHANGELOG.md,LICENSE}",
];

/**
 * Makes the file that would be published, of the sources as they are; tests that want it at the same time share one.
 * @returns its path
 */
export async function packPackage(): Promise<string> {
  const packages = join(root, ".build/package");
  const digest = digestOfSources();
  const folder = join(packages, digest);
  const packed = () => globSync("*.tgz", { cwd: folder }).map((file) => join(folder, file))[0];
  await makeOnce(packages, digest, () => {
    const making = mkdtempSync(join(packages, "making-"));
    makePackedFile(making);
    try {
      renameSync(making, folder);
    } catch {
      // Another run of the tests, beside this one, was faster.
      rmSync(making, { recursive: true });
    }
  });
  return packed() ?? "";
}

/** Makes an entry of a folder where no other process does; waits for the one that does. */
async function makeOnce(folder: string, name: string, make: () => void): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, `${name}.${process.ppid}.lock`);
  const changes = watch(folder, { signal: AbortSignal.timeout(600_000) });
  const next = changes[Symbol.asyncIterator]();
  // The watcher looks from its first question on.
  let change = next.next();
  while (!existsSync(join(folder, name))) {
    try {
      writeFileSync(lock, "", { flag: "wx" });
    } catch {
      await change;
      change = next.next();
      continue;
    }
    try {
      if (!existsSync(join(folder, name))) make();
    } finally {
      rmSync(lock);
    }
  }
  void next.return?.();
  change.catch(() => undefined);
}

/** How a package lies in a project. */
export interface PackageLayout {
  /** `flat` as npm installs, `links` as pnpm does: a package sees its own dependencies only */
  readonly layout?: "flat" | "links";
  /** Packages of this repository that the project has, too. */
  readonly besides?: readonly string[];
}

/**
 * Makes a project in which nothing is installed but the packed package and what it depends on. The project is removed when the
 * test ends.
 */
export async function installPackage(options: PackageLayout = {}): Promise<string> {
  // The system's folder: from within this repository, all of its packages would be found.
  const project = realpathSync(mkdtempSync(join(tmpdir(), "consumer-")));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  await installPackageInto(project, options);
  return project;
}

/** Installs the packed package, and what it depends on, in a folder. */
export async function installPackageInto(
  project: string,
  { layout = "flat", besides = [] }: PackageLayout = {},
): Promise<void> {
  const modules = join(project, "node_modules");
  const home = layout === "flat" ? modules : join(modules, ".pnpm/cometchat-functions/node_modules");
  const own = join(home, "cometchat-functions");
  mkdirSync(own, { recursive: true });
  await unpackInto(own);
  const { dependencies } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) link(name, home);
  for (const name of besides) link(name, modules);
  if (layout === "links") symlinkSync(own, join(modules, "cometchat-functions"));
}

/** Unpacks the packed package into a folder of its own, which goes when the process ends. */
export async function unpackPackage(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "unpacked-")));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await unpackInto(folder);
  return folder;
}

async function unpackInto(folder: string): Promise<void> {
  execFileSync("tar", ["-xzf", await packPackage(), "-C", folder, "--strip-components=1"]);
}

function link(name: string, modules: string): void {
  const place = join(modules, name);
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place)) symlinkSync(join(root, "node_modules", name), place);
}

function digestOfSources(): string {
  const digest = createHash("sha256");
  for (const file of globSync(sources, { cwd: root, exclude: ["**/node_modules"] }).toSorted()) {
    if (!statSync(join(root, file)).isFile()) continue;
    digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return digest.digest("hex").slice(0, 16);
}
