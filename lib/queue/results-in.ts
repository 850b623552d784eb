import { isRecord } from "../base/json.ts";

/**
 * Returns the results of a batch that SQS lists as `Successful` or `Failed`.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
 */
export function resultsIn(
  answer: unknown,
  name: "Successful" | "Failed",
): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(answer) ? answer[name] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
