import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { switchTable } from "../../local/platform/services/switch-table.ts";
import {
  app,
  call,
  chat,
  chatWith,
  codeOf,
  dataOf,
  idle,
  type Json,
  manage,
  own,
  receive,
  sendText,
  startPlatform,
} from "./helpers.ts";

const limitHeaders = ({ headers }: { headers: Headers }) =>
  ["x-rate-limit", "x-rate-limit-remaining"].map((name) => headers.get(name));

describe("rate limits", () => {
  it("report the remaining requests of each class in every answer", async () => {
    const first = await chat("GET /users");
    const second = await chat("GET /users/nobody");
    const core = await chat("POST /users", { uid: "dave", name: "Dave" });

    expect([first, second, core].map(limitHeaders)).toEqual([
      ["20000", "19999"],
      ["20000", "19998"],
      ["10000", "9999"],
    ]);
  });

  it("refuse requests above them until the minute is over, without effect", async () => {
    const clock = createVirtualClock(Date.UTC(2026, 0, 1, 0, 0, 45));
    await startPlatform({ clock, switches: { standardRateLimit: 2 } });
    await sendText("one");
    await sendText("two");

    const refused = await chat("GET /messages");
    const core = await chat("POST /users", { uid: "dave", name: "Dave" });
    await clock.advance(15_000);
    const after = await chat("GET /messages");

    expect(refused.code).toBe("ERR_TOO_MANY_REQUESTS");
    expect(refused.headers.get("retry-after")).toBe("15");
    expect(refused.headers.get("x-rate-limit-reset")).toBe(String(Date.UTC(2026, 0, 1, 0, 1) / 1_000));
    expect(limitHeaders(refused)).toEqual(["2", "0"]);
    expect([core.status, after.status, after.data.length]).toEqual([200, 200, 2]);
  });

  it.each([
    { userLimitHeaders: "app", numbers: ["20000", "19969"] },
    { userLimitHeaders: "own", numbers: ["30", "0"] },
  ] as const)(
    "limit each user to 30 messages a minute, without limiting other users: $userLimitHeaders",
    async (row) => {
      const clock = createVirtualClock(Date.UTC(2026, 0, 1, 0, 0, 45));
      const { userLimitHeaders, numbers } = row;
      await startPlatform({ clock, switches: { userRateLimits: "on", userLimitHeaders } });
      const send = async (as: string, receiver: string) =>
        await chat("POST /messages", as, { receiver, receiverType: "user", data: { text: "x" } });
      for (let n = 0; n < 30; n += 1) await send("alice", "bob");

      const refused = await send("alice", "bob");
      const other = await send("bob", "alice");
      await clock.advance(15_000);

      expect([refused.status, refused.code, refused.headers.get("retry-after")]).toEqual([
        ...[429, "ERR_TOO_MANY_REQUESTS", "15"],
      ]);
      expect(limitHeaders(refused)).toEqual(numbers);
      expect((await chat("GET /messages", "alice")).status).toBe(200);
      expect([other.status, (await send("alice", "bob")).status]).toEqual([200, 200]);
    },
  );

  it.each([
    ["exceptBots", ["alice"]],
    ["on", ["alice", "helper"]],
  ] as const)("apply to users and bots by the switch: %s", async (userRateLimits, refused) => {
    await startPlatform({ clock: createVirtualClock(), switches: { userRateLimits } });
    const message = { receiver: "bob", receiverType: "user", data: { text: "x" } };
    const spellings = ["helper", "HELPER"];
    const senders = {
      alice: async () => await chat("POST /messages", "alice", message),
      helper: async () => await chat(`POST /bots/${spellings.reverse()[0]}/messages`, undefined, message),
    };

    const stopped = [];
    for (const [uid, send] of Object.entries(senders)) {
      for (let n = 0; n < 30; n += 1) await send();
      if ((await send()).status === 429) stopped.push(uid);
    }

    expect(stopped).toEqual(refused);
  });

  it.each([
    ["moderation", "GET /moderation/rules"],
    ["pins", "POST /messages/1/pin"],
  ] as const)("refuse features that the plan lacks: %s, %s", async (missingFeature, line) => {
    await startPlatform({ switches: { missingFeature } });

    expect(await codeOf(line)).toBe("ERR_FEATURE_NOT_ACCESSIBLE");
  });

  it("are 500 in the free plan, with a configurable header name", async () => {
    await startPlatform({ switches: { plan: "free", rateLimitHeaders: "X-RateLimit-Limit" } });

    const { headers } = await chat("GET /users");

    const read = ["x-ratelimit-limit", "x-ratelimit-remaining"].map((name) => headers.get(name));
    expect(read).toEqual(["500", "499"]);
  });

  it.each([
    { limit: "coreRateLimit", line: "POST /users" },
    { limit: "importRateLimit", line: "POST /data_import/users" },
  ] as const)("have the class $limit for $line", async ({ limit, line }) => {
    await startPlatform({ switches: { [limit]: 1 } });

    await chat(line, {});
    const refused = await chat(line, {});
    const other = await chat("GET /users");

    expect([refused.status, other.status]).toEqual([429, 200]);
  });

  it("count each app separately, and no call with a wrong key", async () => {
    const other = { ...app, appId: "other", name: "Other" };
    const platform = await startPlatform({
      switches: { standardRateLimit: 1 },
      seed: { management: { key: "seed-key", secret: "seed-secret" }, apps: [app, other] },
    });

    const wrong = await chatWith("GET /users", { key: "0".repeat(40) });
    const mine = await chat("GET /users");
    const theirs = await call(platform.appUrl("other"), "GET /users", {
      headers: { apikey: app.fullAccessKey },
    });

    expect([wrong.status, mine.status, theirs.status]).toEqual([401, 200, 200]);
    expect(limitHeaders(wrong)).toEqual(["1", "1"]);
  });
});

describe("/_platform/switches", () => {
  it("shows, changes and resets", async () => {
    const platform = await startPlatform();

    const changed = await own("PATCH /switches", { duplicateIdStatus: 409 });
    const duplicate = await chat("POST /users", { uid: "alice", name: "Alice" });
    const shown = await own("GET /switches");
    await own("DELETE /switches");

    expect([changed.status, duplicate.status]).toEqual([200, 409]);
    expect(shown.body.values.duplicateIdStatus).toBe(409);
    expect(Object.keys(shown.body.facts)).toEqual(Object.keys(switchTable));
    expect(platform.switches.duplicateIdStatus).toBe(400);
  });

  it.each([
    { duplicateIdStatus: 418 },
    { secondRetryFrom: "never" },
    { deliveryTimeoutMs: -1 },
    { deliveryTimeoutMs: "2000" },
    { webhookEnabledByDefault: 1 },
    { nope: true },
  ])("refuses %o and changes nothing", async (changes) => {
    const platform = await startPlatform();

    const refused = await own("PATCH /switches", { defaultMessageLimit: 5, ...changes });

    expect(refused.status).toBe(400);
    expect(platform.switches.defaultMessageLimit).toBe(10);
  });
});

describe("switches of behaviour", () => {
  it("authOnlyCreatesUsers: false refuses the authOnly key users", async () => {
    await startPlatform({ switches: { authOnlyCreatesUsers: false } });
    const body = { uid: "dave", name: "Dave" };

    expect((await chatWith("POST /users", { key: app.authOnlyKey, body })).status).toBe(403);
  });

  it.each([
    { userMentionedEvents: "perMessage", events: 1 },
    { userMentionedEvents: "perMentionedUser", events: 2 },
  ] as const)(
    "userMentionedEvents: $userMentionedEvents fires $events",
    async ({ userMentionedEvents, events }) => {
      await startPlatform({ switches: { userMentionedEvents } });
      const receiver = await receive(["user_mentioned"]);

      await sendText("<@uid:bob> and <@uid:support>");
      await idle();

      expect(receiver.received).toHaveLength(events);
    },
  );
});

describe("the switch messageMarksInWebhooks", () => {
  it.each([
    { messageMarksInWebhooks: "kept", marks: [["a-tag"], { a: 1 }] },
    { messageMarksInWebhooks: "stripped", marks: [undefined, undefined] },
  ] as const)("has tags and metadata $messageMarksInWebhooks", async ({ messageMarksInWebhooks, marks }) => {
    await startPlatform({ switches: { messageMarksInWebhooks } });
    const receiver = await receive(["message_sent"]);

    expect(
      (
        await dataOf("POST /messages", "alice", {
          receiver: "bob",
          receiverType: "user",
          category: "message",
          type: "text",
          data: { text: "hi", metadata: { a: 1 } },
          tags: ["a-tag"],
        })
      ).tags,
    ).toEqual(["a-tag"]);
    await idle();

    const { message } = receiver.received[0]?.json.data ?? {};
    expect([message.tags, message.data.metadata]).toEqual(marks);
    expect(message.data.text).toBe("hi");
  });
});

describe("switches of defaults", () => {
  it("set the default length of message lists", async () => {
    await startPlatform({ switches: { defaultMessageLimit: 1 } });
    await sendText("one");
    await sendText("two");

    expect(await dataOf("GET /messages")).toHaveLength(1);
  });

  it("let a list without a cursor begin with the newest", async () => {
    await startPlatform({ switches: { messageListBegins: "newest" } });
    for (const text of ["one", "two", "three"]) await sendText(text);

    const list = await chat("GET /messages?limit=2");
    const after = await chat("GET /messages?limit=1&affix=append&id=1");

    expect([list, after].map(({ data }) => data.map(({ id }: Json) => id))).toEqual([["2", "3"], ["2"]]);
  });

  it("set whether a webhook is enabled by default", async () => {
    await startPlatform({ switches: { webhookEnabledByDefault: false } });

    const created = await manage(`POST /apps/${app.appId}/webhooks`, {
      id: "quiet",
      name: "Quiet",
      webhookURL: "http://127.0.0.1:9/hook",
    });

    expect(created.data.enabled).toBe(false);
  });

  it("set whether answers contain a webhook's settings", async () => {
    await startPlatform({ switches: { webhookSettingsEchoed: true } });
    const body = { id: "told", name: "Told", webhookURL: "http://127.0.0.1:9/hook", retryOnFailure: true };

    const created = await manage(`POST /apps/${app.appId}/webhooks`, body);

    expect(created.data).toMatchObject({ retryOnFailure: true, useBasicAuth: false });
  });
});
