import type { TriggerTable } from "../../lib/triggers/on-trigger.ts";
import { autoReply } from "./auto-reply.ts";
import { escalate } from "./escalate.ts";
import { forward } from "./forward.ts";
import { welcome } from "./welcome.ts";

/** What this app does with the platform's events, in this order. Names must stay: effects are remembered by them. */
export const triggers: TriggerTable = {
  "auto-reply": autoReply,
  welcome,
  escalate,
  forward,
};
