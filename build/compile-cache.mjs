import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

// Loaded before a command's own modules: Node keeps what it compiled of them for the next start, by their content.
// https://nodejs.org/docs/latest-v24.x/api/module.html#module-compile-cache

// A package leaves its own folder as it was installed: what it keeps stands beside it, or is not kept.
const isPackage = existsSync(fileURLToPath(new URL("folders.js", import.meta.url)));
const packages = isPackage
  ? join(process.cwd(), "node_modules")
  : fileURLToPath(new URL("../node_modules", import.meta.url));
if (!isPackage || existsSync(packages)) {
  const folder = join(packages, ".cache", "node-compile");
  enableCompileCache(folder);
  // Processes and threads that this one starts and lets see its environment.
  process.env.NODE_COMPILE_CACHE ??= folder;
}
