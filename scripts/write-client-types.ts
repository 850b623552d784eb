import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateTypes } from "./client-types/generate-types.ts";
import { readArguments } from "./read-arguments.ts";

// npm run client-types: writes lib/chat/types/, the client's types as people read them, and their names in
// package/chat.ts, from the operations' schemas.
const usage = `
Usage: npm run client-types

Writes lib/chat/types/, and the types' names in package/chat.ts, from the operations' schemas.

  -h, --help  prints this
`;
readArguments({ usage, options: {} }, () => undefined);

const root = join(import.meta.dirname, "..");
const folder = join(root, "lib/chat/types");
const { types, door } = generateTypes(root);
mkdirSync(folder, { recursive: true });
for (const old of readdirSync(folder)) if (!types.has(old)) rmSync(join(folder, old));
for (const [file, text] of types) writeFileSync(join(folder, file), text);
writeFileSync(join(root, "package/chat.ts"), door);
