import type { TriggerTable } from "../../lib/handle/on-trigger.ts";
import { autoReply } from "./auto-reply.ts";
import { escalate } from "./escalate.ts";
import { forward } from "./forward.ts";
import { welcome } from "./welcome.ts";

/** The triggers that ship, in this order; those of the team are in functions/own/triggers.ts. Names must stay: effects are remembered by them. */
export const shippedTriggers: TriggerTable = {
  "auto-reply": autoReply,
  welcome,
  escalate,
  forward,
};
