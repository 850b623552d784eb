import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readArguments } from "../../build/read-arguments.ts";
import { makeCostTables } from "./cost-page.ts";
import { agrees, fillPage, pageUrl, readPage } from "./page.ts";
import { allRows, calibrate, quotaTable, scenarioTable, tolerance } from "./scale-page.ts";

// `npm run scale` writes the tables of docs/internals/scale.md and docs/deploy.md; with `-- --check` it compares them instead, and
// fails where they differ or where the model is too far from the real code.

/** How far numbers that are counted may be from the page's, in shares. */
const drift = 0.05;

const usage = `
Usage: npm run scale -- [--check]

Counts in virtual time what loads cost and where quotas end, and writes the tables of docs/internals/scale.md and docs/deploy.md.

  --check     compares the tables instead; exit code 1 where they differ
  -h, --help  prints this
`;

const isCheck = readArguments(usage, (args) => {
  const options = { check: { type: "boolean", default: false } } as const;
  return parseArgs({ args, options }).values.check;
});
let isWrong = false;

update("deploy.md", await makeCostTables());
for (const { name, quantity, harness, model } of await calibrate()) {
  if (Math.abs(model / harness - 1) <= tolerance) continue;
  console.error(`The model is too far from the real code: ${name}, ${quantity}: ${model}, not ${harness}.`);
  isWrong = true;
}
update("internals/scale.md", {
  quotas: quotaTable(),
  scenarios: scenarioTable(allRows()),
});
if (isWrong) process.exitCode = 1;

function update(name: string, made: Readonly<Record<string, string>>): void {
  const before = readPage(name);
  const after = fillPage(before, made);
  if (before === after || (isCheck && agrees(before, after, drift))) {
    console.log(`docs/${name} is as it was.`);
    return;
  }
  if (isCheck) {
    console.error(`docs/${name} differs from what is counted now. Run: npm run scale`);
    isWrong = true;
    return;
  }
  writeFileSync(pageUrl(name), after);
  console.log(`Wrote docs/${name}.`);
}
