#!/usr/bin/env node
// npm create cometchat-functions [folder]: as npx cometchat-functions init.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const folder = dirname(createRequire(import.meta.url).resolve("cometchat-functions/package.json"));
process.argv.splice(2, 0, "init");
await import(pathToFileURL(join(folder, "cli", "bin.mjs")).href);
