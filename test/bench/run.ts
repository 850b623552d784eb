import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readArguments, readCount, UsageError } from "../../build/read-arguments.ts";
import { checkBudgets, toVerdictLines } from "./budgets.ts";
import { bundleCases } from "./bundle-cases.ts";
import { benchCases } from "./cases.ts";
import { countFiles } from "./count-files.ts";
import { createBenchEnvironment } from "./environment.ts";
import { projectFolder } from "./esbuild-settings.ts";
import type { FlowResult } from "./flow/run-flow.ts";
import { checkLocalStack, measureLocalStack, toLocalStackLines } from "./local-stack/local-stack-figures.ts";
import { startLoopbackAws } from "./loopback-aws.ts";
import { type Effort, measure } from "./measure.ts";
import { measureWarmRatio } from "./measure-warm-ratio.ts";
import { toResults } from "./results.ts";
import { isPinned } from "./run-sample.ts";
import { toTable } from "./table.ts";

const usage = `
Usage: npm run bench -- [--check] [--quick] | --flow [--messages <number>]…

  (none)      measures everything and writes docs/internals/bench/
  --check     compares with the budgets; the exit code tells. Writes nothing
  --flow      sends messages through the whole system on this machine, 1,000 and 10,000 of them;
              --flow --messages 50000 another number (may be repeated). Writes docs/internals/bench/flow.json
  --quick     fewer warm rounds, without the peers that need packages of their own. Writes nothing
  -h, --help  prints this
`;

const thorough: Effort = { coldRounds: 30, warmUpRounds: 3, warmRounds: 7, warmInvocations: 4000 };
// No budget is of warm invocations of one case alone: measureWarmRatio makes its own.
const quick: Effort = { coldRounds: 30, warmUpRounds: 1, warmRounds: 3, warmInvocations: 100 };

const options = {
  check: { type: "boolean", default: false },
  quick: { type: "boolean", default: false },
  flow: { type: "boolean", default: false },
  messages: { type: "string", multiple: true },
} as const;
const told = readArguments(usage, (args) => {
  const { check, quick, flow, messages = [] } = parseArgs({ args, options }).values;
  if (flow && (check || quick)) {
    throw new UsageError("--flow stands alone: it knows neither --check nor --quick.");
  }
  if (messages.length > 0 && !flow) throw new UsageError("--messages goes with --flow.");
  const sizes = messages.map((text) => readCount("messages", text));
  return {
    flow: flow ? (sizes.length > 0 ? sizes : [1_000, 10_000]) : undefined,
    isCheck: check,
    isQuick: quick,
  };
});
process.exitCode = told.flow === undefined ? await bench(told.isCheck, told.isQuick) : await flow(told.flow);

async function bench(isCheck: boolean, isQuick: boolean): Promise<number> {
  if (!isQuick) installPeers();
  const cases = benchCases.filter(({ isPeer }) => !(isPeer && isQuick));
  const effort = isQuick ? quick : thorough;
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const aws = await startLoopbackAws();
  try {
    const bundles = await bundleCases(cases, folder);
    const onRound = (text: string) => process.stderr.write(`\r${text}   `);
    const environment = await createBenchEnvironment(aws.url);
    const { measured, ratios } = await measure(cases, bundles, { environment, effort, onRound });
    onRound("warm, receiver and bare minimum in turns");
    const warmRatio = await measureWarmRatio(bundles, { environment, rounds: effort.warmRounds });
    process.stderr.write("\r");
    const results = toResults(cases, bundles, measured, { effort, isPinned, ratios, warmRatio });
    const { loaded, executed } = await countFiles(folder, environment);
    const greeting = `One greeting: the consumer loads ${loaded} files of this project, and runs functions of ${executed}.`;
    const parts = [`${results.processor}, Node ${results.node}`, toTable(results), greeting];
    console.log(parts.join("\n\n"));
    if (!isCheck && !isQuick) await write(results, parts);
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

async function flow(sizes: readonly number[]): Promise<number> {
  const { runFlow } = await import("./flow/run-flow.ts"); // the whole local stack, which the rest does without
  const results: FlowResult[] = [];
  for (const messages of sizes) {
    results.push(await runFlow(messages, (text) => process.stderr.write(`\r${text}   `)));
    process.stderr.write("\r");
    console.log(toFlowTables(results.slice(-1)));
  }
  await writeDocument("flow.json", `${JSON.stringify(results, null, 2)}\n`);
  await writeDocument("flow.md", `${toFlowTables(results)}\n`);
  return results.every(({ lost, twice }) => lost === 0 && twice === 0) ? 0 : 1;
}

async function write(results: ReturnType<typeof toResults>, parts: readonly string[]) {
  await writeDocument("results.json", `${JSON.stringify(results, null, 2)}\n`);
  await writeDocument("results.md", `${parts.join("\n\n")}\n`);
}

async function writeDocument(name: string, content: string) {
  const folder = join(projectFolder, "docs", "internals", "bench");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), content);
}

/** The peers' packages are not the project's: they are installed when somebody compares. */
function installPeers() {
  const folder = join(import.meta.dirname, "peers");
  if (existsSync(join(folder, "node_modules", "@slack", "bolt"))) return;
  process.stderr.write("Installing the peers (once) …\n");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", 2, "inherit"],
  });
  if (status !== 0) throw new Error("Could not install test/bench/peers. Try --quick, which does without.");
}

/** Lays the runs out as Markdown: one table for the way, one for the CPU of each stage. */
function toFlowTables(results: readonly FlowResult[]) {
  const stages = [...new Set(results.flatMap(({ cpuMsPerMessage }) => Object.keys(cpuMsPerMessage)))];
  const rows = results.map(
    (one) =>
      `| ${one.messages} | ${one.deliveries} | ${one.lost} | ${one.twice} | ${one.seconds.toFixed(1)} | ${one.messagesPerSecond.toFixed(0)} | ${one.p50Ms.toFixed(0)} | ${one.p99Ms.toFixed(0)} |`,
  );
  const stageRows = stages.map(
    (stage) =>
      `| ${stage} | ${results.map(({ cpuMsPerMessage }) => (cpuMsPerMessage[stage] ?? 0).toFixed(2)).join(" | ")} |`,
  );
  return [
    "| messages | deliveries | lost | answered twice | seconds | messages/s | p50 ms | p99 ms |",
    "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...rows,
    "",
    `| CPU ms per message | ${results.map(({ messages }) => messages).join(" | ")} |`,
    `|---|${results.map(() => "---:").join("|")}|`,
    ...stageRows,
  ].join("\n");
}
