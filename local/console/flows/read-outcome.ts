import { isRecord, parseJson } from "../../../lib/base/json.ts";

export interface Outcome {
  readonly kind: string | undefined;
  readonly waits: number;
  readonly cause: string | undefined;
  readonly text: string | undefined;
}

/** Reads the outcome that a step stored (lib/flows/flow-step.ts). */
export function readOutcome(result: string | undefined): Outcome {
  const read = parseJson(result ?? "");
  const { kind, waits, cause, text } = isRecord(read) ? read : {};
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    kind: textOf(kind),
    waits: typeof waits === "number" ? waits : 0,
    cause: textOf(cause),
    text: textOf(text),
  };
}
