import { randomUUID } from "node:crypto";
import { createTable } from "../../../lib/aws/create-table.ts";
import { lazy } from "../../../lib/base/lazy.ts";
import { createDurableApi } from "../../../lib/flows/durable-api.ts";
import { createFlowStarter } from "../../../lib/flows/flow-starter.ts";
import { type FlowOperator, openFlowOperator } from "../../../lib/flows/operate-flows.ts";
import type { OpenWait } from "../../../lib/flows/wait-memory.ts";

import type { World } from "../../stack/world.ts";
import { callLocalAws } from "../call-local-aws.ts";

/** The operator's actions on flows. All throw AwsCallError if a local AWS service does not answer. */
export interface FlowActions {
  readonly functionName: string;
  readonly operator: () => FlowOperator;
  start(request: {
    readonly flow: string;
    readonly appId: string;
    readonly region: string;
    readonly input: unknown;
    readonly waitsFor: readonly string[];
  }): Promise<{ id: string }>;
  /** Returns the open waits of a flow, by callback. */
  openWaits(appId: string, triggers: readonly string[], flowId: string): Promise<readonly OpenWait[]>;
}

/** Connects on first use. */
export function createFlowActions({ cloud, platform }: World): FlowActions {
  const functionName = cloud.functionNames.flows ?? "";
  const now = () => platform.clock.now();
  const connect = lazy(() => {
    const callAws = callLocalAws(cloud);
    const table = createTable({
      callAws,
      tableName: cloud.resources.FlowsTable?.name ?? "",
      sortKey: "flow",
    });
    const callDurable = createDurableApi(callAws);
    const { marks, ...opened } = openFlowOperator(table, { callDurable, functionName }, now);
    return {
      ...opened,
      starter: createFlowStarter({ callAws, marks, functionName }),
    };
  });
  return {
    functionName,
    operator: () => connect().operator,
    start: ({ waitsFor, ...request }) =>
      connect().starter.start(
        { ...request, waitsFor: [...waitsFor], since: now() },
        `by hand ${randomUUID()}`,
      ),
    openWaits: (appId, triggers, flowId) => connect().questions.ofFlow(appId, flowId, triggers),
  };
}
