import { durationMs } from "../../../lib/duration.ts";
import { toQueueMessage } from "../../../lib/event-queue/enqueue.ts";
import { identify } from "../../../lib/events/identity.ts";
import type { FlowDefinition, FlowTable } from "../../../lib/flows/define-flow.ts";
import type { PauseTarget } from "../../../lib/pauses/pause-settings.ts";
import { createPauseStore, type PauseStore } from "../../../lib/pauses/pause-store.ts";
import type { AppEvent } from "../../../lib/triggers/app-event.ts";
import type { DurationText, TriggerTable } from "../../../lib/triggers/on-trigger.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import type { AppSeed, GroupSeed } from "../../../local/platform/seed.ts";
import { seedOfEvent } from "../../../local/platform/seed-of-event.ts";
import { tableNames } from "../../chaos/world/aws.ts";
import { defaultTime } from "../events/body.ts";
import type { CrashPoint, EdgeCrash } from "./crashes.ts";
import { openKitTable } from "./kit-tables.ts";
import { createKitWorld, type KitWorld } from "./kit-world.ts";
import { countFailures, readOutcome, type StoryOutcome } from "./outcome.ts";
import { operateKitFlows } from "./played-flows.ts";

/** How a story is played. */
export interface StoryOptions {
  /** Where a process dies, once each, in this order; what it did is then attempted again, in a new process. */
  readonly crash?: CrashPoint | readonly (CrashPoint | EdgeCrash)[];
  /** When the story begins. Default: when its first event happened. */
  readonly clock?: Date;
  /** What happens later. */
  readonly later?: readonly Later[];
  /** The flows that may be started, and that events may wake. */
  readonly flows?: FlowTable;
  /** How often one flow may go on before the story is said never to end. Default: 100. */
  readonly mostTurns?: number;
  /** Everything decides, and does nothing. Default: false. */
  readonly shadow?: boolean;
  /** What the app's secret has besides its key. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What the app has besides whom the events name, and alice, bob, support and the group lobby. */
  readonly app?: Partial<Omit<AppSeed, "appId">>;
  /** Answers a request in the platform's place; undefined leaves it to the platform. */
  readonly answer?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Answers a request to another host. Default: 200 and an empty object. */
  readonly outside?: (request: Request) => Response | Promise<Response>;
  /** Hosts that may be asked besides those of config/requests.yml. */
  readonly allowedHosts?: readonly string[];
}

/**
 * What happens in a story, counted from its beginning: another delivery arrives, somebody cancels what runs of a flow, or
 * pauses the app, a trigger or a flow, or ends that.
 */
export type Later =
  | { readonly after: DurationText; readonly event: object }
  | { readonly after: DurationText; readonly cancel: FlowDefinition }
  | { readonly after: DurationText; readonly pause: PauseTarget }
  | { readonly after: DurationText; readonly resume: PauseTarget };

/** What is played. */
export interface Story {
  readonly triggers: TriggerTable;
  readonly appId: string;
  /** What the app must have had for it to happen, besides what happens later. */
  readonly about: readonly object[];
  /** The first event's deliveries; none for a flow that begins by itself. */
  readonly deliveries: readonly object[];
  /** How long they wait in the queue, in milliseconds. */
  readonly ageMs?: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Begins what no event begins. */
  readonly begin?: (world: KitWorld) => Promise<void>;
  /** Ends the story early. */
  readonly isOver?: (failures: number) => boolean;
}

/** Of an event that does not say when it happened. */
export const usualTime = new Date(defaultTime * 1000);
/** What is waited for 24 hours is buried then. */
const longestMs = 3 * 86_400_000;
/** Flows end within 366 days. */
const longestFlowMs = 400 * 86_400_000;

/** Plays a story to its end. @throws Error as `KitWorld.run`, and for a crash that never came */
export async function playStory(story: Story, options: StoryOptions): Promise<StoryOutcome> {
  const { triggers, appId, about, deliveries, receivedAt, ageMs = 0, isOver = () => false } = story;
  const { crash = [], secrets = {}, answer = () => undefined, allowedHosts = [] } = options;
  const { outside = () => Response.json({}), flows = [], mostTurns = 100, shadow = false } = options;
  const later = (options.later ?? []).map(toLater);
  const startMs = receivedAt + ageMs;
  assertOwnFacts([...deliveries, ...later.flatMap(({ event }) => event ?? [])], appId);
  const world = createKitWorld({
    app: appOf([...about, ...later.flatMap(({ event }) => event ?? [])], appId, options.app),
    crashes: typeof crash === "string" ? [crash] : crash,
    isShadow: shadow,
    ...{ triggers, flows, mostTurns, startMs, secrets, answer, outside, allowedHosts },
  });
  let count = 0;
  const deliver = (delivery: object, at: number) => {
    count += 1;
    world.enqueue({ ...toMessage(delivery, appId, at), MessageDeduplicationId: `delivery-${count}` });
  };
  for (const delivery of deliveries) deliver(delivery, receivedAt);
  for (const { afterMs, event, cancel, pause, resume } of later) {
    const atMs = startMs + afterMs;
    world.later(atMs, async () => {
      if (event !== undefined) {
        world.platform.add({ appId, messages: seedOfEvent(event, appId).messages });
        deliver(event, atMs);
      }
      if (cancel !== undefined) await cancelFlow(world, cancel);
      if (pause !== undefined) await pausesIn(world).begin(appId, pause, { by: "the test" });
      if (resume !== undefined) await pausesIn(world).end(appId, resume);
    });
  }
  await story.begin?.(world);
  const untilMs = startMs + (flows.length === 0 ? longestMs : longestFlowMs);
  await world.run(untilMs, () => isOver(countFailures(world)));
  world.assertCrashed();
  return readOutcome(world, startMs);
}

interface Moment {
  readonly afterMs: number;
  readonly event?: object;
  readonly cancel?: FlowDefinition;
  readonly pause?: PauseTarget;
  readonly resume?: PauseTarget;
}

function toLater({ after, ...later }: Later): Moment {
  const afterMs = durationMs(after);
  if ("event" in later && isDerived(later.event)) {
    throw new Error(
      "A derived event cannot come later by itself: give the deliveries that it is derived from.",
    );
  }
  return { afterMs, ...later };
}

let pauses = 0;

function pausesIn({ aws, clock }: KitWorld): PauseStore {
  const table = openKitTable(aws, tableNames.lanes, "item");
  return createPauseStore(table, clock.now, () => `pause-${++pauses}`);
}

async function cancelFlow(world: KitWorld, { name }: FlowDefinition): Promise<void> {
  const { operator } = operateKitFlows(world);
  for (const started of world.flows.started) if (started.name === name) await operator.cancel(started.id);
}

/** Tells a derived event from a delivery. */
export function isDerived(body: object): body is AppEvent {
  return "kind" in body && body.kind === "derived";
}

/** Two different events that the system takes for one would make a test pass for the wrong reason. */
function assertOwnFacts(deliveries: readonly object[], appId: string): void {
  const known = new Map<string, string>();
  for (const delivery of deliveries) {
    const { key } = identifyOrThrow(delivery, appId);
    const text = JSON.stringify(delivery);
    if ((known.get(key) ?? text) !== text) {
      throw new Error(
        `Two events of the story are the same fact for the system (${key}), and differ: give each an id of its own, such as events.messageSent({ id: "1002" }).`,
      );
    }
    known.set(key, text);
  }
}

function toMessage(delivery: object, appId: string, receivedAt: number) {
  const identity = identifyOrThrow(delivery, appId);
  return toQueueMessage({ appId, bytes: Buffer.from(JSON.stringify(delivery)), receivedAt }, identity);
}

function identifyOrThrow(delivery: object, appId: string) {
  const identity = identify(delivery, appId);
  if (identity === undefined) throw new Error("This is no delivery: it has no trigger.");
  return identity;
}

/**
 * What there must be for the events to have happened, and what every developer's app has. Of messages, those of the first
 * alone: the others come when they happen.
 */
function appOf(bodies: readonly object[], appId: string, addition: StoryOptions["app"] = {}): AppSeed {
  const [{ users, groups }] = defaultSeed.apps;
  const seeds = bodies.map((body) => seedOfEvent(body, appId));
  const { region } = seeds[0] ?? {};
  return {
    appId,
    ...(region !== undefined && { region }),
    roles: unique(
      "role",
      seeds.flatMap(({ roles }) => roles),
    ),
    messages: seeds[0]?.messages ?? [],
    ...addition,
    users: unique("uid", [...(addition.users ?? []), ...seeds.flatMap((seed) => seed.users), ...users]),
    groups: joined([...groups, ...seeds.flatMap((seed) => seed.groups), ...(addition.groups ?? [])]),
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

function unique<Key extends string, T extends Record<Key, unknown>>(key: Key, all: readonly T[]): T[] {
  return [...new Map(all.toReversed().map((one) => [one[key], one])).values()];
}
