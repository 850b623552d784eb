import type { FlowTable } from "cometchat-functions/flows";

/** Never rename a flow or a step: running flows are found by these names. */
export const ownFlows: FlowTable = [];
