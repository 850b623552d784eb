import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { guardOptions } from "../../../lib/chat/given-parts.ts";
import { createManagementClient } from "../../../lib/chat/management/management-client.ts";

const never = new Promise<never>(() => {});
const alice = () => Response.json({ data: { uid: "alice", name: "Alice" } });
const text = { receiver: "bob", receiverType: "user", data: { text: "hi" } } as const;

type Given = Partial<Parameters<typeof createChatClient>[0]>;
const clientWith = (given: object) =>
  createChatClient({
    appId: "app1",
    apiKey: "key",
    fetch: async () => alice(),
    sleep: async () => {},
    retry: { maxTries: 1 },
    ...(given as Given),
  });

describe("a custom fetch", () => {
  it.each([
    ["never answers", () => never],
    ["never gives its text", async () => ({ ...answer, text: () => never })],
  ])("that ignores the signal and %s ends with the try's timeout", async (_, fetch) => {
    const chat = clientWith({ fetch, timeoutMs: 1 });

    await expect(chat.users.get("alice")).rejects.toMatchObject({
      name: "ChatUnreachableError",
      reason: "TIMEOUT",
    });
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["an answer of axios", { status: 200, data: {}, headers: {} }],
    ["no status", { headers: new Headers(), text: async () => "{}" }],
    ["headers without a get function", { status: 200, headers: { get: "?" }, text: async () => "{}" }],
    ["an invalid status", { status: 1_000, headers: new Headers(), text: async () => "{}" }],
  ])("that returns %s instead of a Response causes an error that names it", async (_, given) => {
    const chat = clientWith({ fetch: async () => given });

    await expect(chat.messages.send(text)).rejects.toMatchObject({
      name: "ChatUnreachableError",
      reason: "NO_RESPONSE",
      maybeExecuted: true,
    });
  });

  it("that throws synchronously causes a client error", async () => {
    const fetch = () => {
      throw new TypeError("not today");
    };

    await expect(clientWith({ fetch }).users.get("alice")).rejects.toMatchObject({
      name: "ChatUnreachableError",
      reason: "NETWORK",
    });
  });

  const body = async () => '{"data":{"uid":"alice","name":"Alice"}}';
  const asks = {
    get: () => {
      throw new TypeError("not here");
    },
  };

  it.each<[string, { get(name: string): unknown }]>([
    ["are a Map", new Map()],
    ["give lists", { get: () => ["r1"] }],
    ["throw", asks],
  ])("may return headers that %s", async (_, headers) => {
    const chat = clientWith({ fetch: async () => ({ status: 200, headers, text: body }), hooks: listening });

    const { data, response } = await chat.users.get("alice").withResponse();

    expect(data).toMatchObject({ name: "Alice" });
    expect(response).toMatchObject({ status: 200, requestId: undefined });
    expect(response.headers.get("x-request-id")).toBeNull();
  });

  const revoked = Proxy.revocable({}, {});
  revoked.revoke();

  it.each<[string, unknown, string]>([
    ["undefined", undefined, "NETWORK"],
    ["an object that cannot be read", revoked.proxy, "NETWORK"],
    ["a code with a key in it", Object.assign(new Error("no"), { code: "no key" }), "NETWORK"],
    ["a cause with a code", new TypeError("no", { cause: { code: "ECONNRESET" } }), "ECONNRESET"],
    ["a mistake in the program", new ReferenceError("undici is not defined"), "ReferenceError"],
  ])("that rejects with %s causes a client error with a short reason", async (_, thrown, reason) => {
    const ways = [
      () => Promise.reject(thrown),
      async () => ({ ...answer, text: () => Promise.reject(thrown) }),
    ];

    const errors = await Promise.all(
      ways.map((fetch) =>
        clientWith({ fetch })
          .messages.send(text)
          .catch((error: unknown) => error),
      ),
    );

    const said = { name: "ChatUnreachableError", reason, maybeExecuted: true };
    expect(errors).toMatchObject([said, said]);
  });
});

const answer = { status: 200, headers: new Headers() };
const listening = { afterResponse: () => undefined };

describe("custom now, random and retry options", () => {
  it.each([
    ["now", () => new Date()],
    ["now", () => undefined],
    ["random", () => "0.5"],
  ])("are refused if invalid: %s", async (name, give) => {
    const fetch = async () => new Response(null, { status: 503 });
    const call = async () => clientWith({ fetch, retry: { maxTries: 2 }, [name]: give }).users.get("alice");

    await expect(call()).rejects.toMatchObject({ name: "InvalidInputError", field: name });
  });

  it.each(["maxTries", "baseDelayMs", "maxDelayMs"])(
    "keep the default policy if %s is undefined",
    async (name) => {
      let tries = 0;
      const fetch = async () => {
        tries += 1;
        return new Response(null, { status: tries < 20 ? 503 : 404 });
      };
      const chat = clientWith({ fetch, retry: { [name]: undefined } });

      await expect(chat.users.get("alice")).rejects.toMatchObject({ status: 503 });
      expect(tries).toBe(4);
    },
  );
});

describe("guardOptions", () => {
  const signal = new AbortController().signal;
  const init = { method: "GET", headers: {}, body: null, redirect: "manual", signal } as const;

  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])("decides by the status %i whether an answer is ok, whatever its own ok", async (status, ok) => {
    const text = async () => "";
    const { fetch } = guardOptions({ fetch: async () => ({ ...answer, ok: !ok, status, text }) });

    expect(await fetch?.("https://chat.example/", init)).toMatchObject({ ok, status });
  });

  it("waits between tries without a given sleep, and stops at an abort", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { sleep } = guardOptions({});
    const stop = new AbortController();
    const ended: string[] = [];

    const waits = [sleep?.(1_000), sleep?.(1_000, stop.signal)];
    waits.map((wait, index) =>
      wait?.then(
        () => ended.push(`${index}`),
        () => ended.push(`${index} aborted`),
      ),
    );
    stop.abort(new Error("enough"));
    await vi.advanceTimersByTimeAsync(999);
    const timers = vi.getTimerCount();
    await vi.advanceTimersByTimeAsync(1);

    expect([timers, ended]).toEqual([1, ["1 aborted", "0"]]);
  });
});

describe("a signal", () => {
  const source = { get: () => never, refresh: () => never };
  const failing = async () => new Response(null, { status: 500 });

  it.each([
    ["the key", { apiKey: source }, {}],
    ["a fetch that ignores it", { fetch: () => never }, {}],
    ["a hook before the request", { hooks: { beforeRequest: () => never } }, {}],
    ["a hook after the answer", { hooks: { afterResponse: () => never } }, {}],
    ["the caller's own check", { fetch: failing, retry: { maxTries: 2 } }, { alreadyDone: () => never }],
  ])("ends a call that waits for %s", async (_, given, options) => {
    const reason = new Error("enough");
    const stop = new AbortController();

    const sending = clientWith(given).messages.send(text, { ...options, signal: stop.signal });
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(reason);

    await expect(sending).rejects.toBe(reason);
  });

  it("ends a call of the account's client that waits for its credentials", async () => {
    const stop = new AbortController();

    const listing = createManagementClient({ credentials: source })
      .apps.list({}, { signal: stop.signal })
      .page();
    stop.abort(new Error("enough"));

    await expect(listing).rejects.toThrow("enough");
  });

  it("gets no listener per call: Node 20 warns of more than ten", async () => {
    const { signal } = new AbortController();
    const heard = vi.spyOn(signal, "addEventListener");
    const chat = clientWith({ maxConcurrent: 1, hooks: { beforeRequest: () => undefined } });

    await Promise.all([1, 2, 3].map(() => chat.users.get("alice", { signal })));

    expect(heard).not.toHaveBeenCalled();
  });
});

const throwing = () => {
  throw new Error("deaf");
};
const rejecting = async () => throwing();

it.each([
  ["onTry throws", { onTry: throwing }],
  ["onTry rejects", { onTry: rejecting }],
  ["log throws", { log: { debug: throwing } }],
  ["log rejects", { log: { debug: rejecting } }],
])("neither a call nor the program fails when %s", async (_, given) => {
  const unheard: unknown[] = [];
  const hear = (error: unknown) => unheard.push(error);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));

  const user = await clientWith(given).users.get("alice");
  await new Promise((resolve) => setImmediate(resolve));

  expect(user).toMatchObject({ name: "Alice" });
  expect(unheard).toEqual([]);
});
