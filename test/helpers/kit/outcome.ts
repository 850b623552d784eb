import { isRecord, parseJson } from "../../../lib/json.ts";
import { queueNames } from "../../chaos/world/aws.ts";
import type { StartedFlow } from "./kit-flows.ts";
import { type Remembered, readRemembered } from "./kit-tables.ts";
import type { Exchange, KitWorld, LogLine } from "./kit-world.ts";
import { type PlayedFlow, showFlows } from "./played-flows.ts";

/** A request to another host that was carried out. */
export interface OutsideRequestMade {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
  readonly status: number;
}

/** A request to the platform's REST API that was carried out. */
export interface ApiRequest {
  readonly method: string;
  /** Without the version: `/messages`. */
  readonly path: string;
  readonly onBehalfOf: string | undefined;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly status: number;
  readonly answer: unknown;
}

/** A message that was sent. */
export interface SentMessage {
  readonly id: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly text: string | undefined;
  readonly metadata: object;
  /** As it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What was only shown, in shadow. */
export interface WouldHave {
  /** The effect's name, or the operation of a request that goes past the effects. */
  readonly name: string;
  /** The effect's, such as `send-text`; `chat-request`. */
  readonly kind: string;
}

/** What became of a story. */
export interface StoryOutcome {
  /** Messages that the platform took, whether the sender heard of it or not. */
  readonly sent: readonly SentMessage[];
  /** Everything that was asked of the platform and carried out. */
  readonly requests: readonly ApiRequest[];
  /** Everything that was asked of other hosts and carried out. */
  readonly requested: readonly OutsideRequestMade[];
  /** The flows that were started, in their order. */
  readonly started: readonly StartedFlow[];
  /** What became of them, in the same order. */
  readonly flows: readonly PlayedFlow[];
  /** State values by kind and key: `remembered["assigned-agent"]?.ann`. */
  readonly remembered: Remembered;
  /** What was only shown, in shadow. */
  readonly wouldHave: readonly WouldHave[];
  readonly log: readonly LogLine[];
  /** Why events were passed over, each time. */
  readonly passedOver: readonly unknown[];
  /** What was counted, by the metric's name. */
  readonly counts: ReadonlyMap<string, number>;
  /** Why an event was given up, if one was. */
  readonly buried: { readonly reason: unknown; readonly cause: unknown } | undefined;
  /** How many attempts at events failed. */
  readonly failures: number;
  /** Where a process could have died. */
  readonly edges: readonly string[];
  /** Where one did. */
  readonly crashed: readonly string[];
  /** How long all of it took, in milliseconds of the clock. */
  readonly tookMs: number;
  /** The platform as it is afterwards. */
  readonly platform: KitWorld["platform"];
}

/** Collects what became of a story that is over. */
export async function readOutcome(world: KitWorld, startMs: number): Promise<StoryOutcome> {
  const { lines, counts, edges, struck: crashed, platform, clock } = world;
  return {
    sent: world.exchanges.flatMap(toSent),
    requests: world.exchanges.map(toApiRequest),
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

/** Counts attempts at events that failed so far. */
export function countFailures({ lines }: KitWorld): number {
  return lines.filter(({ message }) => failed.test(message)).length;
}

const failed = /^could not handle an event/;

function toApiRequest({ request, body, status, answer }: Exchange): ApiRequest {
  const parsed = parseJson(body);
  return {
    method: request.method,
    path: new URL(request.url).pathname.replace(/^\/v3(\.0)?/, ""),
    onBehalfOf: request.headers.get("onBehalfOf") ?? undefined,
    body: isRecord(parsed) ? parsed : undefined,
    status,
    answer: parseJson(answer),
  };
}

function toOutsideRequest({ request, body, status }: Exchange): OutsideRequestMade {
  const { method, url, headers } = request;
  return { method, url, headers: Object.fromEntries(headers), body: parseJson(body) ?? body, status };
}

function toSent(exchange: Exchange): SentMessage[] {
  const { method, path, onBehalfOf: from, body = {}, status, answer } = toApiRequest(exchange);
  if (method !== "POST" || path !== "/messages" || status >= 300) return [];
  const { data = {}, receiver } = body as { data?: { text?: string; metadata?: object }; receiver: string };
  const stored = isRecord(answer) && isRecord(answer.data) ? answer.data : {};
  return [
    { id: String(stored.id), from, to: receiver, text: data.text, metadata: data.metadata ?? {}, body },
  ];
}

function toShown({ message, fields }: LogLine): WouldHave[] {
  if (message === "would have done an effect")
    return [{ name: String(fields.effect), kind: String(fields.kind) }];
  if (message === "would have sent a request")
    return [{ name: String(fields.operation), kind: "chat-request" }];
  return [];
}

function buriedIn({ aws, lines }: KitWorld): StoryOutcome["buried"] {
  const { visible } = aws.queues.get(queueNames.deadLetters).queue.depth();
  if (visible === 0) return undefined;
  const last = lines.findLast(({ message }) => failed.test(message));
  return { reason: last?.fields.failure, cause: last?.fields.cause };
}
