import * as z from "zod/mini";

/** The parts of a Fastify request and reply that the check below uses. */
interface Request {
  readonly body: unknown;
}
interface Reply {
  code(status: number): Reply;
  headers(values: Record<string, string>): Reply;
  send(payload: object): unknown;
}

/**
 * Refuses group and deduplication ids that SQS refuses and fauxqs takes: 1 to 128 letters, digits and punctuation.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export async function refuseInvalidIds(request: Request, reply: Reply): Promise<unknown> {
  const sent = sentMessages.safeParse(request.body);
  if (!sent.success) return undefined;
  for (const entry of [sent.data, ...(sent.data.Entries ?? [])]) {
    for (const name of ["MessageGroupId", "MessageDeduplicationId"] as const) {
      const value = entry[name];
      if (value === undefined || validId.test(value)) continue;
      return reply
        .code(400)
        .headers({
          "content-type": "application/x-amz-json-1.0",
          "x-amzn-query-error": "InvalidParameterValue;Sender",
        })
        .send({
          __type: "com.amazonaws.sqs#InvalidParameterValue",
          message: `Value for parameter ${name} is invalid. Reason: ${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
        });
    }
  }
  return undefined;
}

const validId = /^[a-zA-Z0-9!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]{1,128}$/;

const idsSchema = {
  MessageGroupId: z.optional(z.string()),
  MessageDeduplicationId: z.optional(z.string()),
};
const sentMessages = z.object({ ...idsSchema, Entries: z.optional(z.array(z.object(idsSchema))) });
