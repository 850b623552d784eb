import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { defineCommand } from "../../../cli/command.ts";
import { openLogs } from "../../../cli/see/read-logs.ts";
import type { Target } from "../../../cli/target/target.ts";
import { openHeldQueue } from "../../../lib/queue/held-queue.ts";
import { createLogStore } from "../../../local/cloud/logs/log-store.ts";
import { startLogsEndpoint } from "../../../local/cloud/logs/logs-endpoint.ts";
import { answerQuery } from "../../../local/cloud/query-protocol.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";
import { createProjectFolder, createRunChat, type Ran } from "../../helpers/run-chat.ts";

const project = createProjectFolder();
afterAll(() => project.remove());

const receive = { service: "sqs", target: "AmazonSQS.ReceiveMessage", input: {} } as const;

/** Refuses the first SQS calls with the code, then answers. */
async function startAws(refusals: number, code: string) {
  let left = refusals;
  const { url, requests } = await startLoopbackServer(({ headers }, response) => {
    if (headers["x-amz-target"] === undefined) {
      return answerQuery(response, "GetCallerIdentity", { Account: "1", Arn: "arn:aws:iam::1:user/a" });
    }
    left -= 1;
    if (left < 0) return response.end("{}");
    return response.writeHead(400).end(JSON.stringify({ __type: `com.amazonaws.sqs#${code}` }));
  });
  const sent = () => requests.filter(({ headers }) => headers["x-amz-target"] !== undefined);
  return { url, sent };
}

/** Runs a command that does the work, and returns how it ended and how long it waited. */
async function runWork(
  url: string,
  work: (target: Target) => Promise<unknown>,
  {
    env = {},
    pass = () => {},
    signal = new AbortController().signal,
  }: { env?: Record<string, string>; pass?: (ms: number) => void; signal?: AbortSignal } = {},
) {
  const command = defineCommand({
    examples: "",
    changes: false,
    print: () => {},
    run: async ({ target }) => {
      await work(target);
      return {};
    },
  });
  let waitedMs = 0;
  const ran: Ran = await createRunChat(project.folder)(["work", "--stage", "prod"], {
    edges: {
      signal,
      env: { AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", ...env },
      sleep: async (ms) => {
        waitedMs += ms;
        pass(ms);
      },
    },
    commands: [{ name: "work", summary: "", subject: "", load: async () => ({ command }) }],
  });
  return { ran, waitedMs };
}

function interruption() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe("an operator's call that AWS throttles", () => {
  it("is retried for more than a second", async () => {
    const { url, sent } = await startAws(9, "RequestThrottled");

    const { ran, waitedMs } = await runWork(url, ({ callAws }) => callAws(receive));

    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(sent()).toHaveLength(10);
    expect(waitedMs).toBeGreaterThan(1_000);
  });

  it("fails after 4 to 20 s of retries", async () => {
    const { url } = await startAws(Number.POSITIVE_INFINITY, "ThrottlingException");

    const { ran, waitedMs } = await runWork(url, ({ callAws }) => callAws(receive));

    expect(ran.exitCode).toBe(5);
    expect(waitedMs).toBeGreaterThan(4_000);
    expect(waitedMs).toBeLessThan(20_000);
  });

  it("is retried when it returns held messages", async () => {
    const { url, sent } = await startAws(6, "RequestThrottled");

    await runWork(url, async ({ callAws }) => {
      const queue = openHeldQueue(`${url}/letters.fifo`, { callAws, now: Date.now, token: () => "a" });
      await queue.returnToQueue([{ receiptHandle: "r", heldUntil: 0 }]);
    });

    expect(sent()).toHaveLength(7);
  });

  it("is not retried after an interrupt", async () => {
    const { url, sent } = await startAws(Number.POSITIVE_INFINITY, "ThrottlingException");
    const { signal, abort } = interruption();
    const query = { startMs: 0, pattern: "", signal: new AbortController().signal };
    const read = async (target: Target) => {
      await openLogs(target, [{ group: "g", source: "g" }])(query).next();
    };

    await runWork(url, read, { pass: abort, signal });

    expect(sent()).toHaveLength(3);
  });

  it.each(["AWS.SimpleQueueService.NonExistentQueue", "AccessDenied"])(
    "is not retried if AWS refuses it: %s",
    async (code) => {
      const { url, sent } = await startAws(1, code);

      const { ran, waitedMs } = await runWork(url, ({ callAws }) => callAws(receive));

      expect(ran.exitCode).not.toBe(0);
      expect([sent().length, waitedMs]).toEqual([1, 0]);
    },
  );
});

it("reads all functions' logs at five requests per second", async () => {
  const { url } = await startAws(0, "");
  let nowMs = 0;
  const store = createLogStore(() => nowMs);
  const endpoint = await startLogsEndpoint(store, () => nowMs);
  onTestFinished(() => endpoint.close());
  const groups = Array.from({ length: 12 }, (_, index) => `/aws/lambda/${index}`);
  for (const group of groups) store.add(group, { stream: "s", message: group, atMs: 1 });
  const logs = groups.map((group) => ({ group, source: group }));
  const query = { startMs: 0, pattern: "", signal: new AbortController().signal };
  const found: string[] = [];
  const read = async (target: Target) => {
    for await (const { message } of openLogs(target, logs)(query)) found.push(message);
  };

  const { ran } = await runWork(url, read, {
    env: { AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: endpoint.url },
    pass: (ms) => {
      nowMs += ms;
    },
  });

  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(found.toSorted()).toEqual(groups.toSorted());
});
