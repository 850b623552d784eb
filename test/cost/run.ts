import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readArguments } from "../../build/read-arguments.ts";
import { makeCostTables } from "./cost-page.ts";
import { agrees, fillPage } from "./page.ts";

/** How far counted numbers may be from the page's, in shares. */
const drift = 0.05;

const usage = `
Usage: npm run cost -- [--check]

Counts in virtual time what webhooks cost, and writes the tables of docs/deploy.md.

  --check     compares the tables instead; exit code 1 where they differ
  -h, --help  prints this
`;

const isCheck = readArguments(usage, (args) => {
  const options = { check: { type: "boolean", default: false } } as const;
  return parseArgs({ args, options }).values.check;
});
const page = new URL("../../docs/deploy.md", import.meta.url);
const before = readFileSync(page, "utf8");
const after = fillPage(before, await makeCostTables());
if (before === after || (isCheck && agrees(before, after, drift))) {
  console.log("docs/deploy.md is as it was.");
} else if (isCheck) {
  console.error("docs/deploy.md differs from what is counted now. Run: npm run cost");
  process.exitCode = 1;
} else {
  writeFileSync(page, after);
  console.log("Wrote docs/deploy.md.");
}
