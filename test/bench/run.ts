import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readArguments } from "../../build/read-arguments.ts";
import { checkBudgets, toVerdictLines, warmLimit } from "./budgets.ts";
import { bundleCases } from "./bundle-cases.ts";
import { benchCases } from "./cases.ts";
import { countFiles } from "./count-files.ts";
import { createBenchEnvironment } from "./environment.ts";
import { projectFolder } from "./esbuild-settings.ts";
import { checkLocalStack, measureLocalStack, toLocalStackLines } from "./local-stack/local-stack-figures.ts";
import { startLoopbackAws } from "./loopback-aws.ts";
import { type Effort, measure } from "./measure.ts";
import { measureWarmRatio } from "./measure-warm-ratio.ts";
import { toResults } from "./results.ts";
import { isPinned } from "./run-sample.ts";
import { toTable } from "./table.ts";

const usage = `
Usage: npm run bench -- [--check] [--quick]

  (none)      measures everything and writes docs/internals/bench/
  --check     compares with the budgets; the exit code tells. Writes nothing
  --quick     fewer rounds. Writes nothing
  -h, --help  prints this
`;

const thorough: Effort = { coldRounds: 30, warmUpRounds: 3, warmRounds: 7, warmInvocations: 4000 };
// No budget is of warm invocations of one case alone: measureWarmRatio makes its own.
const quick: Effort = { coldRounds: 8, warmUpRounds: 1, warmRounds: 3, warmInvocations: 100 };

const options = {
  check: { type: "boolean", default: false },
  quick: { type: "boolean", default: false },
} as const;
const { check, quick: isQuick } = readArguments(usage, (args) => parseArgs({ args, options }).values);
process.exitCode = await bench(check, isQuick);

async function bench(isCheck: boolean, isQuick: boolean): Promise<number> {
  const effort = isQuick ? quick : thorough;
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const aws = await startLoopbackAws();
  try {
    const bundles = await bundleCases(benchCases, folder);
    const onRound = (text: string) => process.stderr.write(`\r${text}   `);
    const environment = await createBenchEnvironment(aws.url);
    const { measured, ratios } = await measure(benchCases, bundles, { environment, effort, onRound });
    onRound("warm, receiver and bare minimum in turns");
    const warmTurns = isQuick ? { rounds: 12, enough: warmLimit } : { rounds: effort.warmRounds, enough: 0 };
    const warmRatio = await measureWarmRatio(bundles, { environment, ...warmTurns });
    process.stderr.write("\r");
    const results = toResults(benchCases, bundles, measured, { effort, isPinned, ratios, warmRatio });
    const { loaded, executed } = await countFiles(folder, environment);
    const greeting = `One greeting: the consumer loads ${loaded} files of this project, and runs functions of ${executed}.`;
    const parts = [`${results.processor}, Node ${results.node}`, toTable(results), greeting];
    console.log(parts.join("\n\n"));
    if (!isCheck && !isQuick) await write(results);
    onRound("the local stack");
    const localStack = await measureLocalStack(effort.warmRounds);
    process.stderr.write("\r");
    console.log(`\n${toLocalStackLines(localStack)}`);
    if (!isCheck) return 0;
    const verdicts = [...checkBudgets(results), ...checkLocalStack(localStack)];
    console.log(`\n${toVerdictLines(verdicts)}`);
    return verdicts.every(({ isKept }) => isKept) ? 0 : 1;
  } finally {
    await aws.close();
    await rm(folder, { recursive: true });
  }
}

async function write(results: ReturnType<typeof toResults>) {
  const folder = join(projectFolder, "docs", "internals", "bench");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "results.json"), `${JSON.stringify(results, null, 2)}\n`);
}
