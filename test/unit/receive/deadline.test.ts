import { describe, expect, it } from "vitest";
import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { type Answer, NoAnswerError, type PostRequest } from "../../../lib/aws/post.ts";
import { createEnqueue } from "../../../lib/queue/enqueue.ts";
import { createQuarantine } from "../../../lib/queue/quarantine.ts";
import { receiveWebhook } from "../../../lib/receive/receive-webhook.ts";
import { createServedApps } from "../../../lib/receive/served-apps.ts";
import { basic, messageSent } from "../../helpers/deliver.ts";
import { createVirtualTime } from "../../helpers/virtual-time.ts";

/** A service's answer: after so many milliseconds, never, or with an error's code. */
type Manner = number | "never" | string;

/** A cold receiver on services with these answers, one for each request, the last one repeatedly. */
function createColdReceiver(manners: {
  readonly secrets: readonly Manner[];
  readonly queue: readonly Manner[];
}) {
  const startMs = 1_000_000_000_000;
  const time = createVirtualTime(startMs);
  const asked = { secrets: 0, queue: 0 };
  const sent: string[] = [];
  const post =
    (service: "secrets" | "queue") =>
    async ({ timeoutMs, body }: PostRequest): Promise<Answer> => {
      if (service === "queue") sent.push(Buffer.from(body).toString());
      const script = manners[service];
      const manner = script[Math.min(asked[service], script.length - 1)] ?? 0;
      asked[service] += 1;
      const takesMs = typeof manner === "number" ? manner : manner === "never" ? timeoutMs : 5;
      await time.sleep(Math.min(takesMs, timeoutMs));
      if (takesMs >= timeoutMs) throw new NoAnswerError("late", { code: "ETIMEDOUT", maybeExecuted: true });
      if (typeof manner === "string") return { status: 403, body: JSON.stringify({ __type: `x#${manner}` }) };
      const secret = { webhookUsername: "w", webhookPassword: "w" };
      return { status: 200, body: JSON.stringify({ SecretString: JSON.stringify(secret), MessageId: "1" }) };
    };
  const env = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" };
  const callAws = createAwsCaller(env, {
    ...time,
    random: () => 0.5,
    createPost: (url) => post(url.includes("secretsmanager") ? "secrets" : "queue"),
  });
  const ignore = () => undefined;
  const services = {
    apps: createServedApps({ callAws, secretPrefix: "x", appIds: ["app-1"], now: time.now }),
    enqueue: createEnqueue(callAws, "events"),
    quarantine: createQuarantine(callAws, "quarantine"),
    notice: ignore,
    hint: ignore,
    log: { debug: () => undefined, info: ignore, warn: ignore, error: ignore },
    count: ignore,
    now: time.now,
  };
  const receive = async (
    body = messageSent({ id: "1", sender: "alice" }),
    more: { password?: string; arrivedMsAgo?: number } = {},
  ) => {
    const startedAt = time.now();
    const headers = { authorization: basic("w", more.password ?? "w") };
    const arrivedAt = more.arrivedMsAgo === undefined ? undefined : startedAt - more.arrivedMsAgo;
    const request = { headers, pathParameters: { appId: "app-1" }, body: Buffer.from(body), arrivedAt };
    let answer: { status: number; tookMs: number } | undefined;
    const done = receiveWebhook(request, services).then(({ status }) => {
      answer = { status, tookMs: time.now() - startedAt };
    });
    await time.run();
    await done;
    return answer;
  };
  const stored = () => sent.map((text) => JSON.parse(JSON.parse(text).MessageBody));
  return { receive, asked, stored, time };
}

describe("receiveWebhook, cold", () => {
  it("accepts a delivery with 700 ms for the secret and 700 ms for the queue", async () => {
    const { receive } = createColdReceiver({ secrets: [700], queue: [700] });

    expect(await receive()).toEqual({ status: 200, tookMs: 1_400 });
  });

  it.each<[string, readonly Manner[], readonly Manner[], number]>([
    ["the secret never comes", ["never"], [5], 1_300],
    ["the secret comes at its second try, late", ["never", 490], ["never"], 1_800],
    ["the queue never answers", [5], ["never"], 1_605],
    ["the queue never answers after a slow secret", [790], ["never"], 1_800],
    ["all is as slow as it may be", ["never", 490], [700], 1_800],
    ["the secret is throttled", ["ThrottlingException"], [5], 60],
    ["the queue is throttled", [5], ["RequestThrottled"], 65],
  ])("answers 503 within 1.8 s when %s", async (_case, secrets, queue, tookMs) => {
    for (const body of [undefined, "no JSON"]) {
      const { receive } = createColdReceiver({ secrets, queue });

      expect(await receive(body)).toEqual({ status: 503, tookMs });
    }
  });

  it("answers 503, not 401, within 1.8 s if the other versions of the secret never arrive", async () => {
    const { receive } = createColdReceiver({ secrets: [790, "never"], queue: [5] });

    expect(await receive(undefined, { password: "old" })).toEqual({ status: 503, tookMs: 1_300 });
  });

  it("accepts a delivery that is throttled once on each side, after a pause", async () => {
    const { receive, asked } = createColdReceiver({
      secrets: ["ThrottlingException", 5],
      queue: ["RequestThrottled", 5],
    });

    expect(await receive()).toEqual({ status: 200, tookMs: 5 + 50 + 5 + 5 + 50 + 5 });
    expect(asked).toEqual({ secrets: 2, queue: 2 });
  });

  it("stores as time of receipt when it arrived, however slow the start", async () => {
    for (const body of [undefined, "no JSON"]) {
      const { receive, stored, time } = createColdReceiver({ secrets: [300], queue: [5] });
      const startedAt = time.now();

      await receive(body, { arrivedMsAgo: 700 });

      expect(stored()).toMatchObject([{ receivedAt: startedAt - 700 }]);
    }
  });

  it("counts from the request's arrival at the gateway, because the start takes time, too", async () => {
    const { receive } = createColdReceiver({ secrets: ["never"], queue: [5] });

    expect(await receive(undefined, { arrivedMsAgo: 300 })).toEqual({ status: 503, tookMs: 1_000 });
  });

  it("allows a delivery one second, half of it for the queue, however long the start took", async () => {
    const { receive } = createColdReceiver({ secrets: [499], queue: [500] });
    const hanging = createColdReceiver({ secrets: ["never"], queue: [5] });

    expect(await receive(undefined, { arrivedMsAgo: 5_000 })).toEqual({ status: 200, tookMs: 999 });
    expect(await hanging.receive(undefined, { arrivedMsAgo: 5_000 })).toEqual({ status: 503, tookMs: 500 });
  });
});

describe("receiveWebhook, while Secrets Manager is out", () => {
  it("accepts the platform's second try, 10 s later, after the recovery", async () => {
    const secrets: Manner[] = ["ThrottlingException"];
    const { receive, time } = createColdReceiver({ secrets, queue: [5] });
    for (let request = 0; request < 200; request += 1) {
      expect((await receive())?.status).toBe(503);
      void time.sleep(200);
      await time.run();
    }
    secrets[0] = 5;

    void time.sleep(8_000);
    await time.run();
    expect(await receive()).toEqual({ status: 200, tookMs: 10 });
  });
});
