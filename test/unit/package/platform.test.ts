import { createChatClient, createManagementClient, InvalidInputError } from "cometchat-functions/chat";
import {
  createPlatform,
  type Platform,
  type PlatformContents,
  type PlatformOptions,
  SeedError,
} from "cometchat-functions/platform";
import { describe, expect, it, onTestFinished } from "vitest";
import { config } from "zod/mini";
import { createTestClock } from "../../../local/test-platform/test-clock.ts";
import { type RecordedRequest, startLoopbackServer } from "../../helpers/loopback-server.ts";

describe("the initial state of a platform", () => {
  it("is its seed, with defaults for missing fields", async () => {
    const platform = await start({ seed: { appId: "shop", region: "eu", users: [{ uid: "ann" }] } });
    const chat = createChatClient(platform.connection());

    const user = await chat.users.get("ann");

    expect(user).toMatchObject({ uid: "ann", name: "ann" });
    expect(platform.connection()).toMatchObject({ appId: "shop", region: "eu" });
  });

  it("may have several apps, the first of which is the default", async () => {
    const platform = await start({ seed: { apps: [{ appId: "second" }, { appId: "another" }] } });

    expect(platform.connection().appId).toBe("second");
    expect(platform.connection("another").appId).toBe("another");
    expect(() => platform.connection("third")).toThrow("has no app third. It has: another, second.");
  });

  it.each<[unknown, RegExp]>([
    [{ users: [{ uid: "ann" }, { uid: "Not OK" }] }, /apps\[0\]\.users\[1\]\.uid: must hold lower-case/],
    [{ user: [] }, /user/],
    [{ apps: "all" }, /apps: /],
    [null, /apps\[0\]/],
  ])("is refused with the place of the error: %j", async (seed, message) => {
    const starting = createPlatform({ seed: seed as PlatformContents });

    await expect(starting).rejects.toThrow(SeedError);
    await expect(starting).rejects.toThrow(message);
  });
});

describe("add", () => {
  it("extends an app, whose new groups may name existing users", async () => {
    const platform = await start();

    platform.add({ users: [{ uid: "carol" }], groups: [{ guid: "den", owner: "alice" }] });

    const members = await createChatClient(platform.connection()).groups.get("den");
    expect(members).toMatchObject({ guid: "den", owner: "alice" });
    await expect(platform.user("carol").sends({ to: "bob", text: "hi" })).resolves.toMatchObject({ id: "1" });
  });

  it("gives each webhook without an id a new one, and refuses a taken id", async () => {
    const one = await startReceiver();
    const other = await startReceiver();
    const platform = await start();
    platform.add({ webhooks: [{ url: one.url }] });

    await greetHeardAt(platform, other.url);
    await platform.settled();

    expect([one.bodies.length, other.bodies.length]).toEqual([1, 1]);
    expect(() => platform.add({ webhooks: [{ id: "webhook-1", url: one.url }] })).toThrow(
      "has a webhook webhook-1 already",
    );
  });
});

describe("a user's client", () => {
  it("acts as a user, and webhooks receive the events", async () => {
    const { url, bodies } = await startReceiver();
    const platform = await start();
    platform.add({ webhooks: [{ url }] });
    const alice = platform.user("alice");
    const bob = platform.user("bob");

    const { id } = await alice.sends({ to: "bob", text: "helo", metadata: { from: "test" }, tags: ["a"] });
    const edited = await alice.edits(id, "hello");
    await bob.receives(id);
    await bob.reads(id);
    await bob.reacts(id, "👍");
    const reply = await bob.sends({ to: "alice", text: "hi", parentId: id });
    await alice.sends({ toGroup: "lobby", text: "all" });
    await alice.leaves("lobby");
    await alice.joins("lobby");
    await alice.connects();
    await alice.disconnects();
    const { sessionId } = await alice.calls({ to: "bob", type: "video" });
    platform.simulate("answer-call", { sessionId, uid: "bob" });
    platform.simulate("end-call", { sessionId });
    await alice.deletes(id);
    await platform.settled();

    expect(reply.parentId).toBe(id);
    const told = [
      ...["message_sent", "message_edited", "message_deleted", "message_delivery_receipt"],
      ...["message_read_receipt", "message_reaction_added", "group_member_left", "group_member_joined"],
      ...["user_connection_status_changed", "call_initiated", "call_started", "call_ended"],
    ];
    expect(bodies.map(({ trigger }) => trigger)).toEqual(expect.arrayContaining(told));
    expect(edited.data).toMatchObject({ text: "hello", metadata: { from: "test" } });
    expect(platform.messages()[0]).toMatchObject({ id, deletedBy: "alice" });
  });

  it("is refused like a request to the platform", async () => {
    const platform = await start();

    await expect(platform.user("nobody").sends({ to: "bob", text: "hi" })).rejects.toMatchObject({
      code: "ERR_UID_NOT_FOUND",
    });
    await expect(platform.user("alice").sends({ to: "nobody", text: "hi" })).rejects.toMatchObject({
      code: "ERR_UID_NOT_FOUND",
    });
    expect(() => platform.simulate("answer-call", { sessionId: "", uid: "bob" })).toThrow("needs sessionId");
    expect(() => platform.simulate("dance" as "connect", { uid: "bob" })).toThrow('no action "dance"');
  });

  it("is exempt from faults and the journal", async () => {
    const platform = await start();
    const fault = platform.faults.add({ on: "request", fault: "dropBefore" });

    await greet(platform);

    expect(fault.strikes).toBe(0);
    expect(platform.journal.requests()).toEqual([]);
  });
});

describe("faults", () => {
  it("apply in the order of their rules, and are counted", async () => {
    const platform = await start();
    const chat = createChatClient({ ...platform.connection(), sleep: async () => {} });
    const refused = platform.faults.add({
      on: "request",
      operationId: "send-message",
      fault: "tooManyRequests",
      count: 2,
    });
    const lost = platform.faults.add({
      on: "request",
      operationId: "get-user",
      fault: "dropAfter",
      count: 1,
    });

    await chat.messages.send(hello, { onBehalfOf: "alice" });
    const unmatched = lost.strikes;
    await chat.users.get("alice");

    const mistyped = { on: "request", operationId: "send-mesage", fault: "serverError" } as const;
    expect(() => platform.faults.add(mistyped)).toThrow("the platform has no operation send-mesage");
    expect([refused.strikes, unmatched, lost.strikes]).toEqual([2, 0, 1]);
    expect(platform.journal.requests().map(({ status }) => status)).toEqual([429, 429, 200, 200, 200]);
    expect(platform.journal.requests()[3]).toMatchObject({ fault: "dropAfter" });
  });

  it("end with clear", async () => {
    const platform = await start();
    const fault = platform.faults.add({ on: "request", fault: "serverError" });

    platform.faults.clear();
    await createChatClient(platform.connection()).users.get("alice");

    expect(fault.strikes).toBe(0);
  });
});

describe("the clock", () => {
  it("triggers due work: the retries of a delivery", async () => {
    const { url, bodies } = await startReceiver(() => 503);
    const platform = await start();
    await greetHeardAt(platform, url);

    await platform.settled();
    const atFirst = bodies.length;
    await platform.clock.advance("10s");
    const afterTen = bodies.length;
    await platform.clock.advance("1h");

    expect([atFirst, afterTen, bodies.length]).toEqual([1, 2, 3]);
    expect(platform.journal.deliveries()).toMatchObject([
      { trigger: "message_sent", state: "lost", tries: [{ status: 503 }, { status: 503 }, { status: 503 }] },
    ]);
  });

  it("begins at the given time, stops when frozen, and dates events", async () => {
    const platform = await start({ startsAt: new Date("2030-01-01T00:00:00Z") });
    platform.clock.freeze();
    const before = platform.clock.now();

    await platform.clock.advance("1d");
    const { sentAt } = await greet(platform);

    expect(before.toISOString()).toMatch(/^2030-01-01T00:00:/);
    expect(platform.clock.now().getTime() - before.getTime()).toBe(86_400_000);
    expect(sentAt).toBe(Math.floor(platform.clock.now().getTime() / 1000));
  });

  it.each([-1, Number.POSITIVE_INFINITY, "tomorrow"])("refuses to advance by %s", async (by) => {
    const platform = await start();

    await expect(platform.clock.advance(by as "1d")).rejects.toThrow(RangeError);
  });
});

it("a clock that cannot be moved in a minute reports its progress", async () => {
  const clock = {
    now: Date.now,
    freeze() {},
    unfreeze() {},
    moveTo: async () => ({ isDone: false, nowMs: Date.UTC(2030, 0, 1), steps: 9, leftMs: 1 }),
  };

  const moving = createTestClock(clock).advance("1d");

  await expect(moving).rejects.toThrow("after a minute the platform's time is 2030-01-01T00:00:00.000Z");
});

describe("the journal", () => {
  it("lists requests with operation, acting user, body and answer", async () => {
    const platform = await start();
    const chat = createChatClient(platform.connection());

    await chat.messages.send(hello, { onBehalfOf: "alice" });
    await chat.users.get("bob");

    expect(platform.journal.requests({ operation: "send-message" })).toMatchObject([
      {
        appId: "local-app",
        method: "POST",
        path: "/local-app.api-us/v3/messages",
        onBehalfOf: "alice",
        body: { receiver: "bob" },
        status: 200,
        answer: { data: { id: "1" } },
      },
    ]);
    expect(platform.journal.requests({ onBehalfOf: "bob" })).toEqual([]);
  });

  it("lists deliveries with their results, and can be cleared", async () => {
    const { url } = await startReceiver();
    const platform = await start();
    platform.add({ webhooks: [{ id: "mine", url }] });

    await greet(platform);
    await platform.settled();
    platform.journal.clear();
    await greet(platform, "second");
    await platform.settled();

    expect(platform.journal.deliveries({ webhook: "mine", trigger: "message_sent" })).toMatchObject([
      {
        state: "delivered",
        tries: [{ status: 200 }],
        body: { data: { message: { data: { text: "second" } } } },
      },
    ]);
  });
});

describe("reset", () => {
  it("restores contents, faults, journal and time", async () => {
    const platform = await start();
    const connection = platform.connection();
    platform.faults.add({ on: "request", fault: "dropBefore" });
    platform.add({ users: [{ uid: "carol" }] });
    await greet(platform);
    await expect(fetch(platform.appUrl())).rejects.toThrow("fetch failed");
    await platform.clock.advance("2d");

    await platform.reset();

    const chat = createChatClient(connection);
    await expect(chat.users.get("carol")).rejects.toMatchObject({ code: "ERR_UID_NOT_FOUND" });
    expect(platform.messages()).toEqual([]);
    expect(platform.journal.requests()).toHaveLength(1);
    expect(Math.abs(platform.clock.now().getTime() - Date.now())).toBeLessThan(60_000);
  });

  it("restarts the count of deliveries, also of those that the journal forgot", async () => {
    const { url } = await startReceiver();
    const users = [{ uid: "alice" }, { uid: "bob" }];
    const platform = await start({ seed: { users, webhooks: [{ url, triggers: ["message_sent"] }] } });
    await greet(platform);
    platform.journal.clear();

    await platform.reset();
    await greet(platform);
    await platform.settled();

    expect(platform.journal.deliveries()).toMatchObject([{ id: 1, state: "delivered" }]);
  });

  it("accepts another seed, and refuses a wrong one before any change", async () => {
    const platform = await start();
    await greet(platform);

    await expect(platform.reset({ users: [{ uid: "?" }] })).rejects.toThrow("apps[0].users[0].uid");
    const kept = platform.messages().length;
    await platform.reset({ appId: "other", users: [{ uid: "zoe" }] });

    expect(kept).toBe(1);
    expect(platform.connection().appId).toBe("other");
    expect(() => platform.connection("local-app")).toThrow("It has: other.");
  });

  it("drops earlier requests and deliveries that are still running", async () => {
    const held = Promise.withResolvers<void>();
    const { url, bodies } = await startReceiver(() => 200, held.promise);
    const platform = await start();
    const chat = tryingOnce(platform);
    platform.faults.add({ on: "request", operationId: "send-message", fault: "latency", delayMs: 3_600_000 });
    const slow = chat.messages.send(hello, { onBehalfOf: "alice" });
    slow.catch(() => undefined);
    await greetHeardAt(platform, url);
    await expect.poll(() => bodies.length).toBe(1);

    let isReset = false;
    const resetting = platform.reset().then(() => {
      isReset = true;
    });
    await expect(slow).rejects.toMatchObject({ name: "ChatUnreachableError" });
    const isResetBefore = isReset;
    held.resolve();
    await resetting;

    expect(isResetBefore).toBe(false);
    expect(platform.messages()).toEqual([]);
    expect(platform.journal.deliveries()).toEqual([]);
    expect(platform.journal.requests()).toEqual([]);
  });
});

it("close ends running deliveries, may be repeated, and runs through `await using`", async () => {
  const never = new Promise<void>(() => {});
  const { url, bodies } = await startReceiver(() => 200, never);
  const platform = await createPlatform();
  await greetHeardAt(platform, url);
  await expect.poll(() => bodies.length).toBe(1);

  await platform.close();
  await platform.close();
  await platform[Symbol.asyncDispose]();

  await expect(fetch(platform.url)).rejects.toThrow("fetch failed");
});

describe("a closed platform", () => {
  it("refuses every call", async () => {
    const platform = await createPlatform();
    await platform.close();

    for (const ask of [
      () => platform.messages(),
      () => platform.connection(),
      () => platform.add({ users: [{ uid: "ann" }] }),
      () => platform.journal.deliveries(),
    ])
      expect(ask).toThrow("The platform is closed.");
    await expect(platform.reset()).rejects.toThrow("The platform is closed.");
    await expect(greet(platform)).rejects.toThrow("is closed.");
    await expect(platform.clock.advance("1d")).resolves.toBeUndefined();
    await expect(platform.settled()).resolves.toBeUndefined();
  });

  it("may be closed while its clock is moved", async () => {
    const { url } = await startReceiver(() => 503);
    const platform = await createPlatform();
    await greetHeardAt(platform, url);

    const moving = platform.clock.advance("1d");
    await platform.close();

    await expect(moving).resolves.toBeUndefined();
  });
});

it("a client in the same process reports a wrong call as it does without the platform", async () => {
  const platform = await start();
  const chat = createChatClient(platform.connection());

  await expect(chat.users.get("")).rejects.toThrow(InvalidInputError);

  // The library's messages are few, to keep functions small; a process-wide language would add some.
  expect(config().localeError).toBeUndefined();
});

it("several platforms are independent", async () => {
  const platforms = await Promise.all([start(), start(), start()]);

  await Promise.all(
    platforms.map(async (platform, number) => {
      const chat = createChatClient(platform.connection());
      const input = { ...hello, data: { text: `on ${number}` } };
      await chat.messages.send(input, { onBehalfOf: "alice" });
    }),
  );

  expect(platforms.map((platform) => platform.messages().map(({ data }) => data.text))).toEqual(
    platforms.map((_, number) => [`on ${number}`]),
  );
});

it("the Management API works with the platform's credentials", async () => {
  const platform = await start();
  const management = createManagementClient(platform.management);

  platform.add({ webhooks: [{ id: "mine", url: "http://127.0.0.1:9/hook", triggers: [] }] });
  const { items } = await management.webhooks.list("local-app").page();

  expect(items).toMatchObject([{ id: "mine", webhookURL: "http://127.0.0.1:9/hook" }]);
});

const hello = {
  receiver: "bob",
  receiverType: "user",
  category: "message",
  type: "text",
  data: { text: "hi" },
} as const;

const greet = (platform: Platform, text = "hi") => platform.user("alice").sends({ to: "bob", text });

const tryingOnce = (platform: Platform) =>
  createChatClient({ ...platform.connection(), retry: { maxTries: 1 } });

async function greetHeardAt(platform: Platform, url: string) {
  platform.add({ webhooks: [{ url, triggers: ["message_sent"] }] });
  await greet(platform);
}

async function start(options?: PlatformOptions): Promise<Platform> {
  const platform = await createPlatform(options);
  onTestFinished(() => platform.close());
  return platform;
}

/** A webhook's server; it answers when `until` is over. */
async function startReceiver(statusOf: () => number = () => 200, until: Promise<void> = Promise.resolve()) {
  const bodies: { trigger: string }[] = [];
  const server = await startLoopbackServer(({ body }: RecordedRequest, response) => {
    bodies.push(JSON.parse(body));
    void until.then(() => response.writeHead(statusOf()).end("{}"));
  });
  return { url: server.url, bodies };
}
