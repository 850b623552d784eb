import type { FlowTable } from "cometchat-functions/flows";

/** Your own flows. Their names, and those of their steps, must stay: what runs is known by them. */
export const ownFlows: FlowTable = [];
