import type { DurableContext } from "@aws/durable-execution-sdk-js";
import { isRecord } from "../base/json.ts";
import type { StepResult } from "./flow-step.ts";
import { operationName } from "./operation-name.ts";

export interface ReadProgress {
  /** Milliseconds since 1970. */
  readonly toMs: number;
  readonly untilMs: number;
  readonly hasFailed?: boolean;
}

/** Each failure takes two of an execution's operations. */
const longestWaitSeconds = 300;

/** Repeats a step: two days of events may take longer than one. */
export async function repeatUntilRead<T>(
  context: DurableContext,
  part: (read: ReadProgress | undefined) => Promise<StepResult<T | { readonly read: ReadProgress }>>,
): Promise<StepResult<T>> {
  let read: ReadProgress | undefined;
  for (let failures = 0; ; ) {
    const { value, ...times } = await part(read);
    if (!isPartlyRead(value)) return { value, ...times };
    ({ read } = value);
    failures = read.hasFailed ? failures + 1 : 0;
    if (failures === 0) continue;
    const seconds = Math.min(longestWaitSeconds, 5 * 2 ** (failures - 1));
    await context.wait(operationName("before reading on"), { seconds });
  }
}

export function isPartlyRead(value: unknown): value is { readonly read: ReadProgress } {
  return isRecord(value) && isRecord(value.read);
}
