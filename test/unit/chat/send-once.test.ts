import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { runs } from "../../helpers/property-runs.ts";

const startMs = Date.UTC(2026, 0, 1);
const seconds = 1_000;
const hello = { receiver: "bob", receiverType: "user", data: { text: "hi" }, muid: "m-1" } as const;

/** The fate of a send: when it is stored, in ms after its arrival, and what its sender receives. */
interface Fate {
  readonly storedAfterMs?: number;
  readonly heard: "well" | "reset" | "timeout" | "refused" | { status: number; body?: unknown };
}

const fates = {
  "is answered": { storedAfterMs: 0, heard: "well" },
  "loses its answer": { storedAfterMs: 0, heard: "reset" },
  "is lost": { heard: "reset" },
  "loses its answer, and is carried out late": { storedAfterMs: 9 * seconds, heard: "reset" },
  "times out, and is carried out late": { storedAfterMs: 12 * seconds, heard: "timeout" },
  "times out for good": { heard: "timeout" },
  "is answered 500": { heard: { status: 500, body: { error: { code: "ERR_EXCEPTION", message: "" } } } },
  "is answered 500 after it was carried out": { storedAfterMs: 0, heard: { status: 500 } },
  "is answered 200 with nothing in it": { storedAfterMs: 0, heard: { status: 200, body: {} } },
  "is answered 200 without the message": {
    storedAfterMs: 0,
    heard: { status: 200, body: { data: { a: 1 } } },
  },
  "gets no connection": { heard: "refused" },
  "is one too many": { heard: { status: 429 } },
} as const satisfies Record<string, Fate>;

type FateName = keyof typeof fates;

/** Creates a platform that handles sends in these ways, then properly. Time passes only during waits. */
function createPlatform(
  names: readonly FateName[],
  list: (shown: object[], url: string) => unknown = (data) => ({ data }),
) {
  let nowMs = startMs;
  let posts = 0;
  const stored: { muid: unknown; atMs: number }[] = [];
  let endTimeout = () => {};
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const timeout = new AbortController();
    endTimeout = () => timeout.abort();
    return timeout.signal;
  });
  const socketError = (code: string, syscall: string) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code, syscall }) });

  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    if (init?.method === "GET") {
      // What a user's list shows without an acting user is not documented.
      const isUnclear = /\/users\//.test(String(url)) && !new Headers(init.headers).has("onBehalfOf");
      if (isUnclear) return Response.json({ data: [] });
      const shown = stored
        .filter(({ atMs }) => atMs <= nowMs)
        .map(({ muid }, n) => ({ id: `${n + 1}`, muid }));
      return Response.json(list(shown, String(url)));
    }
    const fate: Fate = fates[names[posts] ?? "is answered"];
    posts += 1;
    if (fate.storedAfterMs !== undefined) {
      const { muid } = JSON.parse(String(init?.body)) as { muid: unknown };
      stored.push({ muid, atMs: nowMs + fate.storedAfterMs });
    }
    if (fate.heard === "well") return Response.json({ data: { id: "1", muid: "m-1" } });
    if (fate.heard === "refused") throw socketError("ECONNREFUSED", "connect");
    if (fate.heard === "reset") throw socketError("ECONNRESET", "read");
    if (fate.heard === "timeout") {
      nowMs += 10 * seconds;
      endTimeout();
      throw new Error("timeout");
    }
    return Response.json(fate.heard.body ?? {}, { status: fate.heard.status });
  };
  const chat = createChatClient({
    appId: "app1",
    apiKey: "key",
    fetch,
    now: () => nowMs,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      nowMs += ms;
    },
    random: () => 1,
  });
  return { chat, stored, posts: () => posts, passedMs: () => nowMs - startMs };
}

afterEach(() => void vi.restoreAllMocks());

describe("a send with a muid", () => {
  it.each<[FateName, number, number]>([
    ["loses its answer", 1, 1],
    ["is lost", 2, 15],
    ["loses its answer, and is carried out late", 1, 11],
    ["times out, and is carried out late", 1, 16],
    ["is answered 500", 2, 15],
    ["is answered 500 after it was carried out", 1, 1],
    ["is answered 200 with nothing in it", 1, 1],
    ["is answered 200 without the message", 1, 1],
  ])("that %s creates one message, with %i requests, in %i s", async (fate, posts, passed) => {
    const platform = createPlatform([fate]);

    const sent = await platform.chat.messages.send(hello, { onBehalfOf: "alice" });

    expect(sent).toMatchObject({ id: "1", muid: "m-1" });
    expect(platform.stored).toHaveLength(1);
    expect([platform.posts(), platform.passedMs()]).toEqual([posts, passed * seconds]);
  });

  it("is found if the local clock is five minutes ahead", async () => {
    const platform = createPlatform(["loses its answer"], (shown, url) => {
      const since = Number(new URL(url).searchParams.get("fromTimestamp"));
      return { data: since <= startMs / seconds - 300 ? shown : [] };
    });

    await platform.chat.messages.send(hello, { onBehalfOf: "alice" });

    expect(platform.posts()).toBe(1);
  });

  it("is not repeated if the list shows the sender's messages without their muid", async () => {
    const platform = createPlatform(["loses its answer"], (shown) => ({
      data: shown.map((message) => ({ ...message, muid: undefined, sender: "alice" })),
    }));

    await expect(platform.chat.messages.send(hello, { onBehalfOf: "alice" })).rejects.toMatchObject({
      maybeExecuted: true,
    });

    expect(platform.posts()).toBe(1);
  });

  it("is not confused with another user's message of the same muid", async () => {
    const shown = [{ id: "7", muid: "m-1", sender: "carol" }];
    const inGroup = { ...hello, receiver: "lobby", receiverType: "group" } as const;
    const platform = createPlatform(["is lost"], (own) => ({ data: [...shown, ...own] }));

    await platform.chat.messages.send(inGroup, { onBehalfOf: "Alice" });

    expect([platform.stored.length, platform.posts()]).toEqual([1, 2]);
  });

  it.each([
    ["fills the requested limit", 1_000, 1, {}],
    ["fills a default page", 100, 1, {}],
    ["fills the page size that the platform reports", 50, 1, { current: { limit: 50 } }],
    ["has only older messages, so that it may be incomplete", 3, -3_600, {}],
  ])("is not retried if the list %s", async (_, length, sinceSeconds, meta) => {
    const sentAt = startMs / 1_000 + sinceSeconds;
    const others = Array.from({ length }, (_item, n) => ({ id: `${n + 5}`, muid: `o-${n}`, sentAt }));
    const platform = createPlatform(["is lost"], () => ({ data: others, meta }));

    await expect(platform.chat.messages.send(hello)).rejects.toMatchObject({ maybeExecuted: true });
    expect(platform.posts()).toBe(1);
  });

  it("is retried in an app with five messages a second", async () => {
    const others = Array.from({ length: 5 * 600 }, (_, n) => ({
      id: `${n + 5}`,
      muid: `o-${n}`,
      sentAt: Math.floor(startMs / seconds - n / 5),
    }));
    const platform = createPlatform(["is lost"], (own, url) => {
      const since = Number(new URL(url).searchParams.get("fromTimestamp"));
      return { data: [...own, ...others.filter(({ sentAt }) => sentAt >= since)].slice(0, 1_000) };
    });

    await platform.chat.messages.send(hello);

    expect([platform.stored.length, platform.posts()]).toEqual([1, 2]);
  });

  it("as a bot is looked up", async () => {
    const platform = createPlatform(["loses its answer"]);

    await platform.chat.bots.send("helper", { ...hello, receiver: "lobby", receiverType: "group" });

    expect([platform.stored.length, platform.posts()]).toEqual([1, 1]);
  });

  it.each<[string, object, number]>([
    ["after 20 s", {}, 30],
    ["at the call's deadline", { deadlineMs: startMs + 14 * seconds }, 13],
  ])("fails %s, and reports the look-up", async (_, options, passed) => {
    const platform = createPlatform(["times out for good"]);

    const sending = platform.chat.messages.send(hello, options);

    await expect(sending).rejects.toMatchObject({
      reason: "TIMEOUT",
      maybeExecuted: true,
      retryable: false,
      message: expect.stringMatching(/may have carried it out.*looked for by its muid and not found/),
    });
    expect(platform.posts()).toBe(1);
    expect(Math.round(platform.passedMs() / seconds)).toBeOneOf([passed, passed - 1]);
  });

  it.each<[string, (shown: object[]) => unknown]>([
    ["a refusal", () => ({ error: { code: "ERR_EXCEPTION" } })],
    ["nothing", () => ({})],
    ["no list", () => ({ data: {} })],
  ])("is not retried if the look-up returns %s", async (_, list) => {
    const platform = createPlatform(["is lost"], list);

    await expect(platform.chat.messages.send(hello)).rejects.toMatchObject({
      retryable: false,
      message: expect.not.stringMatching(/looked for/),
    });
    expect(platform.posts()).toBe(1);
  });

  it("is looked up but not retried if the caller allows one try", async () => {
    const lost = createPlatform(["is lost"]);
    await expect(lost.chat.messages.send(hello, { maxTries: 1 })).rejects.toThrow(/looked for/);
    expect(lost.posts()).toBe(1);

    const unheard = createPlatform(["loses its answer"]);
    await expect(unheard.chat.messages.send(hello, { maxTries: 1 })).resolves.toMatchObject({ id: "1" });
  });

  it("stops the look-up on abort", async () => {
    const platform = createPlatform(["is lost"], () => {
      stop.abort(new Error("enough"));
      return { data: [] };
    });
    const stop = new AbortController();

    await expect(platform.chat.messages.send(hello, { signal: stop.signal })).rejects.toThrow("enough");
  });

  it("creates at most one message in a loop by `retryable`, for any fate of its requests", async () => {
    const names = Object.keys(fates) as FateName[];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 6 }), async (story) => {
        const platform = createPlatform(story);
        let end: unknown;
        do {
          end = await platform.chat.messages.send(hello).catch((error: unknown) => error);
        } while (end instanceof Error && "retryable" in end && end.retryable === true);

        const isSent = !(end instanceof Error);
        expect(platform.stored.length).toBeLessThanOrEqual(1);
        expect(platform.stored.length).toBeGreaterThanOrEqual(isSent ? 1 : 0);
      }),
      runs(),
    );
  });
});

it.each<[FateName, boolean]>([
  ["loses its answer", false],
  ["is answered 500", false],
  ["is answered 200 with nothing in it", false],
  ["is answered 200 without the message", false],
  ["gets no connection", true],
])("a send without a muid that %s is retryable: %s", async (fate, retryable) => {
  const { muid: _, ...message } = hello;
  const platform = createPlatform([fate, fate, fate, fate]);

  await expect(platform.chat.messages.send(message)).rejects.toMatchObject({ retryable });
  expect(platform.stored.length).toBeLessThanOrEqual(1);
});

it.each<[string, unknown, RegExp, RegExp]>([
  ["a read without an answer", "reset", /It only reads, so it may be repeated\./, /carried|network/],
  ["a read without a connection", "refused", /Check the network/, /carried/],
  ["a read in an unknown form", { data: 1 }, /a form that this client does not know/, /carried|network/],
])("an error correctly describes %s", async (_, answer, says, doesNot) => {
  const fetch = async () => {
    if (typeof answer === "object") return Response.json(answer);
    const [code, syscall] = answer === "refused" ? ["ECONNREFUSED", "connect"] : ["ECONNRESET", "read"];
    throw new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code, syscall }) });
  };
  const chat = createChatClient({ appId: "app1", apiKey: "key", fetch, sleep: async () => {} });

  const error: unknown = await chat.users.get("alice").catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ retryable: true });
  expect(String(error)).toMatch(says);
  expect(String(error)).not.toMatch(doesNot);
});
