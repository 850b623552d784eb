import type { TriggerTable } from "../../lib/triggers/run-triggers.ts";
import { autoReply } from "./auto-reply.ts";

/** What this app does with the platform's events, in this order. Names must stay: effects are remembered by them. */
export const triggers: TriggerTable = {
  "auto-reply": autoReply,
};
