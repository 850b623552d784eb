import { randomInt } from "node:crypto";
import process from "node:process";
import { parseArgs } from "node:util";
import { readArguments, UsageError } from "../../build/read-arguments.ts";
import { runNeighbours } from "./scenarios/neighbours.ts";
import { outages, runOutage } from "./scenarios/outage.ts";
import { rotationOrders, runRotations } from "./scenarios/rotation.ts";
import { runStopAndGo } from "./scenarios/stop-and-go.ts";
import { profiles, runStorm } from "./scenarios/storm.ts";
import { seed as fixedSeed } from "./seeds.ts";
import { percentile, type Verdict } from "./world/judge.ts";

// The long runs: `npm run chaos`. `CHAOS_SEED=…` repeats one, `npm run chaos -- storms` runs only one kind,
// `-- --quick` a tenth of everything. Prints one line of figures for each run; fails if a promise was broken.

const known = ["storms", "outages", "neighbours", "pauses", "rotations"];

const usage = `
Usage: npm run chaos -- [${known.join("|")}]… [--quick]

Plays what goes wrong, in virtual time; all kinds when none is named. CHAOS_SEED=<number> repeats a run.

  --quick     a tenth of everything
  -h, --help  prints this
`;

const { kinds, share } = readArguments(usage, (args) => {
  const options = { quick: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const unknown = positionals.find((word) => !known.includes(word));
  if (unknown !== undefined) {
    throw new UsageError(`There is no kind "${unknown}". There is ${known.join(", ")}.`);
  }
  return { kinds: positionals, share: values.quick ? 0.1 : 1 };
});
const seed = process.env.CHAOS_SEED === undefined ? randomInt(2 ** 31) : fixedSeed;
let breaches = 0;

console.log(`seed ${seed}`);
if (isWanted("storms")) {
  for (const [name, profile] of Object.entries(profiles)) {
    const figures = await runStorm({ seed, profile, messages: 10_000 * share, conversations: 300 });
    report(`storm: ${name}`, figures, `${figures.processDeaths} processes died`);
  }
}
if (isWanted("outages")) {
  const few = { seed, eventsPerSecond: 0.5, conversations: 60 };
  for (const [name, outage] of Object.entries(outages)) {
    const minutes = 120 * share;
    const figures = await runOutage({ ...few, outage, minutes });
    reportOutage(`outage of ${minutes} min: ${name}`, figures);
  }
  const minutes = 720 * share;
  const figures = await runOutage({ ...few, outage: outages.silence, minutes });
  reportOutage(`outage of ${minutes} min: silence`, figures);
}
if (isWanted("neighbours")) {
  const hours = 12 * share;
  const alone = await runNeighbours({ seed, events: 0, hours });
  const beside = await runNeighbours({ seed, events: 200_000 * share, hours });
  const ratio = beside.wellP50Ms / alone.wellP50Ms;
  const text = `the other app's median ${alone.wellP50Ms} → ${beside.wellP50Ms} ms, 99th percentile ${alone.wellP99Ms} → ${beside.wellP99Ms} ms`;
  report("an app out, the other app", beside.well, text);
  report(
    `an app out for ${hours} h`,
    beside.ill,
    `drained ${round(beside.drainedMinutes)} min after the end, ${beside.requests} requests meanwhile`,
  );
  if (ratio > 1.1) fail("the other app got slower");
}
if (isWanted("pauses")) {
  const few = { seed, messages: 3_000 * share, conversations: 300, minutes: 360 * share };
  const { verdict, pauses } = await runStopAndGo(few);
  report("pauses that come and go", verdict, `${pauses} pauses`);
}
if (isWanted("rotations")) {
  for (const [name, order] of Object.entries(rotationOrders)) {
    for (let round = 0; round < 5 * share; round += 1) {
      const { sent, refused, unanswered, left, isSamePassword, ...more } = await runRotations({
        seed: seed + round,
        perSecond: 50,
        order,
      });
      console.log(
        `rotation: ${name}: ${sent - unanswered} of ${sent} answered, ${refused} refused, ${left.length} left over; ${more.rotationDeaths} rotations and ${more.processesReplaced} processes died`,
      );
      if (refused + unanswered + left.length > 0 || !isSamePassword) fail("a rotation was noticed");
    }
  }
}
if (breaches > 0) {
  console.log(`${breaches} promises broken. To see it again: CHAOS_SEED=${seed} npm run chaos`);
  process.exitCode = 1;
}

function isWanted(kind: string): boolean {
  return kinds.length === 0 || kinds.includes(kind);
}

function reportOutage(name: string, figures: Awaited<ReturnType<typeof runOutage>>): void {
  const { firstAnswerMinutes, drainedMinutes, requests } = figures;
  const times = `first answer ${round(firstAnswerMinutes)} min after the end, drained after ${round(drainedMinutes)} min`;
  report(name, figures, `${times}, ${requests} requests meanwhile`);
  if (firstAnswerMinutes > 15 || drainedMinutes > 30) fail("too late");
}

function report(name: string, verdict: Verdict, text: string): void {
  const { facts, answered, lost, doubled, outOfOrder, dead, refused, stranded, latenciesMs } = verdict;
  const [p50, p99] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)].map(round);
  const counts = `lost ${lost.length}, doubled ${doubled.length}, out of order ${outOfOrder.length}, dead ${dead.length}`;
  console.log(
    `${name}: ${answered} of ${facts} answered, ${counts}; median ${p50} ms, 99 % ${p99} ms; ${text}`,
  );
  if (refused.length > 0) console.log(`  ${refused.length} were never taken`);
  const broken = [...lost, ...doubled, ...outOfOrder, ...stranded];
  const buried = dead.map(({ factId, reason, cause }) => `${factId} buried (${reason}: ${cause})`);
  if (broken.length > 0 || dead.length > 0) fail([...broken, ...buried].slice(0, 10).join("; "));
}

function fail(what: string): void {
  breaches += 1;
  console.log(`  BROKEN: ${what}`);
}

function round(value: number | undefined): number {
  return Math.round((value ?? Number.NaN) * 10) / 10;
}
