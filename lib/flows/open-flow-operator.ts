import type { Table } from "../aws/table.ts";
import { createFlowCancels } from "./flow-cancels.ts";
import { createFlowMarks } from "./flow-marks.ts";
import { createFlowQuestions } from "./flow-questions.ts";
import { createFlowWaits } from "./flow-waits.ts";
import { createFlowOperator, type FlowOperatorServices } from "./operate-flows.ts";

/** @param table the flows table, whose key is `waits` and `flow` */
export function openFlowOperator(
  table: Table,
  services: Pick<FlowOperatorServices, "callDurable" | "functionName">,
  now: () => number,
) {
  const marks = createFlowMarks(table, now);
  const questions = createFlowQuestions(table, now);
  const [waits, cancels] = [createFlowWaits(table, now), createFlowCancels(table, now)];
  const operator = createFlowOperator({ ...services, marks, waits, questions, cancels });
  return { operator, marks, questions };
}
