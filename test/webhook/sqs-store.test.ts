import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import { createEnqueue } from "../../lib/queue/enqueue.ts";
import { createQuarantine } from "../../lib/queue/quarantine.ts";
import { createAcceptedApps } from "../../lib/receive/own-hosts/accepted-apps.ts";
import { createWebhookReceiver } from "../../lib/receive/own-hosts/create-webhook-receiver.ts";
import { createSqsStore, type SqsStoreOptions } from "../../lib/receive/own-hosts/stores/create-sqs-store.ts";
import { messageDelivery } from "../../lib/receive/own-hosts/stores/sample-deliveries.ts";
import { receiveWebhook } from "../../lib/receive/receive-webhook.ts";
import { events } from "../../local/testing/events/events.ts";
import { basic } from "../helpers/deliver.ts";
import { far, silent, startQueues } from "./helpers/stores.ts";

const keys = { accessKeyId: "local", secretAccessKey: "local-secret-of-no-worth" };
const fifo = "https://sqs.eu-west-1.amazonaws.com/123456789012/events.fifo";
const standard = "https://sqs.eu-west-1.amazonaws.com/123456789012/quarantine";

async function openQueues() {
  const queues = await startQueues();
  onTestFinished(() => queues.endpoint.close());
  const { endpoint, queueUrl, quarantineQueueUrl } = queues;
  const place = { queueUrl, quarantineQueueUrl, endpoint: endpoint.url, region: "us-east-1" };
  return { ...queues, place };
}

describe("createSqsStore", () => {
  it("sends exactly the messages of the deployed receiver", async () => {
    // Both receive at one moment, with deadlines ahead of the clock of the queue's callers.
    const moment = Date.now() + 60_000;
    const now = () => moment;
    const apps = { "app-1": { credentials: [{ username: "chat", password: "right-password" }] } };
    const headers = { authorization: basic("chat", "right-password") };
    const bodies = [
      JSON.stringify(events.messageSent({ text: "Grüße \uFFFE" })),
      JSON.stringify(events.userBlocked()),
      '{"trigger":"message_sent","data":{"message":{"id":7}}}',
      "{oops",
      JSON.stringify(events.messageSent({ id: "2", text: "x".repeat(900_000) })),
    ];
    const own = await openQueues();
    const deployed = await openQueues();
    const store = createSqsStore({ ...own.place, credentials: keys });
    const receive = createWebhookReceiver({ apps, store, now, log: silent });
    const callAws = createAwsCaller({
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_SQS: deployed.endpoint.url,
    });
    const services = {
      apps: createAcceptedApps(apps, now),
      log: silent,
      now,
      enqueue: createEnqueue(callAws, deployed.queueUrl),
      quarantine: createQuarantine(callAws, deployed.quarantineQueueUrl),
      notice: () => undefined,
      hint: () => undefined,
      count: () => undefined,
    };

    for (const body of bodies) {
      await receive(new Request("https://a.example/webhooks/app-1", { method: "POST", headers, body }));
      const request = { headers, pathParameters: { appId: "app-1" }, body: Buffer.from(body) };
      await receiveWebhook(request, services);
    }

    const sentTo = ({ endpoint }: typeof own) =>
      ["events.fifo", "quarantine"].map((queue) =>
        endpoint.peek(queue).map(({ body, groupId, deduplicationId, attributes }) => ({
          body,
          groupId,
          deduplicationId,
          attributes,
        })),
      );
    expect(sentTo(own)).toEqual(sentTo(deployed));
    expect(sentTo(own).map((messages) => messages.length)).toEqual([4, 1]);
  });

  it("requests keys at each delivery, and signs with the current ones", async () => {
    const { endpoint, place } = await openQueues();
    const credentials = vi.fn(async () => keys);
    const store = createSqsStore({ ...place, credentials });

    await store.put(messageDelivery({ id: "1" }), far);
    await store.put(messageDelivery({ id: "2" }), far);

    expect([credentials.mock.calls.length, endpoint.peek("events.fifo").length]).toEqual([2, 2]);
  });

  it("rejects if its keys are unavailable, or the queue does not answer in time", async () => {
    const { endpoint, place } = await openQueues();
    const keyless = createSqsStore({ ...place, credentials: () => Promise.reject(new Error("no keys")) });
    const late = createSqsStore({ ...place, credentials: keys });

    await expect(keyless.put(messageDelivery({}), far)).rejects.toThrow("no keys");
    await expect(late.put(messageDelivery({}), { deadlineMs: 1 })).rejects.toThrow("NoTimeLeft");
    expect(endpoint.peek("events.fifo")).toEqual([]);
  });

  it.each<[string, Partial<SqsStoreOptions>]>([
    ["the two queues mixed up", { queueUrl: standard, quarantineQueueUrl: fifo }],
    ["a quarantine that is FIFO", { quarantineQueueUrl: fifo }],
    ["a queue's name in place of its address", { queueUrl: "events.fifo" }],
  ])("refuses to be created with %s", (_case, wrong) => {
    const options = { queueUrl: fifo, quarantineQueueUrl: standard, credentials: keys, ...wrong };

    expect(() => createSqsStore(options)).toThrow(RangeError);
  });

  it("refuses to be created without keys or a region", () => {
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_DEFAULT_REGION"]) {
      vi.stubEnv(name, "");
    }
    onTestFinished(() => void vi.unstubAllEnvs());
    const local = { queueUrl: "http://127.0.0.1:1/events.fifo", quarantineQueueUrl: "http://127.0.0.1:1/q" };

    expect(() => createSqsStore({ queueUrl: fifo, quarantineQueueUrl: standard })).toThrow(
      /AWS_ACCESS_KEY_ID/,
    );
    expect(() => createSqsStore({ ...local, credentials: keys })).toThrow(/AWS_REGION/);
  });
});
