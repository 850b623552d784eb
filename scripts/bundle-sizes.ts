import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";

// Prints what `serverless package` made: each function's archive and the bundle inside it.
const folder = join(import.meta.dirname, "..", ".serverless");
const archives = readdirSync(folder).filter((file) => file.endsWith(".zip"));
if (archives.length === 0) throw new Error(`No archives in ${folder}: did \`serverless package\` fail?`);

console.log("function            archive (kB)");
for (const archive of archives.toSorted()) {
  const kilobytes = statSync(join(folder, archive)).size / 1000;
  console.log(`${basename(archive, ".zip").padEnd(20)}${kilobytes.toFixed(1).padStart(12)}`);
}
