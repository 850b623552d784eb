import * as z from "zod/mini";
import { type EventName, isEventName } from "../../events/app-event.ts";
import { suggestTrigger } from "../../events/suggest-trigger.ts";

export const eventNameSchema = z.custom<EventName>(isEventName, {
  error: ({ input }) => suggestTrigger(String(input))?.reason ?? `There is no event "${input}".`,
});

/** Schema of `config/forward.yml`. */
export const forwardRulesSchema: z.ZodMiniType<ForwardRules> = z.strictObject({
  enabled: z.boolean(),
  triggers: z.array(eventNameSchema),
});

/** Events forwarded to other teams: config/forward.yml. */
export interface ForwardRules {
  /** Turns the forwarding on. */
  readonly enabled: boolean;
  /** Event names; `*` includes unknown events. */
  readonly triggers: EventName[];
}
