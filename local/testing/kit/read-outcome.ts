import { parseJson } from "../../../lib/base/json.ts";
import type { LogLine, OutsideRequestMade, StoryOutcome, WouldHave } from "../story-outcome.ts";
import { queueNames } from "../world/aws.ts";
import { type Exchange, readApiRequest, readSent } from "./exchanges.ts";
import { readRemembered } from "./kit-tables.ts";
import { showFlows } from "./played-flows.ts";
import type { Simulation } from "./simulation.ts";

export async function readOutcome(world: Simulation, startMs: number): Promise<StoryOutcome> {
  const { lines, counts, edges, struck: crashed, platform, clock } = world;
  return {
    sent: world.exchanges.flatMap(readSent),
    requests: world.exchanges.map(readApiRequest),
    requested: world.asked.map(toOutsideRequest),
    started: world.flows.started,
    flows: await showFlows(world),
    remembered: readRemembered(world.aws, clock.now()),
    wouldHave: lines.flatMap(toShown),
    log: lines,
    passedOver: lines.flatMap(({ message, fields }) =>
      message === "passed an event over" ? [fields.reason] : [],
    ),
    buried: buriedIn(world),
    failures: countFailures(world),
    tookMs: clock.now() - startMs,
    ...{ counts, edges, crashed, platform },
  };
}

export function countFailures({ lines }: Simulation): number {
  return lines.filter(({ message }) => failed.test(message)).length;
}

const failed = /^could not handle an event/;

function toOutsideRequest({ request, body, status }: Exchange): OutsideRequestMade {
  const { method, url, headers } = request;
  return { method, url, headers: Object.fromEntries(headers), body: parseJson(body) ?? body, status };
}

function toShown({ message, fields }: LogLine): WouldHave[] {
  if (message === "would have done an effect")
    return [{ name: String(fields.effect), kind: String(fields.kind) }];
  if (message === "would have sent a request")
    return [{ name: String(fields.operation), kind: "chat-request" }];
  return [];
}

function buriedIn({ aws, lines }: Simulation): StoryOutcome["buried"] {
  const { visible } = aws.queues.get(queueNames.deadLetters).queue.depth();
  if (visible === 0) return undefined;
  const last = lines.findLast(({ message }) => failed.test(message));
  return { reason: last?.fields.failure, cause: last?.fields.cause };
}
