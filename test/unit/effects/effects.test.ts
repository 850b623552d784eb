import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { composeChatClient } from "../../../lib/chat/compose.ts";
import { InvalidInputError } from "../../../lib/chat/errors.ts";
import { groups } from "../../../lib/chat/resources/groups.ts";
import { bannedUsers } from "../../../lib/chat/resources/members.ts";
import { messages } from "../../../lib/chat/resources/messages.ts";
import {
  EffectNotClearError,
  EventEndedError,
  StoredResultError,
} from "../../../lib/effects/effect-errors.ts";
import type { AskingMessage } from "../../../lib/effects/effects.ts";
import { createClaimMark, createLedger, effectKey, triggerKey } from "../../../lib/effects/ledger.ts";
import { effectTagOf } from "../../../lib/events/marks/automatic.ts";
import { createLoopGuard, type GuardKeys } from "../../../lib/events/marks/loop-guard.ts";
import { createPlatform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import { chatSilence } from "../../helpers/failed-calls.ts";
import { createTestGuard, testGuardKeys } from "../../helpers/loop-guard.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";
import { createTestEffects, limitsFrom } from "../../helpers/test-effects.ts";

const [app] = defaultSeed.apps;
const greeting = { receiver: "alice", receiverType: "user", text: "hi", onBehalfOf: "support" } as const;
const keyOf = (occurrenceKey: string, triggerName: string) =>
  triggerKey({ appId: app.appId, occurrenceKey, triggerName });
const guard = createTestGuard(app.appId);
const key = keyOf("event-1", "greet");

/** A table, a platform, a client whose requests pass through `through`, and a time that the test moves. */
async function createWorld(
  through: (request: Request) => Promise<Response> = fetch,
  keys: GuardKeys = testGuardKeys,
) {
  const platform = await createPlatform();
  onTestFinished(() => platform.close());
  const time = { nowMs: Date.now() };
  const now = () => time.nowMs;
  const requests: string[] = [];
  const chat = composeChatClient(
    {
      appId: app.appId,
      apiKey: app.fullAccessKey,
      baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
      now,
      sleep: async () => {},
      fetch: (input, init) => {
        const request = new Request(input, init);
        requests.push(`${request.method} ${new URL(request.url).pathname.replace(/^.*\/v3/, "")}`);
        return through(request);
      },
    },
    { messages },
  );
  const table = createMemoryTable("id");
  const guard = createLoopGuard(keys, app.appId, createClaimMark(table, new Map(), now));
  const ledger = createLedger({ table, now });
  const effectsOf = (more: Partial<Parameters<typeof createTestEffects>[0]> = {}) =>
    createTestEffects({
      ledger,
      table,
      call: chat.call,
      appId: app.appId,
      guard,
      key,
      now,
      receivedAt: now(),
      ...more,
    });
  /** Sends the greeting in a separate attempt. */
  const greet = (more?: Parameters<typeof effectsOf>[0]) => effectsOf(more).sendText("greeting", greeting);
  const sent = async () => (await chat.messages.list({ sender: "support", limit: 100 }).page()).items;
  const texts = async () => (await sent()).map(({ data }) => data?.text);
  return { chat, effectsOf, greet, sent, texts, time, now, ledger, table, requests };
}

/** Answers the first `count` sends with `fail`. */
function failingSends(count: number, fail: (request: Request) => Promise<Response>) {
  let failed = 0;
  return (request: Request) => {
    if (request.method !== "POST" || failed >= count) return fetch(request);
    failed += 1;
    return fail(request);
  };
}

const reset = () =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("ECONNRESET"), { code: "ECONNRESET" }) });
/** Carries a request out and loses its answer. */
async function loseAnswer(request: Request): Promise<Response> {
  await fetch(request);
  throw reset();
}

describe("effects.sendText", () => {
  it("sends one message, however often the event is handled, and returns its ID each time", async () => {
    const { greet, sent } = await createWorld();

    const first = await greet();
    const again = await greet();

    expect(again).toEqual(first);
    expect(await sent()).toHaveLength(1);
  });

  it("sends two messages for two names, two triggers or two events", async () => {
    const { effectsOf, greet, sent } = await createWorld();

    await greet();
    await effectsOf().sendText("another", greeting);
    await greet({ key: keyOf("event-1", "farewell") });
    await greet({ key: keyOf("event-2", "greet") });

    expect(await sent()).toHaveLength(4);
  });

  it.each([
    ["a lost answer whose request was not carried out", () => Promise.reject(reset())],
    ["a fault of the platform", async () => new Response("{}", { status: 500 })],
  ])("after %s looks at 5, 20 and 60 s, and sends again only at the last look", async (_case, fail) => {
    const { greet, texts, time, requests } = await createWorld(failingSends(1, fail));
    const startMs = time.nowMs;
    const tryAt = async (seconds: number) => {
      time.nowMs = startMs + seconds * 1000;
      requests.length = 0;
      const outcome = await greet().then(
        () => "sent",
        (error: unknown) =>
          error instanceof EffectNotClearError ? (error.retryAtMs - startMs) / 1000 : "failed",
      );
      return [outcome, ...requests];
    };

    const seen = [];
    for (const seconds of [0, 0, 4.9, 5, 19.9, 20, 59.9, 60]) seen.push(await tryAt(seconds));

    const [look, send] = ["GET /messages", "POST /messages"];
    expect(seen).toEqual([
      ["failed", send],
      [5],
      [5],
      [20, look],
      [20, look],
      [60, look],
      [60, look],
      ["sent", look, send],
    ]);
    expect(await texts()).toEqual(["hi"]);
  });

  it("starts nothing after the event ended, and releases what it began", async () => {
    const { greet, time, now, table, requests } = await createWorld();
    const limits = limitsFrom(now);
    let checks = 0;
    const endsAfterBeginning = limitsFrom(now, undefined, () => ++checks === 2);
    await expect(greet({ limits: endsAfterBeginning })).rejects.toThrow(EventEndedError);
    expect(table.items()).toEqual([]);
    time.nowMs = limits.deadlineMs;
    await expect(greet({ limits })).rejects.toThrow(EventEndedError);

    expect(table.items()).toEqual([]);
    expect(requests).toEqual([]);
  });

  it("marks its messages as automatic, beside the handler's metadata", async () => {
    const { effectsOf, sent } = await createWorld();

    await effectsOf().sendText("greeting", { ...greeting, metadata: { about: "x" } });

    const [message] = await sent();
    expect(message?.data?.metadata).toEqual({
      about: "x",
      automatic: true,
      automaticMark: expect.any(String),
    });
  });
});

describe("effects.answer", () => {
  const question = {
    id: "77",
    sender: "alice",
    receiver: "support",
    receiverType: "user",
    conversationId: "alice_user_support",
  };
  const ofEvent = (number: number) => keyOf(`event-${number}`, "reply");
  type World = Awaited<ReturnType<typeof createWorld>>;
  const answerTo = (
    { effectsOf }: World,
    number: number,
    asking: Partial<AskingMessage> = {},
    more: Parameters<World["effectsOf"]>[0] = {},
  ) => effectsOf({ key: ofEvent(number), ...more }).answer("reply", toAlice, { ...question, ...asking });
  const toAlice = { ...greeting, text: "a reply" };
  it("answers each question once up to the limit, passes over the rest for good, and reports outcomes", async () => {
    const world = await createWorld();
    const ends: string[] = [];
    let done = 0;
    const onOutcome = (_effect: unknown, how: string) => void ends.push(how);
    const onActed = () => {
      done += 1;
    };
    const answer = (number: number, asking: Partial<AskingMessage> = {}) =>
      answerTo(world, number, asking, { onOutcome, onActed });
    for (let number = 1; number <= 20; number += 1) {
      expect(await answer(number)).toEqual({ id: expect.any(String) });
      expect(await answer(number)).toEqual({ id: expect.any(String) });
    }

    const over = await answer(21);
    await answer(21, { sender: "app_system" });
    world.time.nowMs += 11 * 60_000;

    expect([over, await answer(21)]).toEqual([
      { passedOver: "answer-limit" },
      { passedOver: "answer-limit" },
    ]);
    expect(done).toBe(20);
    expect(ends.slice(38)).toEqual(["now", "earlier", "answer-limit", "own-message", "answer-limit"]);
    expect(await answer(22)).toEqual({ id: expect.any(String) });
    expect(await world.sent()).toHaveLength(21);
  });

  it("passes over this system's messages, known by mark or recent answer, and stores only each mark's owner", async () => {
    const world = await createWorld();
    const { table, requests } = world;
    const written = await answerTo(world, 1);
    if (!("id" in written)) throw new Error("The first answer was passed over.");
    const spoken = { sender: "support", receiverType: "user", receiver: "alice" };
    const { tags } = await guard.mark(effectKey(ofEvent(1), "another"), spoken);
    const answer = (event: number, asking: Pick<AskingMessage, "id" | "tags">) =>
      answerTo(world, event, { ...spoken, ...asking });

    const outcomes = [await answer(2, { id: "not answered", tags }), await answer(2, { id: written.id })];

    expect(outcomes).toEqual([{ passedOver: "own-message" }, { passedOver: "own-message" }]);
    expect(
      table
        .items()
        .map(({ id }) => /^[a-z]+#/.exec(String(id))?.[0] ?? "an effect")
        .toSorted(),
    ).toEqual(["an effect", "answers#", "mark#"]);
    expect(requests).toEqual(["POST /messages"]);
    expect(await answer(3, { id: "0" })).toEqual({ id: expect.any(String) });
  });

  it.each([
    ["support", "alice"],
    ["alice", "support"],
  ] as const)("passes over a question for good if %s blocked %s", async (blocker, blocked) => {
    const world = await createWorld(async (request) => {
      const isSend = request.method === "POST";
      const code = blocker === "support" ? "ERR_BLOCKED_RECEIVER" : "ERR_BLOCKED_SENDER";
      return isSend ? Response.json({ error: { code, message: blocked } }, { status: 403 }) : fetch(request);
    });
    const ends: string[] = [];
    const onOutcome = (_effect: unknown, how: string) => void ends.push(how);

    const answers = [
      await answerTo(world, 1, {}, { onOutcome }),
      await answerTo(world, 1, {}, { onOutcome }),
    ];

    expect(answers).toEqual([{ passedOver: "blocked" }, { passedOver: "blocked" }]);
    expect(ends).toEqual(["blocked", "blocked"]);
    expect(world.requests).toEqual(["POST /messages"]);
  });

  it.each(["ERR_BLOCKED_BY_WEBHOOK", "ERR_UID_NOT_FOUND"])(
    "throws another refusal of an answer: %s",
    async (code) => {
      const world = await createWorld(async () =>
        Response.json({ error: { code, message: "no" } }, { status: 403 }),
      );

      await expect(answerTo(world, 1)).rejects.toMatchObject({ code });
    },
  );

  it("passes over a remembered message of this system without marks, and no other of its sender", async () => {
    const world = await createWorld();
    const { sendText } = world.effectsOf();
    const [other, welcome] = [
      await sendText("other", toAlice),
      await sendText("welcome", toAlice, { isRemembered: true }),
    ];
    const spoken = { sender: toAlice.onBehalfOf, receiverType: "user", receiver: toAlice.receiver };

    expect([
      await answerTo(world, 2, { ...spoken, id: welcome.id }),
      await answerTo(world, 3, { ...spoken, id: other.id }),
    ]).toEqual([{ passedOver: "own-message" }, { id: expect.any(String) }]);
  });

  it("retries after a second if other writers write the conversation's answers too often", async () => {
    const { effectsOf, time, table, requests } = await createWorld();
    const { put } = table;
    let isCrowded = true;
    table.put = async (item, condition) => {
      // Another writer has just written each time.
      if (isCrowded && `${item.id}`.startsWith("answers#"))
        await put({ ...item, answers: [], version: randomUUID() });
      return put(item, condition);
    };

    const failure = effectsOf().answer("reply", toAlice, question);

    await expect(failure).rejects.toMatchObject({ name: "EffectBusyError", retryAtMs: time.nowMs + 1_000 });
    expect(requests).toEqual([]);
    isCrowded = false;
    expect(await effectsOf().answer("reply", toAlice, question)).toEqual({ id: expect.any(String) });
  });

  it("begins and counts nothing while the key of the marks is unavailable", async () => {
    const keys = { current: () => Promise.reject(new Error("out")), newest: testGuardKeys.newest };
    const { effectsOf, table, requests } = await createWorld(fetch, { ...testGuardKeys, ...keys });

    await expect(effectsOf().answer("reply", toAlice, question)).rejects.toThrow("out");
    await expect(effectsOf().sendText("greeting", toAlice)).rejects.toThrow("out");

    expect([table.items(), requests]).toEqual([[], []]);
  });

  it("does not treat another user's message with its effect's tag as its own", async () => {
    const { chat, effectsOf, sent, time, now, ledger } = await createWorld();
    const ofReply = effectKey(key, "reply");
    const { deadlineMs } = limitsFrom(now);
    await ledger.begin(ofReply, { owner: "the one who dies", deadlineMs, receivedAt: time.nowMs });
    const forged = {
      receiver: "support",
      receiverType: "user",
      type: "text",
      data: { text: "forged" },
    } as const;
    await chat.messages.send({ ...forged, tags: [effectTagOf(ofReply)] }, { onBehalfOf: "alice" });
    time.nowMs = deadlineMs + 61_000;

    expect(await effectsOf().answer("reply", toAlice, question)).toEqual({ id: expect.any(String) });
    expect(await sent()).toHaveLength(1);
  });
});

describe("effects.once", () => {
  /** Attempts at work that returns this value, and its runs. */
  const givingOnce = async (given: unknown) => {
    const { effectsOf } = await createWorld();
    const runs: unknown[] = [];
    const work = async () => {
      runs.push(given);
      return given;
    };
    return { runs, attempt: () => Reflect.apply(effectsOf().once, undefined, ["work", work]) };
  };

  it("remembers the result of the work, and forgets a failure", async () => {
    const { effectsOf } = await createWorld();
    const work = async () => {
      runs += 1;
      if (runs === 1) throw new Error("first time fails");
      return { runs };
    };
    let runs = 0;

    await expect(effectsOf().once("work", work)).rejects.toThrow("first time fails");

    expect(await effectsOf().once("work", work)).toEqual({ runs: 2 });
    expect(await effectsOf().once("work", work)).toEqual({ runs: 2 });
  });

  it("looks for an earlier result before it repeats work that may have happened", async () => {
    const { effectsOf, time } = await createWorld();
    const done: string[] = [];
    const found: string[] = [];
    const work = async () => {
      done.push("work");
      throw new Error("no answer");
    };
    const alreadyDone = async () => found[0];
    const attempt = () => effectsOf().once("work", work, { alreadyDone });

    await expect(attempt()).rejects.toThrow("no answer");
    await expect(attempt()).rejects.toThrow(EffectNotClearError);
    time.nowMs += 5_000;
    await expect(attempt()).rejects.toThrow(EffectNotClearError);
    found.push("what it gave");
    const result = await attempt();

    expect(result).toBe("what it gave");
    expect(await attempt()).toBe("what it gave");
    expect(done).toEqual(["work"]);
  });

  it("keeps its waiting time if the lookup fails", async () => {
    const { effectsOf, time } = await createWorld();
    const looks = [new Error("the list is out of order"), undefined];
    const alreadyDone = async () => {
      const next = looks.shift();
      if (next instanceof Error) throw next;
      return next;
    };
    const results = [new Error("no answer"), "done"];
    const attempt = () =>
      effectsOf().once(
        "work",
        async () => {
          const next = results.shift();
          if (next instanceof Error) throw next;
          return next ?? "";
        },
        { alreadyDone },
      );

    await expect(attempt()).rejects.toThrow("no answer");
    time.nowMs += 60_000;
    await expect(attempt()).rejects.toThrow("the list is out of order");

    expect(await attempt()).toBe("done");
  });

  it.each([
    new InvalidInputError("an-operation", "text", "short"),
    chatSilence({ phase: "connect", maybeExecuted: false }),
  ])("retries immediately after an error that excludes an execution: $name", async (error) => {
    const { effectsOf } = await createWorld();
    const alreadyDone = async () => {
      throw new Error("nothing to look for");
    };
    const failing = () => Promise.reject<string>(error);

    await expect(effectsOf().once("work", failing, { alreadyDone })).rejects.toThrow(error);

    expect(await effectsOf().once("work", async () => "done", { alreadyDone })).toBe("done");
  });

  it.each([
    ["undefined", undefined, null],
    ["a result of the maximum size", "x".repeat(299_998), "x".repeat(299_998)],
  ])("returns its result again: %s", async (_case, given, kept) => {
    const { attempt, runs } = await givingOnce(given);

    expect([await attempt(), await attempt(), runs.length]).toEqual([kept, kept, 1]);
  });

  it.each([
    ["a byte too many", "x".repeat(299_999), "too-large", "(300001 of 300000 bytes)"],
    ["more bytes than characters", "é".repeat(200_000), "too-large", "(400002 of 300000 bytes)"],
    ["a value that JSON does not support", 5n, "not-json", "is not JSON"],
    ["a function", () => 1, "not-json", "is not JSON"],
    ["a number that JSON does not support", { rate: Number.NaN }, "not-json", "is not JSON"],
    ["infinity", Number.POSITIVE_INFINITY, "not-json", "is not JSON"],
  ])(
    "runs once and fails by name each time, first and again, if it returns %s",
    async (_, given, reason, why) => {
      const { attempt, runs } = await givingOnce(given);

      for (const attempted of [attempt, attempt]) {
        await expect(attempted()).rejects.toMatchObject({
          name: "StoredResultError",
          reason,
          effect: { name: "work", of: key },
          message: expect.stringContaining(why),
        });
      }
      expect(runs).toHaveLength(1);
    },
  );

  it("reads its result by a schema, also one that an earlier version of the code stored", async () => {
    const { effectsOf } = await createWorld();
    const ticket = z.pipe(
      z.union([z.object({ id: z.string() }), z.string()]),
      z.transform((kept) => (typeof kept === "string" ? { id: kept } : kept)),
    );
    await effectsOf().once("ticket", async () => "t-1");

    const kept = await effectsOf().once("ticket", async () => ({ id: "t-2" }), { schema: ticket });
    const fresh = await effectsOf().once("other", async () => ({ id: "t-3" }), { schema: ticket });

    expect([kept, fresh]).toEqual([{ id: "t-1" }, { id: "t-3" }]);
  });

  it("refuses a schema that cannot read the result of the work", async () => {
    const { effectsOf } = await createWorld();
    const schema = z.object({ id: z.string() });

    // @ts-expect-error: the work gives a number for what the schema reads as a text
    const failure = effectsOf().once("ticket", async () => ({ id: 5 }), { schema });

    await expect(failure).rejects.toThrow(StoredResultError);
  });

  it.each([
    ["does not fit", z.object({ id: z.string() }), ": let the schema also read what was kept (id)."],
    [
      "breaks the code of",
      z.pipe(
        z.custom<{ ticket: { id: string } }>(),
        z.transform(({ ticket }) => ticket.id),
      ),
      "",
    ],
  ])("fails by name if the stored result %s the schema, and runs nothing", async (_how, schema, advice) => {
    const { effectsOf } = await createWorld();
    await effectsOf().once("ticket", async () => ({ number: 5 }));
    const neverRun = () => Promise.reject(new Error("it ran"));

    const failure = Reflect.apply(effectsOf().once, undefined, ["ticket", neverRun, { schema }]);

    await expect(failure).rejects.toThrow(
      `Effect "ticket" of ${key} is done, but its result does not fit the schema${advice}`,
    );
  });

  it("rethrows the work's failure even if its claim cannot be released", async () => {
    const { effectsOf, ledger } = await createWorld();
    ledger.release = () => Promise.reject(new Error("the table is gone"));

    const failure = effectsOf().once("work", () => Promise.reject<string>(new Error("the work failed")));

    await expect(failure).rejects.toThrow("the work failed");
  });
});

describe("effects.do with an operation of the client", () => {
  it("calls it once, and returns the same answer again", async () => {
    const { effectsOf, requests } = await createWorld();
    const send = () => effectsOf().do("name", groups.update, "lobby", { name: "Closed" });

    const [first, second] = [await send(), await send()];

    expect(first).toMatchObject({ guid: "lobby", name: "Closed" });
    expect(second).toEqual(first);
    expect(requests).toEqual(["PUT /groups/lobby"]);
  });

  it("refuses arguments that the operation does not take, before the ledger is asked", async () => {
    const { effectsOf, table } = await createWorld();

    const refused = effectsOf().do("name", groups.update, "lobby", { name: "x" }, { mode: 1 } as never);

    await expect(refused).rejects.toThrow(InvalidInputError);
    expect(table.items()).toEqual([]);
  });

  it("refuses a list operation", async () => {
    const { effectsOf, table, requests } = await createWorld();

    const refused: unknown = Reflect.apply(effectsOf().do, undefined, ["name", groups.list]);

    await expect(refused).rejects.toMatchObject({
      name: "PermanentError",
      message: expect.stringContaining("list-groups gives a list, and is no effect"),
    });
    expect([table.items(), requests]).toEqual([[], []]);
  });

  it("uses alreadyDone to look for a message with a muid", async () => {
    const { effectsOf, requests } = await createWorld(failingSends(1, loseAnswer));
    const message = { receiver: "bob", receiverType: "user", data: { text: "hi" }, muid: "m-1" } as const;

    const sent = effectsOf().do("hi", messages.send, message, { alreadyDone: async () => undefined });

    await expect(sent).rejects.toThrow();
    expect(requests).toEqual(["POST /messages"]);
  });

  it("does not repeat a call without an answer if a lookup finds its result", async () => {
    const { effectsOf, time, requests } = await createWorld(failingSends(1, loseAnswer));
    const ban = (alreadyDone: () => Promise<{ success: true } | undefined>) =>
      effectsOf().do("ban", bannedUsers.ban, "lobby", "bob", { alreadyDone });

    await expect(ban(async () => undefined)).rejects.toThrow();
    expect(requests).toHaveLength(1);
    time.nowMs += 61_000;
    const seen = await ban(async () => ({ success: true }));

    expect(seen).toEqual({ success: true });
    expect(requests).toHaveLength(1);
  });
});

it("effects.isOwn recognizes this system's messages by mark, and the platform's by sender", async () => {
  const { effectsOf } = await createWorld();
  const spoken = { id: "11", sender: "support", receiverType: "user", receiver: "alice" };
  const { tags } = await guard.mark(effectKey(key, "greeting"), spoken);
  const { isOwn } = effectsOf();

  expect(await isOwn({ ...spoken, tags })).toBe(true);
  expect(await isOwn({ sender: "app_system" })).toBe(true);
  for (const field of ["id", "sender", "receiverType", "receiver", "tags"])
    expect(await isOwn({ ...spoken, tags, [field]: undefined })).toBe(false);
});
