import { randomInt } from "node:crypto";
import { runFuzz } from "./run-fuzz.ts";

// Bodies that nobody thought of, through the real bundles: `npm run fuzz`. `-- --quick` takes 2,000 of them instead of
// 100,000; `FUZZ_SEED=…` repeats a run. Fails when a body was not answered as documented, or when what was queued was not
// handled, put into quarantine or buried with a cause at the first attempt.

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const count = process.argv.includes("--quick") ? 2_000 : 100_000;

console.log(`seed ${seed}, ${count} bodies`);
const say = console.log;
// The receiver writes a line for each body that it does not understand.
console.log = () => {};
const begun = performance.now();
const { answers, handled, quarantined, buried, slowestAnswerMs, breaches } = await runFuzz(seed, count);
console.log = say;

const seconds = Math.round((performance.now() - begun) / 1000);
say(`${seconds} s; slowest answer of the receiver ${Math.round(slowestAnswerMs)} ms`);
say(`answered: ${[...answers].map(([status, times]) => `${status} × ${times}`).join(", ")}`);
say(`queued: ${handled} handled, ${quarantined} put into quarantine, buried:`);
for (const [cause, times] of buried) say(`  ${times} × ${cause}`);
for (const { index, what, bytes } of breaches.slice(0, 20)) {
  say(`body ${index} was ${what}`);
  say(`  ${bytes.toString("utf8").slice(0, 400)}`);
}
if (breaches.length > 0) {
  say(`${breaches.length} promises broken. To see it again: FUZZ_SEED=${seed} npm run fuzz`);
  process.exitCode = 1;
}
