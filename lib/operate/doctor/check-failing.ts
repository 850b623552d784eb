import { countOf } from "../../base/count-of.ts";
import { parseJson } from "../../base/json.ts";
import { identify } from "../../events/identity.ts";
import { openLaneStores } from "../../queue/lanes/lane-store.ts";
import { factsOf, payloadOf } from "../../queue/read-queued-event.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import type { DoctorServices, RecentLogs } from "./doctor-services.ts";
import { handlersOf } from "./failed-triggers.ts";
import { type Found, ok, wrong } from "./run-checks.ts";

type FailingLogs = Pick<RecentLogs, "failing" | "crashes" | "runningTrigger">;
type FailingServices = Pick<DoctorServices, "remedies" | "lanes" | "now">;

/** @throws AwsCallError */
export async function checkFailing(
  appId: string,
  services: FailingServices,
  logs: FailingLogs,
  facts: DeployedFacts | undefined,
): Promise<readonly Found[]> {
  const { remedies, lanes, now } = services;
  const listed = await logs.failing(appId);
  if (listed === undefined) return [wrong(tooMany, remedies.logs(appId))];
  const laneIds = new Set(listed.flatMap(({ waitsIn = [] }) => [...waitsIn]));
  const waiting = await openLaneStores(lanes, now).store.find([...laneIds]);
  const unresolved = listed.filter(
    ({ waitsIn }) => waitsIn === undefined || waitsIn.values().some((lane) => waiting.has(lane)),
  );
  const failing = unresolved.map(({ what, sinceMs, count, cause }) =>
    wrong(
      `The ${what} fails since ${new Date(sinceMs).toISOString().slice(0, 16)}Z, ${countOf(count, "time")}: ${cause}`,
      remedies.logs(appId),
    ),
  );
  const found = [...failing, ...(await findCrashes(appId, services, logs, facts))];
  return found.length > 0 ? found : [ok("No trigger or flow fails now.")];
}

const tooMany =
  "There are too many failures to tell what fails now. Fix what fails most often, and look again.";

async function findCrashes(
  appId: string,
  { lanes, now, remedies }: FailingServices,
  logs: FailingLogs,
  facts: DeployedFacts | undefined,
) {
  const { store } = openLaneStores(lanes, now);
  const found: Found[] = [];
  const crashes = await logs.crashes(appId);
  for (const [laneId, { head }] of await store.find([...crashes.keys()])) {
    if (head === undefined || head.progress.deaths === 0) continue;
    const [record] = await store.first(laneId, 1);
    const message = record?.messageBody ?? "";
    const event = factsOf(parseJson(message));
    if (event === undefined || record?.sequence !== head.sequence) continue;
    const { trigger, deliveryKey } = event;
    // The lane also counts a process that still runs.
    const crash = crashes.get(laneId);
    if (crash?.deliveryKey !== deliveryKey) continue;
    const isDone = (name: string) => head.progress.finished.includes(`${trigger} ${name}`);
    const [, , own] = laneId.split(" ");
    const known = own ?? (await logs.runningTrigger(laneId, deliveryKey));
    const others = () => handlersOf(trigger, appId, facts).filter((name) => !isDone(name));
    const who = known === undefined ? others() : [known];
    const conversation = conversationIn(payloadOf(message), appId);
    const where = conversation === undefined ? "" : ` of the conversation ${conversation}`;
    const { deaths } = crash;
    found.push(
      wrong(
        `${nameTriggers(who)} ended without a result ${deaths === 1 ? "once" : countOf(deaths, "time")} (crash, time-out, memory, or a table out of reach) with ${trigger}${where}.`,
        remedies.trace(appId, deliveryKey),
      ),
    );
    if (found.length === mostCrashes) break;
  }
  return found;
}

const mostCrashes = 5;

function nameTriggers(names: readonly string[]) {
  if (names.length === 0) return "A trigger";
  return names.length === 1 ? `The trigger ${names[0]}` : `One of the triggers ${names.join(", ")}`;
}

function conversationIn(payload: string | undefined, appId: string) {
  const lane = identify(parseJson(payload ?? ""), appId)?.lane ?? "";
  return /^(group_.+|.+_user_.+)$/.exec(lane.slice(appId.length + 1))?.[0];
}
