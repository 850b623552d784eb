import { writeFileSync } from "node:fs";
import { commandBlocksOf, fillCommandBlocks } from "./command-blocks.ts";
import { readCommandPages } from "./command-pages.ts";
import { startCommandWorld } from "./command-world.ts";

// Runs each command on the pages in `console` blocks, in the local world, and writes its output below it.
// With names of pages as arguments, only those: npx node test/docs/write-command-outputs.ts docs/operate.md
const named = process.argv.slice(2);
const pages = readCommandPages().filter(({ file }) => named.length === 0 || named.includes(file));
const world = await startCommandWorld();
try {
  for (const { file, path, text } of pages) {
    const blocks = commandBlocksOf(text);
    if (blocks.length === 0) continue;
    const written = fillCommandBlocks(text, await world.runPage(blocks));
    if (written !== text) writeFileSync(path, written);
    console.log(`${file}: ${blocks.length} commands, ${written === text ? "unchanged" : "written"}`);
  }
} finally {
  await world.close();
}
