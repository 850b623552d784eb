import { readSettingOr } from "../base/config.ts";
import type { FlowTable } from "./define-flow.ts";

/** None in a stage with `flows: off` (build/without-flows.ts). */
export function deployedFlows(flows: FlowTable): FlowTable {
  return readSettingOr("FLOWS", "on") === "off" ? [] : flows;
}
