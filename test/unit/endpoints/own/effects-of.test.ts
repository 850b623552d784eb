import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { groups } from "../../../../lib/chat/resources/groups.ts";
import { EffectBusyError } from "../../../../lib/effects/effect-errors.ts";
import { request } from "../../../../lib/effects/http/request.ts";
import { sendText } from "../../../../lib/effects/messages/send-text.ts";
import { onAgentRun } from "../../../../lib/endpoints/agents/on-agent-run.ts";
import { basic } from "../../../../lib/endpoints/own/basic.ts";
import { effectsOf } from "../../../../lib/endpoints/own/effects-of.ts";
import { onRequest } from "../../../../lib/endpoints/own/on-request.ts";
import { onSchedule } from "../../../../lib/endpoints/own/on-schedule.ts";
import type { OwnContext } from "../../../../lib/endpoints/own/request-definition.ts";
import { defineFlow } from "../../../../lib/flows/define-flow.ts";
import { runAtEveryCrash } from "../../../../local/testing/run-at-every-crash.ts";
import { runRequest } from "../../../../local/testing/run-request.ts";
import { runSchedule } from "../../../../local/testing/run-schedule.ts";
import { callFunction, createOwnWorld } from "../../../helpers/own-world.ts";

const toLobby = (text: string) =>
  ({ receiver: "lobby", receiverType: "group", onBehalfOf: "support", text }) as const;

const thank = defineFlow("thank", { input: z.object({ text: z.string() }) }, async (flow, { text }) => {
  await flow.do("thanks", sendText(toLobby(text)));
});

const body = z.object({ text: z.string(), id: z.optional(z.string()) });
const auth = basic({ username: "shopUsername", password: "shopPassword" });
const tell = onRequest({ auth, body }, async (context) => {
  const effects = effectsOf(context, context.body.id);
  const { id } = await effects.sendText("told", toLobby(context.body.text));
  await effects.do("rename", groups.update, "lobby", { name: "Lobby" });
  const { number } = await effects.once("number", async () => ({ number: 7 }));
  await effects.start(thank, { text: "Thanks" });
  return { id, number };
});

const secrets = { shopUsername: "shop", shopPassword: "a-long-password" };
const asShop = { authorization: `Basic ${btoa("shop:a-long-password")}` };
const options = { secrets, flows: [thank] };
const limitMs = 600_000;
const post = (headers: Record<string, string> = {}, id?: string) => ({
  path: "/tell",
  headers: { ...asShop, ...headers },
  body: { text: "News", ...(id && { id }) },
});
const textsOf = ({ sent }: { readonly sent: readonly { readonly text: string | undefined }[] }) =>
  sent.map(({ text }) => text);

describe("the effects of a request", () => {
  it("happen once if the request has a key, wherever a process crashes", async () => {
    const runs = await runAtEveryCrash(tell, post({ "idempotency-key": "order-7" }), { ...options, limitMs });

    expect(runs.length).toBeGreaterThan(40);
    for (const run of runs)
      expect([run.crash, run.status, run.body, textsOf(run)]).toEqual([
        run.crash,
        200,
        { id: "1", number: 7 },
        ["News", "Thanks"],
      ]);
  });

  it.each([
    ["with a key in its header", { "idempotency-key": "order-7" }, undefined, 1],
    ["with a key that the handler gives", {}, "event-1", 1],
    ["without a key", {}, undefined, 2],
  ])("happen the expected number of times %s", async (_name, headers, id, times) => {
    const run = await runRequest(tell, post(headers, id), { ...options, deliveries: 2 });

    expect(run.status).toBe(200);
    expect(textsOf(run).toSorted()).toEqual([...Array(times).fill("News"), ...Array(times).fill("Thanks")]);
    expect(run.started.map(({ name }) => name)).toEqual(Array(times).fill("thank"));
  });

  it("depend on the caller", async () => {
    const found: string[] = [];
    const handler = onRequest({ auth }, (context) => {
      found.push(context.run.source);
      return {};
    });
    const others = { shopUsername: "bank", shopPassword: "a-long-password" };
    const asBank = { authorization: `Basic ${btoa("bank:a-long-password")}` };

    await runRequest(handler, { path: "/", headers: asShop }, { secrets });
    await runRequest(handler, { path: "/", headers: asBank }, { secrets: others });

    expect(found).toEqual(["request by shop", "request by bank"]);
  });

  it("answer 503 with the time to wait while another process may still run them", async () => {
    const world = createOwnWorld();
    const busy = onRequest({ auth: "none" }, () => {
      throw new EffectBusyError({ name: "told", id: "1" }, world.now() + 29_500);
    }).on(world.services);

    const { status, headers, body } = await callFunction(busy);

    expect([status, headers["retry-after"], body.error.code]).toEqual([503, "30", "unavailable"]);
  });

  it("refuse requests to other hosts", async () => {
    const ask = onRequest({ auth: "none" }, async (context) => {
      await effectsOf(context).do("ask", request({ url: "https://tickets.example.com/", method: "GET" }));
      return {};
    });

    const { status, log } = await runRequest(ask, { path: "/" });

    expect(status).toBe(500);
    expect(JSON.stringify(log)).toContain("start a flow that asks the other host");
  });
});

describe("the effects of a schedule", () => {
  const remind = onSchedule(async (context) => {
    const effects = effectsOf(context);
    await effects.sendText("reminder", toLobby("Reminder"));
  });

  it("happen once for a rule and its planned time, wherever a process crashes", async () => {
    const runs = await runAtEveryCrash(remind, { limitMs });

    for (const run of runs)
      expect([run.crash, run.isFailed, textsOf(run)]).toEqual([run.crash, false, ["Reminder"]]);
  });

  it.each([
    ["once if AWS starts it twice", undefined, 1],
    ["in each invocation if the schedule has an input of its own", { daily: true }, 2],
  ])("happen %s", async (_name, input, times) => {
    const run = await runSchedule(remind, { deliveries: 2, ...(input && { input }) });

    expect(textsOf(run)).toHaveLength(times);
  });

  it("happen for each app", async () => {
    const run = await runSchedule(remind, { appIds: ["app-1", "app-2"] });

    expect(textsOf(run)).toHaveLength(2);
  });
});

const asPlatform = { authorization: `Basic ${btoa("agent:a-long-password")}` };
const agentSecrets = { agentUsername: "agent", agentPassword: "a-long-password" };
const agentInput = {
  threadId: "thread-1",
  runId: "run-1",
  messages: [{ id: "message-1", role: "user", content: "Hello" }],
};

type Work = (context: OwnContext) => undefined;

/** Runs effects without awaiting them, in each kind of function. Returns whether it failed. */
const kinds: readonly (readonly [
  string,
  (work: Work, options: { timeoutMs?: number }) => Promise<boolean>,
])[] = [
  [
    "a request",
    async (work, options) =>
      (await runRequest(onRequest({ auth: "none" }, work), { path: "/" }, options)).status !== 200,
  ],
  ["a schedule", async (work, options) => (await runSchedule(onSchedule(work), options)).isFailed],
  [
    "an agent's run",
    async (work, options) => {
      const request = { path: "/app-1", headers: asPlatform, body: agentInput };
      const agent = { secrets: agentSecrets, route: "POST /{appId}", ...options };
      const { body: events } = await runRequest(onAgentRun(work), request, agent);
      return JSON.stringify(events).includes("RUN_ERROR");
    },
  ],
];

describe.each(kinds)("the effects that %s does not await", (_kind, run) => {
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
  };

  it("are awaited, one after the other", async () => {
    const ended: string[] = [];
    const isFailed = await run((context) => {
      const effects = effectsOf(context);
      const act = (name: string) => effects.once(name, async () => turns(20).then(() => ended.push(name)));
      void act("first").then(() => act("second"));
    }, {});

    expect([isFailed, ended]).toEqual([false, ["first", "second"]]);
  });

  it.each([0, 20])("do not fail it if their error is handled, after %i turns", async (count) => {
    const handled: unknown[] = [];
    const isFailed = await run((context) => {
      const failing = effectsOf(context).once("wrong", async () => {
        await turns(count);
        throw new Error("a bug");
      });
      void failing.catch((error: unknown) => handled.push(error));
    }, {});

    expect([isFailed, handled.length]).toEqual([false, 1]);
  });

  it("end at its time limit", async () => {
    const isFailed = await run(
      (context) => {
        void effectsOf(context).once("endless", () => new Promise<never>(() => {}));
      },
      { timeoutMs: 1_100 },
    );

    expect(isFailed).toBe(true);
  });
});

it("refuses another context, and an invalid key", async () => {
  const wrong = async (call: (context: Parameters<typeof effectsOf>[0]) => unknown) => {
    const handler = onSchedule((context) => void call(context));
    const { apps } = await runSchedule(handler);
    return JSON.stringify(apps);
  };

  expect(await wrong(() => effectsOf(Object({})))).toContain("the whole argument of a handler");
  expect(await wrong((context) => Reflect.apply(effectsOf, undefined, [context, 7]))).toContain(
    "a text that is not empty",
  );
  expect(await wrong((context) => effectsOf(context, ""))).toContain("is empty");
});

it("answers a caller's empty key with a constant error, as the caller's mistake", async () => {
  const handler = onRequest(
    { auth: "none", body: z.object({ id: z.string() }) },
    (context) => void effectsOf(context, context.body.id),
  );

  const { status, body: answer, log } = await runRequest(handler, { path: "/tell", body: { id: "" } });

  expect([status, answer]).toEqual([400, { error: { code: "key_empty", message: expect.any(String) } }]);
  expect(log.filter(({ level }) => level === "error")).toEqual([]);
});
