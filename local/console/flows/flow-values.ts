import { parseJson, readPath } from "../../../lib/base/json.ts";
import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowValue } from "../api/flows.ts";

const shownCharacters = 600;

/** @param redact runs before the cut: half a secret is unrecognizable */
export function shownValue(json: string, valueId: string, redact: (text: string) => string): FlowValue {
  const isCut = json.length > shownCharacters;
  const text = isCut ? redact(json).slice(0, shownCharacters).toWellFormed() : json;
  return { text, bytes: Buffer.byteLength(json), isCut, valueId };
}

export function findValue(
  { payload, result, operations }: StoredExecution,
  valueId: string,
): string | undefined {
  if (valueId === "input") return JSON.stringify(readPath(parseJson(payload), "input"));
  if (valueId === "result") return result;
  const { StepDetails } = operations.find(({ Id }) => Id === valueId) ?? {};
  const text = readPath(parseJson(StepDetails?.Result ?? ""), "text");
  return typeof text === "string" ? text : undefined;
}
