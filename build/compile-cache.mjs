import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

// Loaded before a command's own modules: Node caches compiled code for the next start, by content.
// https://nodejs.org/docs/latest-v24.x/api/module.html#module-compile-cache

// A package does not write into itself: the cache is next to it, or absent.
const isPackage = existsSync(fileURLToPath(new URL("folders.js", import.meta.url)));
const packages = isPackage
  ? join(process.cwd(), "node_modules")
  : fileURLToPath(new URL("../node_modules", import.meta.url));
if (!isPackage || existsSync(packages)) {
  const folder = join(packages, ".cache", "node-compile");
  enableCompileCache(folder);
  process.env.NODE_COMPILE_CACHE ??= folder;
}
