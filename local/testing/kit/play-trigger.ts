import * as z from "zod/mini";
import { checkCall } from "../../../lib/chat/check-call.ts";
import type { AppEvent } from "../../../lib/events/app-event.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import type { SettingsSource, Trigger, TriggerTable } from "../../../lib/handle/on-trigger.ts";
import { checkStoryOptions, eventSchema, isTrigger, longestMs, triggerSchema } from "../check-story.ts";
import { events } from "../events/events.ts";
import type { RunTriggerOptions, TriggerOutcome } from "../run-options.ts";
import { isDerived, playStory, usualTime } from "./play-story.ts";

const triggerName = "the-trigger";

export async function playTrigger(
  trigger: Trigger | TriggerTable,
  body: object,
  options: RunTriggerOptions,
): Promise<TriggerOutcome> {
  checkCall("runTrigger", "trigger", triggerSchema(), trigger);
  checkCall("runTrigger", "event", eventSchema(), body);
  checkStoryOptions("runTrigger", options, {
    deliveries: z.optional(z.int("a whole number").check(z.gte(1))),
    // Infinity means as often as the consumer does.
    attempts: z.optional(
      z.custom((value) => typeof value === "number" && value >= 1, "a number of at least 1"),
    ),
    ageMs: z.optional(z.number().check(z.gte(0), z.lte(longestMs))),
    config: z.optional(z.unknown()),
  });
  const { deliveries = 1, attempts = Number.POSITIVE_INFINITY, ageMs = 0, config } = options;
  const derived = isDerived(body) ? body : undefined;
  const delivery = derived === undefined ? body : carrierOf(derived);
  const { appId = "app-1" } = derived?.head ?? Object(delivery);
  const { head } = parse(delivery, appId);
  const settings = config === undefined ? undefined : { of: () => config };
  const table: TriggerTable = isTrigger(trigger) ? { [triggerName]: trigger } : trigger;
  const isFor = ({ names }: Trigger) =>
    derived === undefined ||
    isTrigger(trigger) ||
    names.some((name) => [derived.trigger, "*"].includes(name));
  const triggers = Object.entries(table).flatMap(([name, one]) =>
    isFor(one) ? [[name, handing(one, derived, settings)] as const] : [],
  );
  const outcome = await playStory(
    {
      triggers: Object.fromEntries(triggers),
      about: [body],
      deliveries: Array.from({ length: deliveries }, () => delivery),
      receivedAt: (options.clock ?? head.occurredAt ?? usualTime).getTime(),
      isOver: (failures) => failures >= attempts,
      appId,
      ageMs,
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

/** Instead of the derived event, a delivery of the same time. */
function carrierOf({ head }: AppEvent): object {
  const sentAt = Math.floor((head.occurredAt ?? usualTime).getTime() / 1000);
  const carrier = events.messageSent({ id: "9000" });
  Object.assign(Object(carrier.data.message), { sentAt, updatedAt: sentAt });
  return { ...carrier, appId: head.appId };
}

/** Instead of the delivery that carried it, with the test's settings. */
function handing(
  trigger: Trigger,
  derived: AppEvent | undefined,
  settings: SettingsSource<unknown> | undefined,
): Trigger {
  if (derived === undefined) return { ...trigger, run: (context) => trigger.run(context, settings) };
  return { names: ["*"], run: (context) => trigger.run({ ...context, event: derived }, settings) };
}
