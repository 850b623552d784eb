import { describe, expect, it } from "vitest";
import type { FaultRule } from "../../local/platform/faults/rules.ts";
import { createRealClock, createVirtualClock } from "../../local/platform/services/clock.ts";
import type { PlatformRecord } from "../../local/platform/services/records.ts";
import {
  addWebhook,
  app,
  chat,
  chatWith,
  dataOf,
  idle,
  own,
  receive,
  sendText,
  startPlatform,
  startReceiver,
} from "./helpers.ts";

const text = { receiver: "bob", receiverType: "user", data: { text: "hi" } };

const sending = {
  method: "POST",
  headers: { apikey: app.fullAccessKey, onBehalfOf: "alice", "content-type": "application/json" },
  body: JSON.stringify(text),
};

describe("faults of calls", () => {
  it.each([
    { fault: "tooManyRequests", status: 429, code: "ERR_TOO_MANY_REQUESTS" },
    { fault: "serverError", status: 500, code: "ERR_EXCEPTION" },
  ] as const)("$fault refuses a call without running it", async ({ fault, status, code }) => {
    await startPlatform({ faults: { rules: [{ on: "request", fault, count: 1 }] } });

    const refused = await chat("POST /messages", "alice", text);
    const { data } = (await chat("GET /messages")).body;

    expect([refused.status, refused.code, data]).toEqual([status, code, []]);
  });

  it("return the time to retry after a planned 429", async () => {
    const rules = [{ on: "request", fault: "tooManyRequests", retryAfterSeconds: 7 }] as const;
    const clock = createVirtualClock(1_000_000);
    await startPlatform({ clock, faults: { rules } });

    const { headers } = await chat("GET /users");

    expect([headers.get("retry-after"), headers.get("x-rate-limit-reset")]).toEqual(["7", "1007"]);
  });

  it.each([204, 304])("may choose %i, which has no body", async (status) => {
    const platform = await startPlatform({
      faults: { rules: [{ on: "request", fault: "serverError", status }] },
    });

    const answer = await fetch(`${platform.appUrl(app.appId)}/users`, {
      headers: { apikey: app.fullAccessKey },
    });

    expect({ status: answer.status, text: await answer.text() }).toEqual({ status, text: "" });
  });

  it.each([
    ["dropBefore", 0],
    ["dropAfter", 1],
    ["truncate", 1],
  ] as const)("%s breaks the connection with %s messages stored", async (fault, stored) => {
    await startPlatform({ faults: { rules: [{ on: "request", fault, count: 1 }] } });

    await expect(chat("POST /messages", "alice", text)).rejects.toThrow(/fetch failed|terminated/);

    expect(await dataOf("GET /messages")).toHaveLength(stored);
  });

  it.each([
    [undefined, '{"data":{"success":false}}'],
    ["", ""],
    ["<html>OK</html>", "<html>OK</html>"],
  ])("refusedInOk answers 200 with the body %j, and stores nothing", async (body, answered) => {
    const rule = {
      on: "request",
      fault: "refusedInOk",
      count: 1,
      ...(body !== undefined && { body }),
    } as const;
    const platform = await startPlatform({ faults: { rules: [rule] } });

    const answer = await fetch(`${platform.appUrl(app.appId)}/messages`, sending);

    expect([answer.status, await answer.text()]).toEqual([200, answered]);
    expect(await dataOf("GET /messages")).toEqual([]);
  });

  it("timeoutAfterExecuting runs the call and never answers", async () => {
    const rules = [{ on: "request", fault: "timeoutAfterExecuting", count: 1 }] as const;
    const platform = await startPlatform({ faults: { rules } });
    const caller = new AbortController();

    const answer = fetch(`${platform.appUrl(app.appId)}/messages`, {
      ...sending,
      signal: caller.signal,
    });
    await expect.poll(async () => await dataOf("GET /messages")).toHaveLength(1);
    caller.abort(new Error("The caller gave up."));

    await expect(answer).rejects.toThrow("The caller gave up.");
  });

  it("latency waits in real time if a clock for it is given", async () => {
    const rules = [{ on: "request", fault: "latency", delayMs: 30 }] as const;
    await startPlatform({ clock: createVirtualClock(), latencyClock: createRealClock(), faults: { rules } });

    expect((await chat("GET /users")).status).toBe(200);
  });

  it("latency waits on the platform's clock", async () => {
    const rules = [{ on: "request", fault: "latency", delayMs: 3_000 }] as const;
    const clock = createVirtualClock();
    await startPlatform({ clock, faults: { rules } });
    let isAnswered = false;

    const answer = chat("GET /users").then(({ status }) => {
      isAnswered = true;
      return status;
    });
    await expect.poll(() => clock.pendingTasks()).toBeGreaterThan(0);
    await clock.advance(2_999);
    const before = isAnswered;
    await clock.advance(1);

    expect([before, await answer]).toEqual([false, 200]);
  });

  it.each<{ rule: Partial<FaultRule>; statuses: number[] }>([
    { rule: { operationId: "list-users" }, statuses: [429, 200, 200] },
    { rule: { method: "post" }, statuses: [200, 200, 429] },
    { rule: { path: "/users/*" }, statuses: [200, 429, 200] },
    { rule: { appId: "other-app" }, statuses: [200, 200, 200] },
    { rule: { skip: 1, count: 1 }, statuses: [200, 429, 200] },
    { rule: { probability: 0 }, statuses: [200, 200, 200] },
  ])("affect exactly the calls that $rule names", async ({ rule, statuses }) => {
    const rules = [{ on: "request", fault: "tooManyRequests", ...rule } as FaultRule];
    await startPlatform({ faults: { rules } });

    const answers = [
      await chat("GET /users"),
      await chat("GET /users/alice"),
      await chat("POST /messages", "alice", text),
    ];

    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });

  it.each([
    { callers: "functions", statuses: { function: 429, flow: 429, other: 200, console: 200 } },
    { callers: undefined, statuses: { function: 429, flow: 429, other: 429, console: 200 } },
  ] as const)("affect the calls of $callers, and never the console's", async ({ callers, statuses }) => {
    const rules = [{ on: "request", fault: "tooManyRequests", ...(callers && { callers }) }] as const;
    await startPlatform({ faults: { rules } });
    const statusOf = async (headers: Record<string, string>) =>
      (await chatWith("GET /users", { headers })).status;

    expect({
      function: await statusOf({ traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` }),
      flow: await statusOf({ "x-local-invocation": "id", "user-agent": "cometchat-functions/1" }),
      other: await statusOf({}),
      console: await statusOf({ "user-agent": "local-console" }),
    }).toEqual(statuses);
  });

  it("end at their time, and keep their counts", async () => {
    const clock = createVirtualClock(1_000_000);
    const rules = [{ on: "request", fault: "tooManyRequests", untilMs: 1_060_000 }] as const;
    const { faults } = await startPlatform({ clock, faults: { rules } });
    const before = await chat("GET /users");
    await clock.advance(60_000);

    const after = await chat("GET /users");

    expect([before.status, after.status]).toEqual([429, 200]);
    expect(faults.strikes()).toEqual([{ matches: 1, faults: 1 }]);
  });
});

describe("faults of deliveries", () => {
  const deliver = async (rule: Partial<FaultRule>) => {
    const clock = createVirtualClock();
    const rules = [{ on: "delivery", ...rule } as FaultRule];
    await startPlatform({ clock, faults: { rules } });
    const receiver = await receive(["message_sent"]);
    for (const text of ["one", "two", "three"]) {
      await sendText(text);
      await idle();
    }
    const texts = () => receiver.received.map(({ json }) => json.data.message.data.text);
    return { clock, texts };
  };

  it.each<[says: string, rule: Partial<FaultRule>, delivered: string[]]>([
    ["drop loses the event", { fault: "drop", skip: 1 }, ["one", "three"]],
    ["duplicate sends copies", { fault: "duplicate", copies: 3 }, ["one", "one", "one", "two", "three"]],
    ["delay sends it later", { fault: "delay", delayMs: 9_000 }, ["two", "three", "one"]],
    ["reorder lets the next event go first", { fault: "reorder" }, ["two", "one", "three"]],
  ])("%s", async (_, rule, delivered) => {
    const { texts, clock } = await deliver({ ...rule, count: 1 } as Partial<FaultRule>);

    await clock.advance(9_000);

    expect(texts()).toEqual(delivered);
  });

  it("reorder does not wait endlessly", async () => {
    const { texts, clock } = await deliver({ fault: "reorder", skip: 2, delayMs: 4_000 });

    const before = texts();
    await clock.advance(4_000);

    expect([before, texts()]).toEqual([
      ["one", "two"],
      ["one", "two", "three"],
    ]);
  });
});

describe("a skewed clock", () => {
  it("appears in every timestamp, while waiting takes the usual time", async () => {
    const clock = createVirtualClock(1_000_000_000);
    await startPlatform({ clock, faults: { clockSkewMs: -60_000 } });
    const receiver = await startReceiver((count) => (count === 1 ? 500 : 200));
    await addWebhook(receiver.url, ["message_sent"]);

    const message = await sendText("hi");
    await clock.advance(9_999);
    const before = receiver.received.length;
    await clock.advance(1);

    expect(message.sentAt).toBe(1_000_000 - 60);
    expect([before, receiver.received.length]).toEqual([1, 2]);
  });
});

describe("/_platform/faults", () => {
  it("sets, shows and clears", async () => {
    const rules = [{ on: "request", operationId: "list-users", fault: "serverError" }];

    const set = await own("PUT /faults", { seed: 7, rules });
    const hit = await chat("GET /users");
    const shown = await own("GET /faults");
    await own("DELETE /faults");
    const after = await chat("GET /users");

    expect(set.body).toEqual({ seed: 7, clockSkewMs: 0, rules });
    expect(shown.body).toEqual(set.body);
    expect([hit.status, after.status]).toEqual([500, 200]);
  });

  it.each([
    [{ rules: [{ on: "request", fault: "explode" }] }, /rules\[0\]\.fault: Invalid option: expected one of/],
    [{ rules: [{ on: "sometimes", fault: "drop" }] }, /rules\[0\]\.on: must be request or delivery/],
    [
      { rules: [{ on: "delivery", fault: "drop", path: "/x" }] },
      /rules\[0\]: path is not known.*webhookId, trigger/,
    ],
    [{ rules: [{ on: "delivery", fault: "drop", probability: 2 }] }, /probability/],
    [
      { rules: [{ on: "request", fault: "serverError", status: 700 }] },
      /rules\[0\]\.status: Too big: expected number to be <=599/,
    ],
    [{ sed: 1 }, /sed/],
    [[], /JSON object/],
  ])("refuses %j", async (body, message) => {
    const refused = await own("PUT /faults", body);

    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toMatch(message);
  });
});

describe("the same seed", () => {
  it("returns the same transcript, and another seed a different one", async () => {
    const first = await transcript(42);
    const second = await transcript(42);
    const other = await transcript(43);

    expect(first.filter((line) => line.includes('"type":"fault"')).length).toBeGreaterThan(1);
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it("returns it again after a reset", async () => {
    const platform = await startPlatform({
      faults: { seed: 9, rules: [{ on: "request", fault: "serverError", probability: 0.5 }] },
    });
    const statuses = async () => {
      const list: number[] = [];
      for (let index = 0; index < 20; index += 1) list.push((await chat("GET /users")).status);
      return list;
    };

    const before = await statuses();
    platform.reset();
    const after = await statuses();

    expect(new Set(before)).toEqual(new Set([200, 500]));
    expect(after).toEqual(before);
  });
});

async function transcript(seed: number): Promise<string[]> {
  const clock = createVirtualClock();
  const rules: FaultRule[] = [
    { on: "request", operationId: "send-message", fault: "serverError", probability: 0.3 },
    { on: "delivery", fault: "duplicate", probability: 0.2 },
    { on: "delivery", fault: "drop", probability: 0.2 },
    { on: "delivery", fault: "delay", probability: 0.2, delayMs: 700 },
  ];
  const platform = await startPlatform({ clock, faults: { seed, rules } });
  const receiver = await startReceiver((count) => (count % 3 === 0 ? 500 : 200));
  await addWebhook(receiver.url, ["message_sent"]);
  const records: PlatformRecord[] = [];
  platform.subscribe((record) => records.push(record));
  for (let index = 0; index < 10; index += 1) {
    await chat("POST /messages", "alice", text);
    await clock.advance(500);
  }
  await clock.advance(60_000);
  return records.map((record) => JSON.stringify({ ...record, durationMs: 0, localPort: 0 }));
}
