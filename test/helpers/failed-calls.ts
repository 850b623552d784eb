import { type AwsCall, AwsCallError } from "../../lib/aws/aws-call.ts";
import { ChatApiError, ChatUnreachableError } from "../../lib/chat/errors.ts";

/** What the client throws when the platform refuses a request. */
export function chatRefusal(status: number, code: string, more: object = {}): ChatApiError {
  const facts = { operation: "send-message", retryable: false, maybeExecuted: false };
  return new ChatApiError("No.", { ...facts, status, code, ...more });
}

/** What the client throws when no usable answer comes. */
export function chatSilence(more: object = {}): ChatUnreachableError {
  const facts = {
    operation: "send-message",
    phase: "answer",
    reason: "TIMEOUT",
    maybeExecuted: true,
  } as const;
  return new ChatUnreachableError({ ...facts, ...more });
}

/** What a call of AWS throws. */
export function awsFailure(code: string, maybeExecuted = false, call: Partial<AwsCall> = {}): AwsCallError {
  const called = { service: "dynamodb", target: "DynamoDB_20120810.GetItem", input: {}, ...call } as const;
  return new AwsCallError(called, { code, status: 400, maybeExecuted });
}
