import { countOf } from "../../lib/base/count-of.ts";
import { backlogOf } from "../../lib/operate/doctor/check-queues.ts";
import { passedOverReason } from "../../lib/queue/send-dead-letter.ts";
import type { lookAgain } from "./look-again.ts";
import type { Status } from "./status.ts";

export function findTroubles(
  { doctor, queues, functions, apps }: Pick<Status, "doctor" | "queues" | "functions" | "apps">,
  wrong: readonly { readonly says: string; readonly remedy?: string | undefined }[],
  {
    unsettled,
    isFailing,
    tooOld,
  }: Pick<Awaited<ReturnType<typeof lookAgain>>, "unsettled" | "isFailing" | "tooOld">,
  target: string,
): Status["troubles"] {
  const count = (queue: string) => {
    const found = queues.find((one) => one.queue === queue);
    return (found?.waiting ?? 0) + (found?.taken ?? 0);
  };
  const troubles: Status["troubles"] = wrong.map(({ says, remedy }) => ({ says, type: remedy }));
  const add = (says: string, type: string) =>
    troubles.push({ says, type: `npx cometchat-functions ${type} ${target}` });
  if (doctor !== undefined && unsettled.length > 0)
    add(
      `The scheduled doctor found a problem at ${doctor.at.slice(0, 16)}Z: ${unsettled.join(", ")}.`,
      unsettled.includes("canary") ? "doctor --canary" : "doctor",
    );
  const others = count("dead letters") - [...tooOld.values()].reduce((sum, one) => sum + one, 0);
  if (others > 0) add(`Dead-lettered events: ${others}.`, "dead-letters list");
  if (count("quarantine") > 0)
    add(`Quarantined deliveries: ${count("quarantine")}.`, "dead-letters list --quarantine");
  const events = queues.find(({ queue }) => queue === "events");
  const backlog = events && backlogOf(events);
  if (backlog !== undefined) add(backlog, "logs --function processEvents --level warn");
  for (const { function: name, throttles, isThrottledNow } of functions) {
    if (isThrottledNow)
      add(`${name} was throttled ${countOf(throttles, "time")} in the last hour.`, "doctor");
  }
  for (const { appId, closed, failures = {}, failing = [] } of apps) {
    for (const destination of closed) {
      add(
        `App ${appId}: the breaker of ${destination} is open; it is probed occasionally.`,
        `logs --app ${appId} --level warn`,
      );
    }
    const skipped = tooOld.get(appId);
    if (skipped !== undefined) {
      add(
        `App ${appId}: ${countOf(skipped, "event was", "events were")} skipped as too old.`,
        `dead-letters list --app ${appId} --text ${passedOverReason}`,
      );
    }
    for (const metric of failing.filter((one) => isFailing(appId, one))) {
      const number = failures[metric];
      add(
        `App ${appId}: ${metric} ${number} in the last hour.`,
        `logs --app ${appId} --level warn --since 1h`,
      );
    }
  }
  return troubles;
}
