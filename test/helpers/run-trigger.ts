import { toQueueMessage } from "../../lib/event-queue/enqueue.ts";
import { identify } from "../../lib/events/identity.ts";
import { parseEvent } from "../../lib/events/parse-event.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import type { AppEvent } from "../../lib/triggers/app-event.ts";
import type { Trigger } from "../../lib/triggers/on-trigger.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import type { AppSeed, GroupSeed } from "../../local/platform/seed.ts";
import { seedOfEvent } from "../../local/platform/seed-of-event.ts";
import { queueNames } from "../chaos/world/aws.ts";
import { defaultTime } from "./events/body.ts";
import { events } from "./events/events.ts";
import type { CrashPoint, EdgeCrash } from "./kit/crashes.ts";
import { createKitWorld, type Exchange, type KitWorld, type LogLine } from "./kit/kit-world.ts";

export interface RunTriggerOptions {
  /** How often the same event is handed over. Default: 1. */
  readonly deliveries?: number;
  /** How many attempts at it may fail before the run is over. Default: as many as the consumer makes. */
  readonly attempts?: number;
  /** Where the process dies, once each, in this order; the event is then attempted again, in a new process. */
  readonly crash?: CrashPoint | readonly (CrashPoint | EdgeCrash)[];
  /** When the event is received. Default: when it happened. */
  readonly clock?: Date;
  /** How long the event waits in the queue before it is handled, in milliseconds. Default: 0. */
  readonly ageMs?: number;
  /** What the app's secret has besides its key. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What the app has besides whom the event names, and alice, bob, support and the group lobby. */
  readonly app?: Partial<Omit<AppSeed, "appId">>;
  /** Answers a request in the platform's place; undefined leaves it to the platform. */
  readonly answer?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Answers a request to another host. Default: 200 and an empty object. */
  readonly outside?: (request: Request) => Response | Promise<Response>;
  /** Hosts that may be asked besides those of config/requests.yml. */
  readonly allowedHosts?: readonly string[];
}

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

/** A message that the trigger sent. */
export interface SentMessage {
  readonly id: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly text: string | undefined;
  readonly metadata: object;
  /** As it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface TriggerOutcome {
  /** Messages that the platform took, whether the trigger heard of it or not. */
  readonly sent: readonly SentMessage[];
  /** Everything that was asked of the platform and carried out. */
  readonly requests: readonly ApiRequest[];
  /** Everything that was asked of other hosts and carried out. */
  readonly requested: readonly OutsideRequestMade[];
  readonly log: readonly LogLine[];
  /** Why the event was passed over, each time. */
  readonly passedOver: readonly unknown[];
  /** What was counted, by the metric's name. */
  readonly counts: ReadonlyMap<string, number>;
  /** Whether the event was handled to its end. */
  readonly isHandled: boolean;
  /** Why it was given up, if it was. */
  readonly buried: { readonly reason: unknown; readonly cause: unknown } | undefined;
  /** How many attempts at it failed. */
  readonly failures: number;
  /** Where the process could have died. */
  readonly edges: readonly string[];
  /** How long all of it took, in milliseconds of the clock. */
  readonly tookMs: number;
  /** The platform as it is afterwards. */
  readonly platform: KitWorld["platform"];
}

/** Of an event that does not say when it happened. */
const usualTime = new Date(defaultTime * 1000);
const triggerName = "the-trigger";
/** What is waited for 24 hours is buried then. */
const longestMs = 3 * 86_400_000;

/**
 * Hands one event to one trigger, and plays the world: the real consumer, with the emulated platform, the queues and the tables
 * in memory, and a clock that moves by itself. Give it the body of a delivery, as the builders make it, or a derived event.
 * @throws Error for a body that is no event, and for a crash that never came
 * @example const { sent } = await runTrigger(thanks, events.messageSent({ text: "thanks" }), { crash: "after send" });
 */
export async function runTrigger(
  trigger: Trigger,
  body: object,
  options: RunTriggerOptions = {},
): Promise<TriggerOutcome> {
  const { deliveries = 1, attempts = Number.POSITIVE_INFINITY, crash = [], ageMs = 0 } = options;
  const { secrets = {}, answer = () => undefined } = options;
  const { outside = () => Response.json({}), allowedHosts = [] } = options;
  const derived = isDerived(body) ? body : undefined;
  const delivery = derived === undefined ? body : carrierOf(derived);
  const { appId = "app-1" } = derived?.head ?? Object(delivery);
  const { head } = parse(delivery, appId);
  const receivedAt = (options.clock ?? head.occurredAt ?? usualTime).getTime();
  const startMs = receivedAt + ageMs;
  const world = createKitWorld({
    triggers: { [triggerName]: derived === undefined ? trigger : handing(trigger, derived) },
    app: appOf(body, appId, options.app),
    startMs,
    crashes: typeof crash === "string" ? [crash] : crash,
    secrets,
    settings: { ENABLED_TRIGGERS: triggerName },
    ...{ answer, outside, allowedHosts },
  });
  for (let count = 1; count <= deliveries; count += 1) {
    world.enqueue({ ...toMessage(delivery, appId, receivedAt), MessageDeduplicationId: `delivery-${count}` });
  }
  const failures = () => world.lines.filter(({ message }) => failed.test(message)).length;
  await world.run(startMs + longestMs, () => failures() >= attempts);
  world.assertCrashed();

  return {
    sent: world.exchanges.flatMap(toSent),
    requests: world.exchanges.map(toApiRequest),
    requested: world.asked.map(toOutsideRequest),
    log: world.lines,
    passedOver: world.lines.flatMap(({ message, fields }) =>
      message === "passed an event over" ? [fields.reason] : [],
    ),
    counts: world.counts,
    isHandled: world.lines.some(({ message }) => message === "handled an event"),
    buried: buriedIn(world),
    failures: failures(),
    edges: world.edges,
    tookMs: world.clock.now() - startMs,
    platform: world.platform,
  };
}

const failed = /^could not handle an event/;

/** What there must be for the event to have happened, and what every developer's app has. */
function appOf(body: object, appId: string, addition: RunTriggerOptions["app"] = {}): AppSeed {
  const [{ users, groups }] = defaultSeed.apps;
  const named = seedOfEvent(body, appId);
  return {
    ...named,
    ...addition,
    users: unique("uid", [...(addition.users ?? []), ...named.users, ...users]),
    groups: joined([...groups, ...named.groups, ...(addition.groups ?? [])]),
  } as AppSeed;
}

/** One group is told of in several places: who is a member in one of them is. */
function joined(groups: readonly GroupSeed[]): GroupSeed[] {
  const all = new Map<string, GroupSeed>();
  for (const group of groups) {
    const known = all.get(group.guid);
    all.set(group.guid, { ...known, ...group, members: { ...known?.members, ...group.members } });
  }
  return [...all.values()];
}

function unique<Key extends string, T extends Record<Key, string>>(key: Key, all: readonly T[]): T[] {
  return [...new Map(all.toReversed().map((one) => [one[key], one])).values()];
}

function toMessage(delivery: object, appId: string, receivedAt: number) {
  const identity = identify(delivery, appId);
  if (identity === undefined) throw new Error("This is no delivery: it has no trigger.");
  return toQueueMessage({ appId, bytes: Buffer.from(JSON.stringify(delivery)), receivedAt }, identity);
}

function parse(body: object, appId: string): AppEvent {
  const parsed = parseEvent(structuredClone(body), { appId });
  if (parsed.ok) return parsed.event;
  throw new Error(`This is no event: ${JSON.stringify(parsed.problems)}`);
}

function isDerived(body: object): body is AppEvent {
  return "kind" in body && body.kind === "derived";
}

/** A derived event does not travel: a delivery of the same moment is sent in its place. */
function carrierOf({ head }: AppEvent): object {
  const sentAt = Math.floor((head.occurredAt ?? usualTime).getTime() / 1000);
  const carrier = events.messageSent({ id: "9000" });
  Object.assign(Object(carrier.data.message), { sentAt, updatedAt: sentAt });
  return { ...carrier, appId: head.appId };
}

/** Hands a derived event to a trigger, in the place of what carried it. */
function handing(trigger: Trigger, event: AppEvent): Trigger {
  return { ...trigger, names: ["*"], run: (context) => trigger.run({ ...context, event }) };
}

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

function buriedIn({ aws, lines }: KitWorld): TriggerOutcome["buried"] {
  const { visible } = aws.queues.get(queueNames.deadLetters).queue.depth();
  if (visible === 0) return undefined;
  const last = lines.findLast(({ message }) => failed.test(message));
  return { reason: last?.fields.failure, cause: last?.fields.cause };
}
