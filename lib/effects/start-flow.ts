import { PermanentError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { readPlainly } from "../chat/check-plain.ts";
import { InvalidInputError } from "../chat/errors.ts";
import type { Effect } from "./effect.ts";
import { maxFlowInputBytes, type StartableFlow } from "./flow-request.ts";

/**
 * Starts a flow and returns its id. Once: a second start for one occurrence and name finds the first flow,
 * even if that start got no response. The first input counts.
 * @throws InvalidInputError if it is not a flow, PermanentError if the input does not match the flow's schema
 * or exceeds 100 kB
 */
export function startFlow<Input>(flow: StartableFlow<Input>, input: Input): Effect<{ id: string }> {
  if (!readPlainly("startFlow", "flow", () => typeof flow?.misfitOf === "function"))
    throw new InvalidInputError("startFlow", "flow", "what defineFlow made", flow === undefined);
  const text = writeInput(input);
  // The flow receives JSON: a Date would arrive as text.
  const misfit = flow.misfitOf(input) ?? flow.misfitOf(parseJson(text));
  if (misfit !== undefined)
    throw new PermanentError(`The input of flow "${flow.name}" does not fit: ${misfit}`);
  if (Buffer.byteLength(text) > maxFlowInputBytes) {
    throw new PermanentError(
      `The input of flow "${flow.name}" is larger than ${maxFlowInputBytes} bytes. Give it ids instead.`,
    );
  }
  return {
    kind: "start-flow",
    inShadow: { id: "0" },
    stepsWith: ({ appId, flows, cause, now }, ofEffect) => ({
      act: async () => {
        const request = {
          flow: flow.name,
          appId,
          region: cause?.region,
          input,
          waitsFor: [...flow.waitsFor],
          since: cause?.receivedAt ?? now(),
          causedBy: await cause?.occurrenceKey(),
          causedByMessage: cause?.messageId,
        };
        if (flows === undefined) throw new PermanentError(`Flow "${flow.name}" cannot be started from here.`);
        return flows.start(request, ofEffect);
      },
    }),
  };
}

function writeInput(input: unknown) {
  try {
    const text: string | undefined = JSON.stringify(input);
    return text ?? "";
  } catch {
    throw new PermanentError("The input of a flow must be JSON.");
  }
}
