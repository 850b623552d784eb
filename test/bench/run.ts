import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readArguments } from "../../build/read-arguments.ts";
import { checkBudgets, toVerdictLines } from "./budgets.ts";
import { bundleCases } from "./bundle-cases.ts";
import { benchCases } from "./cases.ts";
import { createBenchEnvironment } from "./environment.ts";
import { checkLocalWorld } from "./local-world/local-world-figures.ts";
import { startLoopbackAws } from "./loopback-aws.ts";
import { measure } from "./measure.ts";
import { measureWarmRatio } from "./measure-warm-ratio.ts";

const usage = `
Usage: npm run bench -- [--quick]

Measures the receiver, the consumer and the local stack, and compares with the budgets; exit code 1 if one is exceeded.

  --quick     fewer rounds
  -h, --help  prints this
`;

const isQuick = readArguments(usage, (args) => {
  const options = { quick: { type: "boolean", default: false } } as const;
  return parseArgs({ args, options }).values.quick;
});
const [rounds, warmRounds] = isQuick ? [9, 3] : [30, 7];
const folder = await mkdtemp(join(tmpdir(), "bench-"));
const aws = await startLoopbackAws();
try {
  const files = await bundleCases(benchCases, folder);
  const environment = await createBenchEnvironment(aws.url);
  const onRound = (text: string) => process.stderr.write(`\r${text}   `);
  const measured = await measure(benchCases, files, { environment, rounds, onRound });
  onRound("warm");
  const warmRatio = await measureWarmRatio(files, { environment, rounds: warmRounds });
  onRound("the local stack");
  const verdicts = [...checkBudgets(measured, warmRatio, files), ...(await checkLocalWorld(warmRounds))];
  process.stderr.write("\r");
  console.log(toVerdictLines(verdicts));
  if (!verdicts.every(({ isKept }) => isKept)) process.exitCode = 1;
} finally {
  await aws.close();
  await rm(folder, { recursive: true });
}
