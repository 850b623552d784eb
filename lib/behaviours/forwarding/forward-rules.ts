import * as z from "zod/mini";
import { type EventName, isEventName } from "../../events/app-event.ts";
import { suggestTrigger } from "../../events/suggest-trigger.ts";

/** The name of an event that a trigger handler can ask for. */
export const eventNameSchema = z.custom<EventName>(isEventName, {
  error: ({ input }) => suggestTrigger(String(input))?.reason ?? `There is no event "${input}".`,
});

/** What config/forward.yml may hold. */
export const forwardRulesSchema: z.ZodMiniType<ForwardRules> = z.strictObject({
  enabled: z.boolean(),
  triggers: z.array(eventNameSchema),
});

/** Which events are handed on to other teams: config/forward.yml. */
export interface ForwardRules {
  /** Whether any is. */
  readonly enabled: boolean;
  /** Their names; `*` stands for every event, unknown ones too. */
  readonly triggers: EventName[];
}
