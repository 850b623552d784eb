import { type AwsCall, AwsCallError } from "../../lib/aws/aws-call.ts";
import { ChatApiError, ChatUnreachableError } from "../../lib/chat/errors.ts";

/** The client's error when the platform refuses a request. */
export function chatRefusal(status: number, code: string, more: object = {}): ChatApiError {
  const facts = { operation: "send-message", retryable: false, maybeExecuted: false };
  return new ChatApiError("No.", { ...facts, status, code, ...more });
}

/** The client's error without a usable answer. */
export function chatSilence(more: object = {}): ChatUnreachableError {
  const facts = {
    operation: "send-message",
    phase: "answer",
    reason: "TIMEOUT",
    maybeExecuted: true,
  } as const;
  return new ChatUnreachableError({ ...facts, ...more });
}

/** The error of an AWS call. */
export function awsFailure(code: string, maybeExecuted = false, call: Partial<AwsCall> = {}): AwsCallError {
  const called = { service: "dynamodb", target: "DynamoDB_20120810.GetItem", input: {}, ...call } as const;
  return new AwsCallError(called, { code, status: 400, maybeExecuted });
}
