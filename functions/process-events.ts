import { processPartialResponse, SqsFifoPartialProcessorAsync } from "@aws-lambda-powertools/batch";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { buildConsumerServices } from "../lib/triggers/build-consumer-services.ts";
import { processEvent } from "../lib/triggers/process-event.ts";
import { triggers } from "./triggers/index.ts";

/** The events and calls queues' consumer. Reports failed records one by one; lanes without a failure go on. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const services = servicesOf(context);
  const handleRecord = ({ messageId, body, attributes }: SQSRecord) => {
    const { MessageGroupId: lane = "", ApproximateReceiveCount: attempt } = attributes;
    return processEvent({ messageId, messageBody: body, lane, attempt: Number(attempt) }, services);
  };
  const response = await processPartialResponse(event, handleRecord, new SqsFifoPartialProcessorAsync(), {
    context,
    skipGroupOnError: true,
    throwOnFullBatchFailure: false,
  });
  await putOff(event.Records, response);
  return response;
}

// Runs once per cold start.
const { servicesOf, putOff } = buildConsumerServices(triggers);
