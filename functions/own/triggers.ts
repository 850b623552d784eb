import type { TriggerTable } from "../../lib/handle/on-trigger.ts";

/** They run before the shipped ones, in this order. Never rename one: effects are stored by its name. */
export const ownTriggers: TriggerTable = {};
