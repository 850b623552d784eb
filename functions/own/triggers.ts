import type { TriggerTable } from "../../lib/handle/on-trigger.ts";

/** Your own triggers: they run before the shipped ones, in this order. Names must stay: effects are remembered by them. */
export const ownTriggers: TriggerTable = {};
