import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readArguments } from "../build/read-arguments.ts";
import { generateTypes } from "./client-types/generate-types.ts";
import { declaredIn } from "./client-types/type-files.ts";

// npm run client-types: writes lib/chat/types/ and their names in package/chat.ts.
const usage = `
Usage: npm run client-types

Writes lib/chat/types/, and the types' names in package/chat.ts, from the operations' schemas.

  -h, --help  print this help
`;
readArguments(usage, (args) => parseArgs({ args }));

const root = join(import.meta.dirname, "..");
const folder = join(root, "lib/chat/types");
const files = generateTypes(root);
rmSync(folder, { recursive: true });
mkdirSync(folder);
for (const [file, text] of files) writeFileSync(join(folder, file), text);

const entry = join(root, "package/chat.ts");
const others = readFileSync(entry, "utf8").replaceAll(
  /^export type \{[^}]*\} from "\.\.\/lib\/chat\/types\/[^"]*";\n/gm,
  "",
);
const exports = [...files].map(
  ([file, text]) => `export type { ${declaredIn(text).join(", ")} } from "../lib/chat/types/${file}";\n`,
);
writeFileSync(entry, others + exports.join(""));
const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
execFileSync(process.execPath, [biome, "check", "--write", "--linter-enabled=false", folder, entry], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
