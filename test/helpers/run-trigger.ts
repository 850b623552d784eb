import { parseEvent } from "../../lib/events/parse-event.ts";
import type { AppEvent } from "../../lib/triggers/app-event.ts";
import type { SettingsSource, Trigger } from "../../lib/triggers/on-trigger.ts";
import { events } from "./events/events.ts";
import type { StoryOutcome } from "./kit/outcome.ts";
import { isDerived, playStory, type StoryOptions, usualTime } from "./kit/play-story.ts";

export interface RunTriggerOptions extends StoryOptions {
  /** How often the same event is handed over. Default: 1. */
  readonly deliveries?: number;
  /** How many attempts at it may fail before the run is over. Default: as many as the consumer makes. */
  readonly attempts?: number;
  /** How long the event waits in the queue before it is handled, in milliseconds. Default: 0. */
  readonly ageMs?: number;
  /** What the trigger is given as `settings`, in place of what config/ says. */
  readonly config?: unknown;
}

export interface TriggerOutcome extends StoryOutcome {
  /** Whether all events of the story were handled to their end. */
  readonly isHandled: boolean;
}

const triggerName = "the-trigger";

/**
 * Hands one event to one trigger, and plays the world: the real consumer, with the emulated platform, the queues and the tables
 * in memory, and a clock that moves by itself. Give it the body of a delivery, as the builders make it, or a derived event.
 * The flows among `flows` are played, too; what happens later stands in `later`.
 * @throws Error for a body that is no event, a crash that never came, a flow that is not given, and a story that never ends
 * @example const { sent } = await runTrigger(thanks, events.messageSent({ text: "thanks" }), { crash: "after send" });
 */
export async function runTrigger(
  trigger: Trigger,
  body: object,
  options: RunTriggerOptions = {},
): Promise<TriggerOutcome> {
  const { deliveries = 1, attempts = Number.POSITIVE_INFINITY, ageMs = 0, config } = options;
  const derived = isDerived(body) ? body : undefined;
  const delivery = derived === undefined ? body : carrierOf(derived);
  const { appId = "app-1" } = derived?.head ?? Object(delivery);
  const { head } = parse(delivery, appId);
  const settings = config === undefined ? undefined : { of: () => config };
  const outcome = await playStory(
    {
      triggers: { [triggerName]: handing(trigger, derived, settings) },
      about: [body],
      deliveries: Array.from({ length: deliveries }, () => delivery),
      receivedAt: (options.clock ?? head.occurredAt ?? usualTime).getTime(),
      isOver: (failures) => failures >= attempts,
      ...{ appId, ageMs },
    },
    options,
  );
  const handled = outcome.log.filter(({ message }) => message === "handled an event").length;
  const all = deliveries + (options.later ?? []).filter((later) => "event" in later).length;
  return { ...outcome, isHandled: handled >= all && outcome.buried === undefined };
}

function parse(body: object, appId: string): AppEvent {
  const parsed = parseEvent(structuredClone(body), { appId });
  if (parsed.ok) return parsed.event;
  throw new Error(`This is no event: ${JSON.stringify(parsed.problems)}`);
}

/** A derived event does not travel: a delivery of the same moment is sent in its place. */
function carrierOf({ head }: AppEvent): object {
  const sentAt = Math.floor((head.occurredAt ?? usualTime).getTime() / 1000);
  const carrier = events.messageSent({ id: "9000" });
  Object.assign(Object(carrier.data.message), { sentAt, updatedAt: sentAt });
  return { ...carrier, appId: head.appId };
}

/** Hands a derived event to a trigger, in the place of what carried it, and the test's settings. */
function handing(
  trigger: Trigger,
  derived: AppEvent | undefined,
  settings: SettingsSource<unknown> | undefined,
): Trigger {
  if (derived === undefined) return { ...trigger, run: (context) => trigger.run(context, settings) };
  return { names: ["*"], run: (context) => trigger.run({ ...context, event: derived }, settings) };
}
