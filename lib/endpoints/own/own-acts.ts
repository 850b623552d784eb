import { createAwsCaller, limitCalls } from "../../aws/aws-call.ts";
import { createTable } from "../../aws/create-table.ts";
import { readAwsEnvironment, readSetting, readSettingOr } from "../../base/config.ts";
import { sameForEveryApp } from "../../chat/settings-from.ts";
import { createEffectServices, type EffectEdges } from "../../effects/effect-services.ts";
import type { FlowStarter } from "../../effects/flow-request.ts";
import type { Ledger } from "../../effects/ledger.ts";
import type { RecentAnswers } from "../../effects/recent-answers.ts";
import type { LoopGuard } from "../../events/marks/loop-guard.ts";
import { createFlowMarks } from "../../flows/flow-marks.ts";
import { createFlowStarter } from "../../flows/flow-starter.ts";

/** Services of a custom function's effects. */
export interface OwnActs {
  readonly functionName: string;
  readonly token: () => string;
  /** No AWS call after the deadline. */
  readonly open: (deadlineMs: number) => {
    readonly ledger: Ledger;
    readonly answers: RecentAnswers;
    readonly loopGuardOf: (appId: string) => LoopGuard;
    readonly flows: FlowStarter;
  };
}

/** Needs the environment of `custom.acting` in serverless.yml. @throws MissingSettingError */
export function buildOwnActs(functionName: string, edges: EffectEdges): OwnActs {
  const { rememberOn } = createEffectServices(sameForEveryApp({ allowedHosts: [] }), edges);
  const callAws = createAwsCaller(readAwsEnvironment(), edges.aws);
  const effectsTable = readSetting("EFFECTS_TABLE_NAME");
  const flowsTable = readSetting("FLOWS_TABLE_NAME");
  const flowsFunction = readSettingOr("FLOWS_FUNCTION_NAME", "");
  const { now, sleep, token } = edges;
  return {
    functionName,
    token,
    open: (deadlineMs) => {
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
