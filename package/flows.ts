/**
 * Defines flows, which take longer than one event: waiting, asking, reminding (docs/flows.md).
 * @module cometchat-functions/flows
 */

import "../lib/base/needs-node.ts";

export type { Effect } from "../lib/effects/effect.ts";
export { startFlow } from "../lib/effects/start-flow.ts";
export {
  defineFlow,
  type FlowDefinition,
  FlowNameError,
  type FlowOptions,
  type FlowTable,
} from "../lib/flows/define-flow.ts";
export type { FlowEventName, FlowLength } from "../lib/flows/flow.ts";
export { type Flow, FlowStepError, type FlowTools, type FlowWay } from "../lib/flows/flow.ts";
