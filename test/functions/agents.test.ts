import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { events } from "../../local/testing/events/events.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { eventsIn, runInput } from "../helpers/agent-runs.ts";
import { isNight } from "../helpers/by-day.ts";
import { copyProject, type DeployedCopy, deployCopy, removeCopy } from "../helpers/project-copy.ts";
import { warmReceiver } from "../helpers/warm-receiver.ts";

const agentKey = "k3y-of-the-agent";
const headers = { "x-api-key": agentKey, "content-type": "application/json" };

const files = {
  "config/stages.yml":
    "local: { questionsPerSecond: 5, addresses: [k3v9x2m7q1w8e4r6t5y0u3i9] }\ndev:\nprod:\n",
  "functions/own/functions.yml": `
cancelOrder:
  handler: functions/own/cancel-order.handler
  rights: [readSecrets, readLoopGuard, rememberEffects]
  environment: \${self:custom.acting}
  events:
    - httpApi: POST /agent-tools/cancel-order/{appId}
ownAgent:
  handler: functions/own/own-agent.handler
  timeout: 30
  rights: [readSecrets]
  url: { invokeMode: RESPONSE_STREAM }
bareAgent:
  handler: functions/own/bare-agent.handler
  rights: []
  url: { invokeMode: RESPONSE_STREAM }`,
  "functions/own/bare-agent.ts": `
    export const handler = awslambda.streamifyResponse(async (_event, raw) => {
      const stream = awslambda.HttpResponseStream.from(raw, { statusCode: 200, headers: { "content-type": "text/event-stream" } });
      stream.write('data: {"type":"RUN_STARTED"}\\n\\n');
      stream.write('data: {"type":"RUN_FINISHED"}\\n\\n');
      stream.end();
    });`,
  "functions/own/cancel-order.ts": `
    import * as z from "zod/mini";
    import { onAgentTool } from "../../lib/endpoints/agents/on-agent-tool.ts";
    import { effectsOf } from "../../lib/endpoints/own/effects-of.ts";
    export const handler = onAgentTool("cancel-order", z.object({ order: z.int() }), async (call) => {
      const text = \`Order \${call.input.order} is cancelled.\`;
      const { id } = await effectsOf(call).sendText("tell", { receiver: "alice", receiverType: "user", onBehalfOf: "support", text });
      return { id };
    });`,
  "functions/own/own-agent.ts": `
    import { onAgentRun } from "../../lib/endpoints/agents/on-agent-run.ts";
    export const handler = onAgentRun(async (run) => {
      await run.say("You said: ");
      await run.say(run.text);
    });`,
};

let folder: string;
let copy: DeployedCopy;

beforeAll(async () => {
  folder = copyProject(files);
  copy = await deployCopy(folder, { agentKey });
});
afterAll(async () => {
  await copy?.close();
  removeCopy(folder);
});

describe("functions that the platform's agents call, deployed on this machine", () => {
  const post = (url: string, body: object) =>
    fetch(url, { method: "POST", headers, body: JSON.stringify(body) });

  it("include a tool at the stage's address, whose effects happen once per key with the same parameters", async () => {
    const cancel = (order: number) =>
      post(`${copy.cloud.httpUrl}/agent-tools/cancel-order/local-app`, { order, idempotencyKey: "call-1" });

    const atOnce = await Promise.all(Array.from({ length: 5 }, () => cancel(7)));
    const later = [await cancel(7), await cancel(8)];

    expect(atOnce.map(({ status }) => status).filter((status) => status !== 503)).toContain(200);
    expect(later.map(({ status }) => status)).toEqual([200, 200]);
    const path = "/users/alice/messages?category=message&limit=100";
    const kept = await fetch(`${copy.platform.appUrl("local-app")}${path}`, {
      headers: { apikey: copy.app.fullAccessKey },
    });
    const { data }: { data: { data: { text?: string } }[] } = JSON.parse(await kept.text());
    expect(data.map(({ data: { text } }) => text).sort()).toEqual([
      "Order 7 is cancelled.",
      "Order 8 is cancelled.",
    ]);
  });

  it("include an agent that streams at its function's URL", async () => {
    const messages = [{ id: "1", role: "user", content: "Zoë 👋" }];
    const answer = await post(`${copy.cloud.functionUrls.ownAgent}local-app`, { ...runInput, messages });

    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(eventsIn(await answer.text()).map(({ type, delta = "" }) => `${type} ${delta}`)).toEqual([
      "RUN_STARTED ",
      "TEXT_MESSAGE_START ",
      "TEXT_MESSAGE_CONTENT You said: ",
      "TEXT_MESSAGE_CONTENT Zoë 👋",
      "TEXT_MESSAGE_END ",
      "RUN_FINISHED ",
    ]);
  });

  // Noise only adds time.
  it.runIf(isNight)(
    "send the first byte at most 1.3 times as late as a bare streaming handler",
    { retry: 2 },
    async () => {
      const firstByteMs = async (key: string) => {
        const startedAt = performance.now();
        const { body } = await post(`${copy.cloud.functionUrls[key]}local-app`, runInput);
        const reader = body?.getReader();
        await reader?.read();
        const tookMs = performance.now() - startedAt;
        while ((await reader?.read())?.done === false);
        return tookMs;
      };
      const medianOf = (numbers: readonly number[]) =>
        numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

      const times: { own: number; bare: number }[] = [];
      for (let turn = 0; turn < 120; turn += 1) {
        times.push({ own: await firstByteMs("ownAgent"), bare: await firstByteMs("bareAgent") });
      }

      const warm = times.slice(20);
      const ratio = medianOf(warm.map(({ own }) => own)) / medianOf(warm.map(({ bare }) => bare));
      expect(ratio).toBeLessThanOrEqual(1.3);
    },
  );
});

describe("a flood on the documented path of questions to a stage with an address, over the wire", () => {
  it("reaches no function, and lets every genuine question through the gateway", async () => {
    const { httpUrl } = copy.cloud;
    const target = (path: string) => ({
      url: `${httpUrl}/${path}/local-app`,
      username: "platform",
      password: "the-webhook-password",
    });
    const call = (path: string, body: object) => fetch(signedRequest(target(path), body));
    const ask = () =>
      call("moderation", { contextMessages: [{ ann: messageBody({ text: "ok", sender: "ann" }) }] });
    await ask(); // starts its process
    await warmReceiver({ webhook: target("webhooks") });

    const documented = `${new URL(httpUrl).origin}/moderation/local-app`;
    const flood = Array.from({ length: 100 }, () => fetch(documented, { method: "POST", body: "{}" }));
    const genuine = await Promise.all([ask(), ask()]);

    expect(genuine.map(({ status }) => status)).toEqual([200, 200]);
    const flooded = await Promise.all(flood);
    expect(new Set(flooded.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await call("webhooks", events.messageSent({ text: "Hello" }))).status).toBe(200);
  });
});
