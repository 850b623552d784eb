import * as z from "zod/mini";
import { suggestTrigger } from "../events/suggest-trigger.ts";
import { type EventName, isEventName } from "../triggers/app-event.ts";

/** The name of an event that a trigger handler can ask for. */
export const eventNameSchema = z.custom<EventName>(isEventName, {
  error: ({ input }) => suggestTrigger(String(input))?.reason ?? `There is no event "${input}".`,
});

/** What config/forward.yml may hold. */
export const forwardRulesSchema = z.strictObject({
  enabled: z.boolean(),
  triggers: z.array(eventNameSchema),
});

export type ForwardRules = z.infer<typeof forwardRulesSchema>;
