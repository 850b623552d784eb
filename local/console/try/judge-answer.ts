import { isRecord, parseJson } from "../../../lib/base/json.ts";
import type { Switches } from "../../platform/services/switches.ts";
import { isSuccess, type SendResult } from "../../platform/webhooks/send.ts";
import type { TrySent } from "../api/try.ts";

type Verdict = NonNullable<TrySent["verdict"]>;

/**
 * @see docs/internals/platform/legacy-engine.md#before-a-message,
 * docs/internals/platform/moderation.md#answering-the-custom-api
 */
export function judgeAnswer(
  path: "before-message" | "moderation",
  result: SendResult,
  switches: Switches,
): Verdict {
  const answer = result.status !== undefined && isSuccess(result.status) ? parseJson(result.text) : undefined;
  return path === "moderation" ? judgeModeration(answer, result) : judgeHook(answer, result, switches);
}

function judgeHook(answer: unknown, result: SendResult, { beforeMessageFailure }: Switches): Verdict {
  if (!isRecord(answer)) {
    const isDropped = beforeMessageFailure === "drop";
    const then = isDropped ? "dropped, as set by the switch beforeMessageFailure" : "stored unchanged";
    return { tone: isDropped ? "bad" : "waiting", words: `${whyNot(result)} The message is ${then}.` };
  }
  if (answer.action === "do_not_propagate")
    return { tone: "bad", words: "The message is dropped; its sender gets ERR_BLOCKED_BY_WEBHOOK." };
  const isEmpty = Object.keys(answer).length === 0;
  const how = isEmpty ? " unchanged" : ", with this answer under metadata.@injected.webhooks";
  return { tone: "good", words: `The message is stored${how}.` };
}

function judgeModeration(answer: unknown, result: SendResult): Verdict {
  const failed = (why: string): Verdict => {
    return {
      tone: "waiting",
      words: `${why} This is a failure, and the service's setting for errors applies.`,
    };
  };
  if (!isRecord(answer)) return failed(whyNot(result));
  const { isMatchingCondition, confidence } = answer;
  if (typeof isMatchingCondition !== "boolean")
    return failed("isMatchingCondition is neither true nor false.");
  if (typeof confidence !== "number" || !(confidence >= 0 && confidence <= 1))
    return failed("confidence is not a number from 0 to 1.");
  if (!isMatchingCondition)
    return { tone: "good", words: "It does not match: the rule lets the message pass." };
  const then = "A rule with a lower threshold applies its action, such as blocking.";
  return { tone: "bad", words: `It matches with ${Math.round(confidence * 100)} %. ${then}` };
}

function whyNot({ status, error, isTimeout }: SendResult): string {
  if (isTimeout) return "There was no answer in time.";
  if (status === undefined) return `There was no answer: ${error ?? "the connection failed"}.`;
  return isSuccess(status) ? "The answer is not a JSON object." : `The status ${status} counts as no answer.`;
}
