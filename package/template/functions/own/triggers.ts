import type { TriggerTable } from "cometchat-functions/triggers";
import { missedCall } from "./missed-call.ts";

/** Your own triggers: they run before the shipped ones, in this order. Names must stay: effects are remembered by them. */
export const ownTriggers: TriggerTable = {
  "missed-call": missedCall,
};
