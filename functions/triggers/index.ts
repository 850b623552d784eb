import type { TriggerTable } from "../../lib/handle/on-trigger.ts";
import { autoReply } from "./auto-reply.ts";
import { escalate } from "./escalate.ts";
import { forward } from "./forward.ts";
import { welcome } from "./welcome.ts";

/**
 * In order; the team's own are in functions/own/triggers.ts. Never rename one: effects are stored by its
 * name.
 */
export const shippedTriggers: TriggerTable = {
  "auto-reply": autoReply,
  welcome,
  escalate,
  forward,
};
