import { readQueueCounts, readQueueDepth } from "../../aws/queue-counts.ts";
import { newestIn, oldestIn, readMetrics } from "../../aws/read-metrics.ts";
import { countOf } from "../../base/count-of.ts";
import { planHint } from "../../chat/lacks-feature.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, wrong } from "./finding.ts";
import type { Check } from "./run-checks.ts";

export function queueChecks(services: DoctorServices): readonly Check[] {
  const { callAws, queueUrls, remedies, now } = services;
  return [
    {
      name: "queue",
      run: async () => {
        const [{ waiting, taken }, ages] = await Promise.all([
          readQueueCounts(callAws, queueUrls.events),
          readMetrics(callAws, [oldestIn(queueUrls.events)], { fromMs: now() - lookedAtMs, toMs: now() }),
        ]);
        const backlog = backlogOf({ waiting, oldestSeconds: newestIn(ages[0] ?? [])?.[1] });
        const waits = `${countOf(waiting, "event waits", "events wait")} and ${countOf(taken, "is", "are")} being handled`;
        return backlog === undefined
          ? ok(`${waits}.`)
          : wrong(`${waits}. ${backlog}`, remedies.warningsOf("processEvents"));
      },
    },
    {
      name: "dead-letters",
      run: async () => {
        const count = await readQueueDepth(callAws, queueUrls.deadLetters);
        return count === 0 ? ok("No event is dead-lettered.") : reportDeadLetters(count, services);
      },
    },
    {
      name: "quarantine",
      run: async () => {
        const count = await readQueueDepth(callAws, queueUrls.quarantine);
        return count === 0
          ? ok("No delivery is in quarantine.")
          : wrong(
              `${countOf(count, "unreadable delivery is", "unreadable deliveries are")} in quarantine.`,
              remedies.listQuarantine,
            );
      },
    },
  ];
}

/** One finding per group of equal causes, and one for the rest. */
async function reportDeadLetters(
  count: number,
  { remedies, groupDeadLetters }: DoctorServices,
): Promise<readonly Found[]> {
  // Without the right to read them, dead letters are still reported.
  const groups = (await groupDeadLetters?.().catch(() => [])) ?? [];
  const told = groups.slice(0, mostGroups);
  const others = count - told.reduce((sum, group) => sum + group.count, 0);
  const findings = told.map(({ name, count: ofGroup, trigger, appId, cause, reason }) => {
    // SQS may have moved a message that is no event, of no app.
    const of = [trigger, appId && `app ${appId}`].filter((known) => known !== "").join(", ");
    const what = `${countOf(ofGroup, "dead letter")} (${reason})${of && ` of ${of}`}`;
    const plan = cause.includes("ERR_FEATURE_NOT_ACCESSIBLE") ? ` ${planHint}` : "";
    return wrong(`${what}: ${cause}${plan}`, remedies.listCause(name));
  });
  if (others <= 0) return findings;
  const what = told.length > 0 ? "more dead letter" : "dead letter";
  return [...findings, wrong(`${countOf(others, what)} in the queue.`, remedies.listDeadLetters)];
}

const mostGroups = 5;

/** As infrastructure/alarms.yml. A failing lane waits on the table, not here. */
const longestSeconds = 600;

/** Undefined unless the events' queue waits too long. */
export function backlogOf({
  waiting,
  oldestSeconds = 0,
}: {
  readonly waiting: number;
  readonly oldestSeconds?: number | undefined;
}): string | undefined {
  if (waiting === 0 || oldestSeconds <= longestSeconds) return undefined;
  return `The oldest event waits for ${countOf(Math.round(oldestSeconds / 60), "minute")}.`;
}

/** SQS publishes a value per minute, some minutes late. */
const lookedAtMs = 900_000;
