import { parseJson } from "../../../lib/base/json.ts";
import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowValue } from "../api/flows.ts";

/** Characters of a value that are sent with the flow. */
const shownCharacters = 600;

export function shownValue(json: string, valueId: string): FlowValue {
  const isCut = json.length > shownCharacters;
  return {
    text: isCut ? json.slice(0, shownCharacters).toWellFormed() : json,
    bytes: Buffer.byteLength(json),
    isCut,
    valueId,
  };
}

/** Finds a whole value by `input`, `result`, or an operation's id. */
export function findValue(
  { payload, result, operations }: StoredExecution,
  valueId: string,
): string | undefined {
  if (valueId === "input") return JSON.stringify(fieldOf(payload, "input"));
  if (valueId === "result") return result;
  const text = fieldOf(operations.find(({ Id }) => Id === valueId)?.StepDetails?.Result ?? "", "text");
  return typeof text === "string" ? text : undefined;
}

function fieldOf(json: string, name: string): unknown {
  const value: unknown = parseJson(json);
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
