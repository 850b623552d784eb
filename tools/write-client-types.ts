import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readArguments } from "../build/read-arguments.ts";
import { generateTypes } from "./client-types/generate-types.ts";

// npm run client-types: writes lib/chat/types/.
const usage = `
Usage: npm run client-types

Writes lib/chat/types/ from the operations' schemas.

  -h, --help  print this help
`;
readArguments(usage, (args) => parseArgs({ args }));

const root = join(import.meta.dirname, "..");
const folder = join(root, "lib/chat/types");
const files = generateTypes(root);
rmSync(folder, { recursive: true });
mkdirSync(folder);
for (const [file, text] of files) writeFileSync(join(folder, file), text);

const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
execFileSync(process.execPath, [biome, "check", "--write", "--linter-enabled=false", folder], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
