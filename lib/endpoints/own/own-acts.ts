import { createAwsCaller, limitCalls } from "../../aws/aws-call.ts";
import { createTable } from "../../aws/create-table.ts";
import { readAwsEnvironment, readSetting, readSettingOr } from "../../base/config.ts";
import { sameForEveryApp } from "../../chat/settings-from.ts";
import { createEffectServices, type EffectEdges } from "../../effects/effect-services.ts";
import { createFlowMarks } from "../../flows/flow-marks.ts";
import { createFlowStarter } from "../../flows/flow-starter.ts";

/** What the effects of a custom function are done with. */
export type OwnActs = ReturnType<typeof buildOwnActs>;

/** Needs the environment of `custom.acting` in serverless.yml. @throws MissingSettingError */
export function buildOwnActs(functionName: string, edges: EffectEdges) {
  const { guardOf, rememberOn } = createEffectServices(sameForEveryApp({ allowedHosts: [] }), edges);
  const callAws = createAwsCaller(readAwsEnvironment(), edges.aws);
  const effectsTable = readSetting("EFFECTS_TABLE_NAME");
  const flowsTable = readSetting("FLOWS_TABLE_NAME");
  const flowsFunction = readSettingOr("FLOWS_FUNCTION_NAME", "");
  const { now, sleep, token } = edges;
  return {
    ...{ functionName, guardOf, token },
    /** Sends no AWS call after `deadlineMs`, in milliseconds since 1970. */
    open: (deadlineMs: number) => {
      const call = limitCalls(callAws, deadlineMs);
      const marks = createFlowMarks(
        createTable({ callAws: call, tableName: flowsTable, sortKey: "flow", sleep }),
        now,
      );
      return {
        ...rememberOn(createTable({ callAws: call, tableName: effectsTable, sleep })),
        flows: createFlowStarter({ callAws: call, marks, functionName: flowsFunction }),
      };
    },
  };
}
