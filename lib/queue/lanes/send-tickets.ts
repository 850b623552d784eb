import { AwsCallError, type AwsCaller } from "../../aws/aws-call.ts";
import { isRecord } from "../../base/json.ts";
import { type Ticket, toTicketMessage } from "./ticket.ts";

/** SQS limit per request. */
const entriesPerRequest = 10;
const requestsAtOnce = 20;
const tries = 3;

/**
 * Returns a function that sends many tickets, ten per request. May be repeated: a second ticket of a lane
 * does no harm.
 * @param token returns a unique text
 * @throws AwsCallError unless all were accepted
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
 */
export function createSendTickets(
  callAws: AwsCaller,
  parkedLanesQueueUrl: string,
  token: () => string,
): (tickets: readonly Ticket[]) => Promise<void> {
  const send = async (tickets: readonly Ticket[]): Promise<void> => {
    let left = tickets.map((ticket, index) => ({ Id: String(index), ...toTicketMessage(ticket, token()) }));
    for (let count = 1; left.length > 0; count += 1) {
      const call = {
        service: "sqs",
        target: "AmazonSQS.SendMessageBatch",
        input: { QueueUrl: parkedLanesQueueUrl, Entries: left },
      } as const;
      const answer = await callAws(call);
      const failed = isRecord(answer) && Array.isArray(answer.Failed) ? answer.Failed.filter(isRecord) : [];
      left = left.filter(({ Id }) => failed.some((one) => one.Id === Id));
      if (left.length > 0 && count >= tries) {
        throw new AwsCallError(call, { code: String(failed[0]?.Code), status: 200, maybeExecuted: false });
      }
    }
  };

  return async (tickets) => {
    const requests: (readonly Ticket[])[] = [];
    for (let start = 0; start < tickets.length; start += entriesPerRequest) {
      requests.push(tickets.slice(start, start + entriesPerRequest));
    }
    for (let start = 0; start < requests.length; start += requestsAtOnce) {
      await Promise.all(requests.slice(start, start + requestsAtOnce).map(send));
    }
  };
}
