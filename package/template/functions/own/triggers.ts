import type { TriggerTable } from "cometchat-functions/triggers";
import { missedCall } from "./missed-call.ts";

/**
 * Your own triggers: they run before the shipped ones, in this order. Never rename one: effects are stored by
 * trigger name.
 */
export const ownTriggers: TriggerTable = {
  "missed-call": missedCall,
};
