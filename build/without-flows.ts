import { type ListedRight, type Serverless, stageOf } from "./serverless.ts";

const rightsOfFlows: readonly ListedRight[] = ["startFlows", "wakeFlows"];

/** With `flows: off`, leaves out the function of flows and what names it. The table of waits stays, empty. */
export function leaveOutFlows(serverless: Serverless): void {
  if (stageOf(serverless).flows !== "off") return;
  const { functions, provider, custom } = serverless.service;
  delete functions.flows;
  provider.environment.FLOWS = "off"; // lib/flows/define-flow.ts
  for (const definition of Object.values(functions)) {
    delete definition.environment?.FLOWS_FUNCTION_NAME;
    const { rights } = definition;
    if (rights !== undefined) definition.rights = rights.filter((right) => !rightsOfFlows.includes(right));
  }
  for (const { of } of Object.values(custom.alarms)) {
    if ("in" in of && of.in !== undefined) of.in = of.in.filter((key) => key !== "flows");
  }
}
