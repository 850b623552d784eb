import type { CloudFaultSettings, CloudStrikes } from "../../cloud/faults/fault-settings.ts";
import type { FaultSettings } from "../../platform/faults/rules.ts";

export interface FaultsAnswer {
  readonly cloud: CloudFaultSettings;
  readonly cloudStrikes: CloudStrikes;
  readonly platform: FaultSettings;
  /** In the rules' order. */
  readonly platformStrikes: readonly { readonly matches: number; readonly faults: number }[];
  readonly functions: readonly string[];
  readonly isAnyOn: boolean;
  /** When the last fault ends, by the local stack's clock; undefined if one does not end by itself. */
  readonly untilMs?: number | undefined;
}
