import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describeMisplacedPackage, NoProjectError, packageFolder } from "./folders.ts";

/**
 * @throws NoProjectError if the framework would not find the package, and Error of the code MODULE_NOT_FOUND
 * if neither the project nor this software has the framework
 */
export function serverlessFile(projectFolder: string): string {
  const misplaced = describeMisplacedPackage(projectFolder);
  if (misplaced !== undefined) throw new NoProjectError(misplaced);
  const name = join("serverless", "bin", "serverless.js");
  const own = join(projectFolder, "node_modules", name);
  if (existsSync(own)) return own;
  try {
    return createRequire(join(projectFolder, "package.json")).resolve(name);
  } catch {
    return createRequire(join(packageFolder, "package.json")).resolve(name);
  }
}
