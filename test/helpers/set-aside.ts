import { createSendDeadLetter, type DeadLetterContent } from "../../lib/queue/send-dead-letter.ts";
import type { Cloud } from "../../local/cloud/start-cloud.ts";
import { callerOf } from "./cloud-data.ts";

/** Puts messages where operators find them, as the functions do. */
export function createSetAside(cloud: Pick<Cloud, "endpoints" | "resources">) {
  const callAws = callerOf(cloud);
  const urlOf = (logicalId: string) => cloud.resources[logicalId]?.url ?? "";
  const send = (logicalId: string, input: object) =>
    callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessage",
      input: { QueueUrl: urlOf(logicalId), ...input },
    });
  return {
    callAws,
    urlOf,
    send,
    /** Dead-letters an event; its name distinguishes it. */
    bury: async (name: string, facts: Partial<DeadLetterContent> = {}) => {
      const { appId = "local-app", trigger = "message_sent" } = facts;
      const key = `${appId}|${trigger}|${name}`;
      const receivedAt = facts.receivedAt ?? Date.now() - 60_000;
      const body = JSON.stringify({ trigger, data: { note: `secret words of ${name}` } });
      const event = { v: 1, appId, family: "webhook", trigger, key, receivedAt, body, base64: false };
      await createSendDeadLetter(
        callAws,
        urlOf("DeadLetterQueue"),
        Date.now,
      )({
        messageId: `message-${name}`,
        messageBody: JSON.stringify(event),
        source: "events",
        group: `lane-of-${name}`,
        reason: "tries",
        cause: "TypeError: no uid",
        tries: 5,
        finished: [],
        appId,
        trigger,
        receivedAt,
        ...facts,
      });
    },
    /** Puts a delivery into quarantine. */
    quarantine: (body: string, facts: { readonly appId?: string; readonly reason?: string } = {}) => {
      const { appId = "local-app", reason = "not-understood" } = facts;
      const message = {
        v: 1,
        appId,
        reason,
        problems: [],
        receivedAt: Date.now() - 60_000,
        body,
        base64: false,
      };
      return send("QuarantineQueue", { MessageBody: JSON.stringify(message) });
    },
    /** Receives messages as another reader, for a while. */
    take: (logicalId: string, count: number, seconds: number) =>
      callAws({
        service: "sqs",
        target: "AmazonSQS.ReceiveMessage",
        input: { QueueUrl: urlOf(logicalId), MaxNumberOfMessages: count, VisibilityTimeout: seconds },
      }),
  };
}
