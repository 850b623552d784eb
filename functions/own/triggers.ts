import type { TriggerTable } from "../../lib/handle/on-trigger.ts";

/**
 * Your own triggers: they run before the shipped ones, in this order. Never rename one: effects are stored by
 * trigger name.
 */
export const ownTriggers: TriggerTable = {};
