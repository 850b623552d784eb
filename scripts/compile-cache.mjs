import { enableCompileCache } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

// Loaded before a command's own modules: Node keeps what it compiled of them for the next start, by their content.
// https://nodejs.org/docs/latest-v24.x/api/module.html#module-compile-cache

const folder = fileURLToPath(new URL("../node_modules/.cache/node-compile", import.meta.url));
enableCompileCache(folder);
// Processes and threads that this one starts and lets see its environment.
process.env.NODE_COMPILE_CACHE ??= folder;
