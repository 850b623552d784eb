import { describe, expect, it, onTestFinished, vi } from "vitest";
import { version } from "../../../lib/base/version.ts";
import { createChatClient } from "../../../lib/chat/client.ts";
import type { ChatHooks, OutgoingTry, TryOutcome } from "../../../lib/chat/hooks.ts";
import { createManagementClient } from "../../../lib/chat/management/management-client.ts";

const apiKey = "0123456789abcdef0123456789abcdef01234567";
const hello = { receiver: "alice", receiverType: "user", data: { text: "hi" } } as const;

interface Sent {
  url: string;
  headers: Record<string, string>;
}

/** A client with these answers in order, the last one repeatedly; `now` adds 5 ms at each call. */
function clientWith(
  options: Partial<Parameters<typeof createChatClient>[0]>,
  ...answers: (() => Response | Promise<Response>)[]
) {
  const sent: Sent[] = [];
  let nowMs = Date.UTC(2026, 0, 1);
  const chat = createChatClient({
    appId: "app1",
    apiKey,
    sleep: async () => {},
    now: () => {
      nowMs += 5;
      return nowMs;
    },
    fetch: async (url, { headers }) => {
      sent.push({ url, headers });
      return (answers[sent.length - 1] ?? answers.at(-1) ?? fine)();
    },
    ...options,
    scope: "fullAccess",
  });
  return { chat, sent };
}

const fine = () =>
  Response.json(
    { data: { uid: "alice", id: "1", guid: "g", success: true } },
    { headers: { "x-request-id": "r-1" } },
  );
const ill = () => Response.json({ error: { code: "ERR_EXCEPTION" } }, { status: 500 });

describe("a value with a secret's name", () => {
  const secret = "pä ss!w(o)r'd~*+&";
  const answer = () => 1;

  it.each<[string, (chat: ReturnType<typeof clientWith>["chat"]) => unknown]>([
    ["a field of the query", (chat) => chat.request("GET /x", { token: secret }, { answer })],
    [
      "a query within the path",
      (chat) => chat.request({ method: "GET", path: `/x?token=${encodeURIComponent(secret)}`, answer }),
    ],
    ["a field within a field", (chat) => chat.request("POST /x", { a: [{ password: secret }] }, { answer })],
  ])("is redacted in hooks and errors: %s", async (_, call) => {
    const seen: string[] = [];
    const see = (request: OutgoingTry) => void seen.push(JSON.stringify(request));
    const { chat } = clientWith({ hooks: { beforeRequest: see } }, () =>
      Response.json({ error: { message: `You sent ${secret}.` } }, { status: 400 }),
    );

    await expect(call(chat)).rejects.toThrow("You sent [redacted].");
    expect(seen.join()).toContain("[redacted]");
    expect(seen.join()).not.toMatch(/p(ä|%C3%A4)|ss(!|%21)w/);
  });

  it.each(["x-api-key", "x_api_key", "x-private-key", "x-gateway-token"])(
    "is redacted in hooks and errors: a header %s, of the call or of a hook",
    async (name) => {
      const seen: string[] = [];
      const hooks: ChatHooks = {
        beforeRequest: (request) => {
          seen.push(JSON.stringify(request));
          return { headers: { [name]: "gate-4711" } };
        },
        afterResponse: (_, outcome) => void seen.push(`${outcome.headers.get("x-echo")}`),
      };
      const refuse = () =>
        Response.json(
          { error: { message: "No way for gate-0815 and gate-4711." } },
          { status: 400, headers: { "x-echo": "gate-0815 gate-4711" } },
        );
      const { chat } = clientWith({ hooks, log: { debug: (line) => seen.push(line) } }, refuse);

      const call = chat.users.get("alice", { headers: { [name]: "gate-0815" } });

      await expect(call).rejects.toThrow("No way for [redacted] and [redacted].");
      expect(seen.join()).not.toMatch(/0815|4711/);
    },
  );
});

describe("beforeRequest", () => {
  it("gets the request of each try, and may add headers", async () => {
    const seen: OutgoingTry[] = [];
    const beforeRequest = async (request: OutgoingTry) => {
      seen.push(request);
      return { headers: { "X-Trace": `try ${request.attempt}` } };
    };
    const { chat, sent } = clientWith({ hooks: { beforeRequest } }, ill, fine);

    await chat.users.get("alice", { onBehalfOf: "bob", headers: { "x-own": "1" } });

    const about = { operation: "get-user", method: "GET", onBehalfOf: "bob", headers: { "x-own": "1" } };
    const url = "https://app1.api-us.cometchat.io/v3/users/alice";
    expect(seen).toEqual([
      { ...about, url, attempt: 1, body: undefined },
      { ...about, url, attempt: 2, body: undefined },
    ]);
    expect(sent.map(({ headers }) => headers["x-trace"])).toEqual(["try 1", "try 2"]);
    expect(sent[0]?.headers).toMatchObject({ "x-own": "1", apikey: apiKey });
  });

  it("gets no credential, by value or by name", async () => {
    const seen: OutgoingTry[] = [];
    const { chat } = clientWith({
      hooks: { beforeRequest: (request) => void seen.push(request) as undefined },
    });

    await chat.apiKeys.delete(apiKey);
    await chat.authTokens.delete("alice", "alice_token_1234");
    await chat.groups.create({ guid: "g", name: "G", type: "password", password: "hunter2" });
    await chat.users.get("alice", { headers: { "x-secret-token": "s3cr3t-value" } });
    await chat.messages.send({ ...hello, data: { text: `my key is ${apiKey}` } });
    await chat.request("POST /tomorrow", { token: "abc", n: { password: 12 } }, { answer: () => 1 });

    const shown = JSON.stringify(seen);
    for (const secret of [apiKey, "alice_token_1234", "hunter2", "s3cr3t-value", '"abc"', "12"]) {
      expect(shown).not.toContain(secret);
    }
    expect(seen[2]?.body).toBe('{"guid":"g","name":"G","type":"password","password":"[redacted]"}');
    expect(seen[4]?.body).toContain("my key is [redacted]");
  });

  it("cannot change the request that it gets", async () => {
    const beforeRequest = (request: OutgoingTry) => {
      expect(() => Object.assign(request, { url: "https://evil.example" })).toThrow(TypeError);
      expect(() => Object.assign(request.headers, { apikey: "x" })).toThrow(TypeError);
      return undefined;
    };
    const { chat, sent } = clientWith({ hooks: { beforeRequest } });

    await chat.users.get("alice");

    expect(sent[0]).toMatchObject({
      url: expect.stringContaining("cometchat.io"),
      headers: { apikey: apiKey },
    });
  });

  it.each(["apikey", "authorization", "onBehalfOf", "connection", "user-agent", "x-webhook-version"])(
    "cannot set the client's own header %j, and the error names it",
    async (name) => {
      const { chat, sent } = clientWith({ hooks: { beforeRequest: () => ({ headers: { [name]: "x" } }) } });
      const own = name.toLowerCase();

      await expect(chat.users.get("alice")).rejects.toThrow(
        `"hooks.beforeRequest.headers.${own}" must be left to the client and its options`,
      );
      await expect(
        clientWith({}).chat.users.get("alice", { headers: { [name]: "x" } }),
      ).rejects.toMatchObject({
        name: "InvalidInputError",
        field: `headers.${own}`,
      });
      expect(sent).toEqual([]);
    },
  );

  it.each(["a\r\nx-evil: 1", "a\nb", "\u0000", "ünï→", 5])(
    "cannot give a header the value %j",
    async (value) => {
      const headers = { "x-a": value as string };
      const { chat, sent } = clientWith({ hooks: { beforeRequest: () => ({ headers }) } });

      await expect(chat.users.get("alice")).rejects.toThrow(/x-a" must be a text without line breaks/);
      await expect(chat.users.get("alice", { headers })).rejects.toThrow(/"headers.x-a" must be a text/);
      expect(sent).toEqual([]);
    },
  );

  it("ends the call with what it throws, unchanged, before anything is sent", async () => {
    const veto = new Error("not today");
    const beforeRequest = () => {
      throw veto;
    };
    const { chat, sent } = clientWith({ hooks: { beforeRequest } });

    await expect(chat.messages.send(hello)).rejects.toBe(veto);
    expect(sent).toEqual([]);
    expect(chat.rateLimit().standard.inFlight + chat.rateLimit().core.inFlight).toBe(0);
  });

  it("times out with the try", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const beforeRequest = () => {
      vi.advanceTimersByTime(50);
      return new Promise<undefined>(() => {});
    };
    const { chat, sent } = clientWith({ hooks: { beforeRequest } });

    const sending = chat.messages.send(hello, { maxTries: 1, timeoutMs: 50 });

    await expect(sending).rejects.toMatchObject({
      name: "ChatUnreachableError",
      phase: "wait",
      reason: "HOOK_TIMEOUT",
      maybeExecuted: false,
    });
    expect(sent).toEqual([]);
  });
});

describe("afterResponse", () => {
  it("gets the outcome of each try; the log gets a line without address, header or body", async () => {
    const lines: string[] = [];
    const heard: [number, TryOutcome][] = [];
    const afterResponse = ({ attempt }: OutgoingTry, outcome: TryOutcome) => heard.push([attempt, outcome]);
    const refuse = () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" }));
    const log = { debug: (line: string) => lines.push(line) };
    const { chat } = clientWith({ hooks: { afterResponse }, log }, ill, refuse, fine);

    await chat.users.get("alice");

    const rest = { headers: expect.anything(), durationMs: expect.any(Number) };
    expect(heard).toEqual([
      [1, { status: 500, code: "ERR_EXCEPTION", phase: undefined, requestId: undefined, ...rest }],
      [2, { status: undefined, code: "ECONNREFUSED", phase: "connect", requestId: undefined, ...rest }],
      [3, { status: 200, code: undefined, phase: undefined, requestId: "r-1", ...rest }],
    ]);
    expect(lines).toEqual([
      "chat get-user: 500 ERR_EXCEPTION in 5 ms, attempt 1, request -",
      "chat get-user: no answer (connect, ECONNREFUSED) in 5 ms, attempt 2, request -",
      "chat get-user: 200 in 5 ms, attempt 3, request r-1",
    ]);
  });

  it("gets the code ABORTED if the caller aborts", async () => {
    const stop = new AbortController();
    const heard: (string | undefined)[] = [];
    const afterResponse = (_: OutgoingTry, { code }: TryOutcome) => heard.push(code);
    const abort = () => {
      stop.abort(new Error("enough"));
      return Promise.reject(stop.signal.reason);
    };
    const { chat } = clientWith({ hooks: { afterResponse } }, abort);

    await expect(chat.users.get("alice", { signal: stop.signal })).rejects.toThrow("enough");
    expect(heard).toEqual(["ABORTED"]);
  });

  const throwing = () => {
    throw new TypeError(`with ${apiKey}`);
  };

  it.each([
    ["throws", throwing],
    ["rejects", async () => throwing()],
  ])("does not fail the call when it %s, and the log reports it", async (_, afterResponse) => {
    const lines: string[] = [];
    const { chat, sent } = clientWith({
      hooks: { afterResponse },
      log: { debug: (line) => lines.push(line) },
    });

    expect((await chat.messages.send(hello)).id).toBe("1");
    expect(sent).toHaveLength(1);
    expect(lines[1]).toBe("chat send-message: afterResponse threw TypeError: with [redacted]");
  });

  it("is called by the management client, without its key or secret", async () => {
    const seen: OutgoingTry[] = [];
    const management = createManagementClient({
      credentials: { key: "the-account-key", secret: "the-account-secret" },
      fetch: async () => Response.json({ data: { id: "w1" } }),
      hooks: { afterResponse: (request) => seen.push(request) },
    });

    await management.webhooks.create("app1", {
      id: "w1",
      name: "W",
      webhookURL: "https://example.com/the-account-key",
      username: "chat",
      password: "hunter2",
    });

    expect(seen[0]?.headers).toEqual({});
    expect(JSON.stringify(seen)).not.toMatch(/the-account|hunter2/);
  });
});

it("hooks and try share the time until the call's deadline", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const timeout = new AbortController();
    setTimeout(() => timeout.abort(), ms);
    return timeout.signal;
  });
  const beforeRequest = () => new Promise<undefined>((resolve) => setTimeout(resolve, 600, undefined));
  const afterResponse = () => new Promise(() => {});
  const { chat } = clientWith(
    { hooks: { beforeRequest, afterResponse }, now: Date.now },
    () => new Promise(() => {}),
  );
  const startedMs = Date.now();

  const call = chat.users.get("alice", { deadlineMs: startedMs + 1_000 }).catch((error) => error);
  const endedMs = call.then(() => Date.now() - startedMs);
  await vi.advanceTimersByTimeAsync(5_000);

  expect(await call).toMatchObject({ reason: "TIMEOUT" });
  expect(await endedMs).toBeLessThan(1_010);
});

it("the user agent has the versions of the package and of Node, and the caller's text", async () => {
  const own = `cometchat-functions/${version} node/${process.versions.node}`;
  const plain = clientWith({});
  const named = clientWith({ userAgent: "my-app/1.2 (+https://example.com)" });

  await plain.chat.users.get("alice");
  await named.chat.users.get("alice");

  expect(plain.sent[0]?.headers["user-agent"]).toBe(own);
  expect(named.sent[0]?.headers["user-agent"]).toBe(`${own} my-app/1.2 (+https://example.com)`);
});
