import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { doorTable, useTable } from "./door-tables.ts";
import { measureDoors } from "./measure-doors.ts";

// node scripts/package/write-door-tables.ts, after npm run pack: writes what was measured into docs/package.md.
const root = join(import.meta.dirname, "..", "..");
const dist = join(root, "dist");
const page = join(root, "docs/package.md");

const tables = { doors: doorTable(await measureDoors(dist)), uses: await useTable(dist) };
let text = readFileSync(page, "utf8");
for (const [name, table] of Object.entries(tables)) {
  const place = new RegExp(`(<!-- ${name}: [^\\n]* -->\\n)[^<]*(<!-- end -->)`);
  if (!place.test(text)) throw new Error(`${page} has no place for ${name}.`);
  text = text.replace(place, (_, begin: string, end: string) => `${begin}${table}\n${end}`);
}
writeFileSync(page, text);
process.stdout.write(`${page} is up to date.\n`);
