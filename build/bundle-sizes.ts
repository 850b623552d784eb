import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findProjectFolder } from "./folders.ts";

// Prints the sizes of the functions' bundles and of the archive that `serverless package` made.
const folder = join(findProjectFolder(), ".serverless");
const archives = readdirSync(folder).filter((file) => file.endsWith(".zip"));
if (archives.length === 0)
  throw new Error(`There is no archive in ${folder}: did \`serverless package\` fail?`);

console.log(`${"function".padEnd(20)}${"bundle (kB)".padStart(14)}${"archive (kB)".padStart(14)}`);
for (const archive of archives.toSorted()) {
  const zip = readFileSync(join(folder, archive));
  const sizes = [unpackedBytes(zip), zip.length].map((bytes) => (bytes / 1000).toFixed(1).padStart(14));
  console.log(basename(archive, ".zip").padEnd(20) + sizes.join(""));
}

/**
 * From the archive's central directory.
 * @see APPNOTE.TXT of the ZIP format, sections 4.3.12 and 4.3.16
 */
function unpackedBytes(zip: Buffer): number {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  let offset = zip.readUInt32LE(end + 16);
  let total = 0;
  for (let entry = zip.readUInt16LE(end + 10); entry > 0; entry -= 1) {
    total += zip.readUInt32LE(offset + 24);
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(offset + field));
    offset += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return total;
}
