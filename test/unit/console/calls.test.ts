import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keepBody, keepCalls, maskFields } from "../../../local/console/calls/call-store.ts";
import { type CallFilter, pickCalls } from "../../../local/console/routes/calls-routes.ts";
import type { PlatformRecord } from "../../../local/platform/services/records.ts";
import { createNewsBus } from "../../../local/stack/stack-news.ts";
import { type RequestRecord, requestRecord } from "./request-record.ts";

const secret = "s3cr3t-of-the-app";
const redact = (text: string) => text.replaceAll(secret, "[redacted]");
const bytes = (text: string) => new TextEncoder().encode(text);

function toRecord(
  seq: number,
  { sent, answer = "{}", ...facts }: Partial<RequestRecord> & { sent?: string; answer?: string } = {},
): PlatformRecord {
  const answered = {
    sent: sent === undefined ? undefined : bytes(sent),
    sentType: "application/json",
    answer,
  };
  const defaults = {
    seq,
    atMs: seq,
    requestId: seq,
    appId: "shop",
    onBehalfOf: "alice",
    userAgent: "curl/8",
  };
  return requestRecord({ ...defaults, ...facts, exchange: () => answered });
}

function keep(records: readonly PlatformRecord[], options?: Parameters<typeof keepCalls>[1]) {
  const bus = createNewsBus();
  const { calls: store } = keepCalls({ subscribe: bus.subscribe, redact }, options);
  for (const record of records) bus.publish({ kind: "record", record });
  return store;
}

describe("keepCalls", () => {
  it("keeps the newest calls, and drops bodies before calls", () => {
    const records = Array.from({ length: 30 }, (_, index) => toRecord(index, { sent: "x".repeat(100) }));

    const store = keep(records, { most: 20, mostCharacters: 520 });

    expect(store.all).toHaveLength(20);
    expect(store.find(9)).toBeUndefined();
    expect(store.find(10)?.sent).toEqual({ kind: "forgotten" });
    expect(store.find(29)?.sent).toMatchObject({ kind: "text", bytes: 100 });
  });

  it("keeps no secret, neither in a body nor in the address that it shows", () => {
    const store = keep([toRecord(1, { sent: `{"to":"${secret}"}`, answer: `{"authToken":"abc"}` })]);

    expect(JSON.stringify(store.find(1))).not.toMatch(/s3cr3t|abc/);
  });

  it("recognizes functions by invocation, trace or missing agent, and the console by name", () => {
    const traceparent = `00-${"ab".repeat(16)}-${"01".repeat(8)}-00`;
    const store = keep([
      toRecord(1, { userAgent: undefined }),
      toRecord(2, { userAgent: "node", traceparent }),
      toRecord(3, { userAgent: "local-console" }),
      toRecord(4, { userAgent: "curl/8", traceparent: "no trace" }),
      toRecord(5, { userAgent: "cometchat-functions/1", invocation: "id" }),
    ]);

    expect(store.all.map(({ who, trace }) => [who, trace])).toEqual([
      ["function", undefined],
      ["function", "ab".repeat(16)],
      ["console", undefined],
      ["other", undefined],
      ["function", undefined],
    ]);
  });

  it("starts empty after a reset", () => {
    const store = keep([toRecord(1), { type: "state", seq: 2, atMs: 2, action: "reset" }, toRecord(3)]);

    expect(store.all.map(({ id }) => id)).toEqual([3]);
  });
});

describe("pickCalls", () => {
  const key = "shop|message_sent|7";
  const trace = createHash("sha256").update(key).digest("hex").slice(0, 32);
  const { all: calls } = keep([
    toRecord(1, { sent: '{"text":"Was kostet ein ÄPFEL?"}' }),
    toRecord(2, { onBehalfOf: "bob", status: 404, code: "ERR_UID_NOT_FOUND", operationId: "get-user" }),
    toRecord(3, { status: 0, fault: "dropBefore", userAgent: "local-console" }),
    toRecord(4, { status: 500, appId: "blog", traceparent: `00-${trace}-${"0".repeat(16)}-00` }),
  ]);
  const idsOf = (filter: CallFilter) => pickCalls(calls, filter).rows.map(({ id }) => id);

  it.each([
    ["everything", {}, [4, 3, 2, 1]],
    ["a part of a body", { text: "äpfel" }, [1]],
    ["a part of a code", { text: "uid_not" }, [2]],
    ["an operation", { operation: "get-user" }, [2]],
    ["a user", { user: "bob" }, [2]],
    ["an app", { app: "blog" }, [4]],
    ["a client", { who: "console" }, [3]],
    ["a class of answers", { status: "4xx" }, [2]],
    ["no answer", { status: "none" }, [3]],
    ["failures", { status: "failed" }, [4, 3, 2]],
    ["faults", { status: "fault" }, [3]],
    ["the handling of a delivery", { key }, [4]],
    ["a trace", { trace }, [4]],
    ["an unknown user", { user: "__proto__" }, []],
  ] as const)("picks by %s", (_, filter, expected) => {
    expect(idsOf(filter)).toEqual(expected);
  });

  it("lists the users of all calls", () => {
    expect(pickCalls(calls, { who: "console" })).toMatchObject({
      total: 1,
      kept: 4,
      users: ["alice", "bob"],
    });
  });
});

describe("keepBody", () => {
  const options = { type: "application/json", redact };

  it("cuts a long body, without a part of a secret at the cut", () => {
    const text = "ä".repeat(65_530) + secret + "x".repeat(100_000);

    const body = keepBody(bytes(text), options);

    expect(body).toMatchObject({ kind: "text", isCut: true, bytes: bytes(text).length });
    expect(JSON.stringify(body)).not.toContain("s3cr");
  });

  it("shows no part of a secret after many removed ones", () => {
    const text = `${secret} `.repeat(20_000);

    expect(JSON.stringify(keepBody(text, options))).not.toContain("s3cr");
  });

  it("returns a form's parts without its files' contents", () => {
    const form = [
      '--b\r\nContent-Disposition: form-data; name="receiver"\r\n\r\nbob',
      '--b\r\nContent-Disposition: form-data; name="apiKey"\r\n\r\nabc',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="ö.png"\r\nContent-Type: image/png\r\n\r\nPNG',
      "--b--\r\n",
    ].join("\r\n");

    const body = keepBody(bytes(form), { ...options, type: "multipart/form-data; boundary=b" });

    expect(body).toMatchObject({
      kind: "form",
      parts: [
        { name: "receiver", text: "bob", bytes: 3 },
        { name: "apiKey", text: "[redacted]" },
        { name: "file", fileName: "ö.png", type: "image/png", bytes: 3, text: undefined },
      ],
    });
  });

  it.each(["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=zzz"])(
    "shows an invalid form as text: %s",
    (type) => {
      expect(keepBody(bytes("--b\r\nno form"), { type, redact })).toMatchObject({ kind: "text" });
    },
  );

  it("distinguishes no body from an unread one", () => {
    expect([keepBody("", options), keepBody(undefined, options)]).toEqual([
      { kind: "none" },
      { kind: "unread" },
    ]);
  });
});

describe("maskFields", () => {
  it.each([
    ['{"apiKey": "a\\"b", "text": "stays"}', '{"apiKey": "[redacted]", "text": "stays"}'],
    ['{"fcmToken":"abc', '{"fcmToken":"[redacted]"'],
    ['{"webhook_password":"a\\', '{"webhook_password":"[redacted]"'],
    ['{"tokens":3,"key":"k"}', '{"tokens":3,"key":"k"}'],
  ])("hides fields with a secret's name: %s", (text, expected) => {
    expect(maskFields(text)).toBe(expected);
  });

  it("is fast for a text that looks like many names", () => {
    const one = `"${"secret".repeat(100_000)}`;
    const many = '"secret'.repeat(100_000);

    expect([maskFields(one), maskFields(many)]).toEqual([one, many]);
  });
});
