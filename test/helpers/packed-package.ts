import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { folderOfPackedFile, makePackedFile, type PackedFile } from "../../tools/package/make-packed-file.ts";
import { makeOnce } from "./make-once.ts";

const root = join(import.meta.dirname, "../..");

/** Makes the file that would be published, of the current sources; concurrent tests share one. */
export async function packPackage(): Promise<PackedFile> {
  const folder = folderOfPackedFile();
  await makeOnce(folder, () => void makePackedFile(folder));
  return makePackedFile(folder);
}

/** How a package is installed in a project. */
export interface PackageLayout {
  /** `flat` as npm installs, `links` as pnpm does: a package resolves only its own dependencies */
  readonly layout?: "flat" | "links";
  /** Packages of this repository that the project has, too. */
  readonly besides?: readonly string[];
}

/**
 * Makes a project with only the packed package and its dependencies. The project is removed when the
 * test ends.
 */
export async function installPackage(options: PackageLayout = {}): Promise<string> {
  // The system's folder: inside this repository, all of its packages would be found.
  const project = realpathSync(mkdtempSync(join(tmpdir(), "consumer-")));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  await installPackageInto(project, options);
  return project;
}

/** Installs the packed package and its dependencies in a folder. */
export async function installPackageInto(
  project: string,
  { layout = "flat", besides = [] }: PackageLayout = {},
): Promise<void> {
  const modules = join(project, "node_modules");
  const home = layout === "flat" ? modules : join(modules, ".pnpm/cometchat-functions/node_modules");
  const own = join(home, "cometchat-functions");
  mkdirSync(own, { recursive: true });
  const { file } = await packPackage();
  execFileSync("tar", ["-xzf", file, "-C", own, "--strip-components=1"]);
  const { dependencies } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) link(name, home);
  for (const name of besides) link(name, modules);
  if (layout === "links") symlinkSync(own, join(modules, "cometchat-functions"));
}

function link(name: string, modules: string) {
  const place = join(modules, name);
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place)) symlinkSync(join(root, "node_modules", name), place);
}
