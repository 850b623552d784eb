import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { messageSent } from "../helpers/deliver.ts";
import { faultyTrigger, ownProject } from "../helpers/own-project.ts";
import { type DeployedCopy, deployCopy } from "../helpers/project-copy.ts";

const secret = { apiKey: "an-api-key-that-nobody-sees", webhookPassword: "a-password-that-nobody-sees" };

describe("what the deployed bundles tell", () => {
  let copy: DeployedCopy;
  let log: string[];

  beforeAll(async () => {
    copy = await deployCopy(await ownProject(), secret);
    log = copy.lines;
    await copy.cloud.pauseConsumers();
    log.length = 0;
  });
  afterAll(() => copy?.close());

  it("is one JSON object a line, also where lanes run side by side, with the invocation's id in each", async () => {
    const [one, two] = [
      ["ann", "1"],
      ["bob", "2"],
    ].map(([sender = "", id = ""]) => recordOf(sender, id));
    await copy.cloud.invoke("processEvents", { Records: [one, two] });
    await copy.cloud.invoke("processEvents", { Records: [recordOf("cid", "3")] });

    const own = log.filter((line) => !line.includes("said to the console"));
    const lines = own.map((line) => JSON.parse(line)).filter((line) => !("_aws" in line));

    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const line of lines) {
      expect(line).toMatchObject({
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        function: "process-events",
      });
      expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/);
    }
    const idsOf = (queueMessageId: string) =>
      new Set(
        lines.filter((line) => line.queueMessageId === queueMessageId).map(({ requestId }) => requestId),
      );
    expect(idsOf("q-1").size).toBe(1);
    expect(idsOf("q-1")).toEqual(idsOf("q-2"));
    expect(idsOf("q-3")).not.toEqual(idsOf("q-1"));
  });

  it("names file and line of a trigger's fault, and what it was about", async () => {
    const line = faultyTrigger.split("\n").findIndex((text) => text.includes("found.name!")) + 1;
    log.length = 0;

    await copy.cloud.invoke("processEvents", { Records: [recordOf("dan", "4")] });

    const told = log.map(parsed).filter((one) => one?.message === "could not handle an event yet");
    expect(told).toEqual([
      expect.objectContaining({
        level: "WARN",
        appId: "local-app",
        trigger: "message_sent",
        step: "message_sent faulty",
        deliveryKey: expect.stringContaining("|message_sent|4"),
        queueMessageId: "q-4",
        attempt: 1,
        failure: "ours",
        cause: expect.stringMatching(/^TypeError at functions\/own\/faulty\.ts:\d+:\d+$/),
        stack: expect.stringMatching(new RegExp(`^functions/own/faulty\\.ts:${line}:\\d+\\n.*lib/handle/`)),
      }),
    ]);
  });

  it("names the event in what a trigger itself tells, and shows neither text nor secret", async () => {
    log.length = 0;

    await copy.cloud.invoke("processEvents", {
      Records: [recordOf("eve", "5", `falter, the key is ${secret.apiKey}`)],
    });

    expect(log.map(parsed).find((one) => one?.message === "about to fail")).toMatchObject({
      level: "INFO",
      appId: "local-app",
      trigger: "message_sent",
      queueMessageId: "q-5",
      messageId: "5",
      note: "falter, the key is [redacted]",
      text: "[redacted]",
    });
    for (const hidden of ["what she wrote", secret.apiKey]) expect(log.join("\n")).not.toContain(hidden);
  });

  it("lets CloudWatch find a metric: the line is the object, with nothing around it", async () => {
    log.length = 0;
    const url = `${copy.cloud.httpUrl}/webhooks/local-app`;
    const sender = { url, username: "platform", password: secret.webhookPassword };

    const answer = await fetch(signedRequest(sender, { no: "envelope" }));

    expect(answer.status).toBe(200);
    const metrics = log.map(parsed).filter((one) => one !== undefined && "_aws" in one);
    expect(metrics).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: "CometChatFunctions",
              Dimensions: [["appId"]],
              Metrics: [{ Name: "DeliveryQuarantined", Unit: "Count" }],
            },
          ],
        },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        appId: "local-app",
        DeliveryQuarantined: 1,
      },
    ]);
    const [told] = log.map(parsed).filter((one) => one?.level === "WARN");
    expect(told).toMatchObject({ function: "webhook", requestId: metrics[0]?.requestId });
  });
});

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What the queue hands out for a message of a conversation of its own. */
function recordOf(sender: string, id: string, text = "falter") {
  const queued = {
    v: 1,
    appId: "local-app",
    family: "webhook",
    trigger: "message_sent",
    key: `local-app|message_sent|${id}`,
    receivedAt: Date.now(),
    body: messageSent({ id, sender, receiver: "bob", text }),
    base64: false,
  };
  return {
    messageId: `q-${id}`,
    receiptHandle: "handle",
    body: JSON.stringify(queued),
    attributes: { ApproximateReceiveCount: "1", MessageGroupId: sender, SequenceNumber: id },
    messageAttributes: {},
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:events.fifo",
    awsRegion: "us-east-1",
  };
}
