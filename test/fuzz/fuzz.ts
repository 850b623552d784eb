import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { readArguments, UsageError } from "../../build/read-arguments.ts";
import { type Breach, runFuzz } from "./run-fuzz.ts";

// Bodies that nobody thought of, through the real bundles: `npm run fuzz`. `-- --quick` takes 2,000 of them instead of
// 100,000, `-- 500` as many as it says; `FUZZ_SEED=…` repeats a run. Fails when a body was not answered as documented, or
// when what was queued was not handled, put into quarantine or buried with a cause at the first attempt.

const usage = `
Usage: npm run fuzz -- [<count>] [--quick]

Sends bodies that nobody thought of through the built functions, 100,000 unless told. FUZZ_SEED=<number> repeats a run.

  --quick     2,000 of them
  -h, --help  prints this
`;

const count = readArguments(usage, (args) => {
  const options = { quick: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [asked, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`"${more[0]}" is one number too many.`);
  if (asked !== undefined && !/^[1-9]\d{0,8}$/.test(asked)) {
    throw new UsageError(`The number of bodies is a whole number, not "${asked}".`);
  }
  return asked === undefined ? (values.quick ? 2_000 : 100_000) : Number(asked);
});
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));

/** One mistake breaks thousands. */
const maxTold = 20;
let told = 0;

// What goes to standard output meanwhile is the functions' own.
const write = process.stdout.write.bind(process.stdout);
const say = (line: string) => write(`${line}\n`);
say(`seed ${seed}, ${count} bodies`);
const begun = performance.now();
const { answers, handled, quarantined, buried, slowestAnswerMs, breaches } = await runFuzz(seed, count, tell);

say(`${secondsSince(begun)} s; slowest answer of the receiver ${Math.round(slowestAnswerMs)} ms`);
say(`answered: ${[...answers].map(([status, times]) => `${status} × ${times}`).join(", ")}`);
say(`queued: ${handled} handled, ${quarantined} put into quarantine, ${sum([...buried.values()])} buried`);
for (const [cause, times] of buried) say(`  ${times} × ${cause}`);
if (breaches.length > 0) {
  say(`${breaches.length} promises broken. To see it again: FUZZ_SEED=${seed} npm run fuzz -- ${count}`);
  process.exitCode = 1;
}

function tell(index: number, breach: Breach | undefined): void {
  if ((index + 1) % 10_000 === 0) say(`${index + 1} after ${secondsSince(begun)} s`);
  if (breach === undefined || told >= maxTold) return;
  told += 1;
  say(`body ${index} ${breach.what}`);
  say(`  ${breach.bytes.toString("utf8").slice(0, 400)}`);
}

function secondsSince(startMs: number): number {
  return Math.round((performance.now() - startMs) / 1000);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
