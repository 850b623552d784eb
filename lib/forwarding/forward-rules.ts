import * as z from "zod/mini";
import { suggestTrigger } from "../events/suggest-trigger.ts";
import { type EventName, isEventName } from "../triggers/app-event.ts";

const eventName = z.custom<EventName>(isEventName, {
  error: ({ input }) => suggestTrigger(String(input))?.reason ?? `There is no event "${input}".`,
});

/** What config/forward.yml may hold. */
export const forwardRulesSchema = z.strictObject({
  enabled: z.boolean(),
  triggers: z.array(eventName),
});

export type ForwardRules = z.infer<typeof forwardRulesSchema>;
