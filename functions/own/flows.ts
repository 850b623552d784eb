import type { FlowTable } from "../../lib/flows/define-flow.ts";

/** Never rename a flow or a step: running flows are found by these names. */
export const ownFlows: FlowTable = [];
