import type { TriggerTable } from "cometchat-functions/triggers";
import { missedCall } from "./missed-call.ts";

/** They run before the shipped ones, in this order. Never rename one: effects are stored by its name. */
export const ownTriggers: TriggerTable = {
  "missed-call": missedCall,
};
