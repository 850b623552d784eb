import { randomUUID } from "node:crypto";
import { lazy } from "../../../lib/base/lazy.ts";
import type { FlowRequest } from "../../../lib/effects/flow-request.ts";
import { createDurableApi } from "../../../lib/flows/durable-api.ts";
import { createFlowStarter } from "../../../lib/flows/flow-starter.ts";
import { openFlowOperator } from "../../../lib/flows/operate-flows.ts";
import type { World } from "../../stack/world.ts";
import { operatorOf } from "../operate.ts";

/**
 * The operator's actions on flows. Connects on first use. All throw AwsCallError if a local AWS service does
 * not answer.
 */
export function createFlowActions({ cloud, platform }: World) {
  const functionName = cloud.functionNames.flows ?? "";
  const now = () => platform.clock.now();
  const connect = lazy(() => {
    const { services, tableOf } = operatorOf(cloud, now);
    const { callAws } = services;
    const callDurable = createDurableApi(callAws);
    const { marks, ...opened } = openFlowOperator(
      tableOf("FlowsTable", "flow"),
      { callDurable, functionName },
      now,
    );
    return { ...opened, starter: createFlowStarter({ callAws, marks, functionName }) };
  });
  return {
    functionName,
    operator: () => connect().operator,
    start: (request: Omit<FlowRequest, "since">) =>
      connect().starter.start({ ...request, since: now() }, `by hand ${randomUUID()}`),
    /** Returns the open waits of a flow. */
    openWaits: async (appId: string, triggers: readonly string[], flowId: string) =>
      connect().questions.ofFlow(appId, flowId, triggers),
  };
}
