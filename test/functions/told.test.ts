import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { messageSent } from "../helpers/deliver.ts";

const root = join(import.meta.dirname, "../..");
const secret = {
  appId: "local-app",
  region: "us",
  apiKey: "an-api-key-that-nobody-sees",
  webhookUsername: "platform",
  webhookPassword: "a-password-that-nobody-sees",
};

/** A trigger with a fault, which also says what it should not and uses `console`. */
const faultyTrigger = `import { onTrigger } from "../../lib/handle/on-trigger.ts";

export const faulty = onTrigger("message_sent", async ({ event, log }) => {
  log.info("about to fail", { messageId: event.message.id, note: event.message.data.text, text: "what she wrote" });
  console.log("said to the console");
  const found: { name?: string } = {};
  console.log(found.name!.length);
});
`;

describe.each(["Text", "JSON"])("what the deployed bundles tell under Lambda's %s format", (format) => {
  let folder: string;
  let cloud: Cloud;
  const log: string[] = [];

  beforeAll(async () => {
    folder = copyService();
    cloud = await startCloud({
      serviceFolder: folder,
      environment: { ENABLED_TRIGGERS: "faulty", LAMBDA_LOG_FORMAT: format },
      log: (line) => log.push(line),
    });
    await cloud.putAppSecret(secret);
    await cloud.pauseConsumers();
    log.length = 0;
  });
  afterAll(async () => {
    await cloud?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is one JSON object a line, also where lanes run side by side, with the invocation's id in each", async () => {
    const [one, two] = [
      ["ann", "1"],
      ["bob", "2"],
    ].map(([sender = "", id = ""]) => recordOf(sender, id));
    await cloud.invoke("processEvents", { Records: [one, two] });
    await cloud.invoke("processEvents", { Records: [recordOf("cid", "3")] });

    const own = log.filter((line) => !line.includes("said to the console"));
    const lines = own.map((line) => JSON.parse(line));

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

    await cloud.invoke("processEvents", { Records: [recordOf("dan", "4")] });

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
        cause: "TypeError: Cannot read properties of undefined (reading 'length')",
        stack: expect.stringMatching(new RegExp(`^functions/own/faulty\\.ts:${line}:\\d+\\n.*lib/handle/`)),
      }),
    ]);
  });

  it("names the event in what a trigger itself tells, and shows neither text nor secret", async () => {
    log.length = 0;

    await cloud.invoke("processEvents", { Records: [recordOf("eve", "5", `the key is ${secret.apiKey}`)] });

    expect(log.map(parsed).find((one) => one?.message === "about to fail")).toMatchObject({
      level: "INFO",
      appId: "local-app",
      trigger: "message_sent",
      queueMessageId: "q-5",
      messageId: "5",
      note: "the key is [redacted]",
      text: "[redacted]",
    });
    for (const hidden of ["what she wrote", secret.apiKey]) expect(log.join("\n")).not.toContain(hidden);
  });

  it("lets CloudWatch find a metric: the line is the object, with nothing around it", async () => {
    log.length = 0;
    const url = `${cloud.httpUrl}/webhooks/local-app`;
    const sender = { url, username: secret.webhookUsername, password: secret.webhookPassword };

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
function recordOf(sender: string, id: string, text = "hello") {
  const queued = {
    v: 1,
    appId: "local-app",
    family: "webhook",
    trigger: "message_sent",
    key: `local-app|message_sent|${id}`,
    receivedAt: Date.now(),
    body: messageSent({ id, sender, text }),
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

/** Copies the service and gives it a trigger with a fault. */
function copyService(): string {
  const copy = mkdtempSync(join(tmpdir(), "told-"));
  const settings = ["serverless.yml", "infrastructure", "package.json", "config"];
  for (const name of [...settings, "functions", "lib", "local", "build"]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  writeFileSync(join(copy, "functions/own/faulty.ts"), faultyTrigger);
  const table = join(copy, "functions/own/triggers.ts");
  const source = readFileSync(table, "utf8");
  writeFileSync(
    table,
    `import { faulty } from "./faulty.ts";\n${source.replace("TriggerTable = {", "TriggerTable = { faulty")}`,
  );
  return copy;
}
