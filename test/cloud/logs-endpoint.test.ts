import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { LocalServer } from "../../local/cloud/local-server.ts";
import { PatternError, readFilterPattern } from "../../local/cloud/logs/filter-pattern.ts";
import { createLogStore, type LogStore } from "../../local/cloud/logs/log-store.ts";
import { startLogsEndpoint } from "../../local/cloud/logs/logs-endpoint.ts";

const group = "/aws/lambda/shop-webhook";
const handled = '{"message":"handled an event","deliveryKey":"shop|message_sent|12","attempt":1}';

describe("readFilterPattern", () => {
  it.each([
    ["", true],
    ["?missing ?handled", true],
    ["?missing", false],
    ['{ $.deliveryKey = "shop|message_sent|12" }', true],
    ['{ $.deliveryKey = "*|12*" }', true],
    ['{ $.deliveryKey = "*|13*" }', false],
    ['{ $.deliveryKey = "message_sent" }', false],
    ['{ ($.messageId = "12") || ($.deliveryKey = "*|12") }', true],
    ['{ ($.messageId = "12") && ($.deliveryKey = "*|12") }', false],
    ['{ $.attempt = "1" }', false],
    ['{ $.cause.name = "*" }', false],
  ])("with %s finds %s", (pattern, isFound) => {
    expect(readFilterPattern(pattern)(handled)).toBe(isFound);
  });

  it("does not match text lines with JSON patterns", () => {
    expect(readFilterPattern('{ $.message = "*" }')("START RequestId: 1")).toBe(false);
  });

  it.each([
    '{ $.a = "1"',
    '{ a = "1" }',
    "{ $.a = 1 }",
    "[a, b]",
    "%a%",
    "word",
    '"a phrase"',
    '{ $.a = "1" } }',
  ])("refuses %s", (pattern) => {
    expect(() => readFilterPattern(pattern)).toThrow(PatternError);
  });
});

describe("the local CloudWatch Logs", () => {
  let nowMs: number;
  let store: LogStore;
  let endpoint: LocalServer;

  beforeEach(async () => {
    nowMs = 1_000;
    store = createLogStore(() => nowMs);
    endpoint = await startLogsEndpoint(store);
  });
  afterEach(() => endpoint.close());

  it("returns lines by their time, including late ones", async () => {
    add("second", 200);
    add("first", 100);

    expect((await read({})).map(({ message }) => message)).toEqual(["first", "second"]);
  });

  it("returns lines between two times, both included", async () => {
    for (const atMs of [99, 100, 200, 201]) add(String(atMs), atMs);

    expect((await read({ startTime: 100, endTime: 200 })).map(({ message }) => message)).toEqual([
      "100",
      "200",
    ]);
  });

  it("returns each line once over many pages, some of them empty", async () => {
    for (let number = 0; number < 900; number += 1) add(number % 300 === 0 ? "meant" : "other", 5);

    const found = await read({ filterPattern: "?meant" });

    expect(found.map(({ message }) => message)).toEqual(["meant", "meant", "meant"]);
    expect(new Set(found.map(({ eventId }) => eventId)).size).toBe(3);
  });

  it("keeps the newest lines of a growing group", async () => {
    for (let number = 0; number < 9; number += 1) add(String(number).repeat(1_000_000), number);

    expect((await read({})).map(({ message }) => message[0]).join("")).toBe("12345678");
  });

  it("throttles more than five reads a second, as a quota", async () => {
    const throttling = await startLogsEndpoint(store, () => nowMs);
    onTestFinished(() => throttling.close());
    store.createGroup(group);
    const codes: unknown[] = [];
    const ask = async () => {
      const { body } = await call("FilterLogEvents", { logGroupName: group }, throttling.url);
      codes.push(body.__type ?? "ok");
    };
    for (let count = 0; count < 6; count += 1) await ask();
    nowMs += 200;
    for (let count = 0; count < 2; count += 1) await ask();

    const throttled = "ThrottlingException";
    expect(codes).toEqual(["ok", "ok", "ok", "ok", "ok", throttled, "ok", throttled]);
  });

  it.each([
    ["an unknown group", { logGroupName: "none" }, "ResourceNotFoundException"],
    ["an invalid pattern", { logGroupName: group, filterPattern: "{" }, "InvalidParameterException"],
    ["an invalid token", { logGroupName: group, nextToken: "x" }, "InvalidParameterException"],
    ["no group", {}, "InvalidParameterException"],
    ["an unknown operation", {}, "UnknownOperationException", "StartQuery"],
  ])("refuses %s", async (_case, input, code, operation = "FilterLogEvents") => {
    store.createGroup(group);

    expect(await call(operation, input)).toMatchObject({ status: 400, body: { __type: code } });
  });

  function add(message: string, atMs: number) {
    store.add(group, { stream: "s", message, atMs });
  }

  async function read(query: object) {
    const events: { message: string; eventId: string }[] = [];
    let nextToken: string | undefined;
    do {
      const { body } = await call("FilterLogEvents", { logGroupName: group, ...query, nextToken });
      events.push(...body.events);
      nextToken = body.nextToken;
    } while (nextToken !== undefined);
    return events;
  }

  async function call(operation: string, input: object, url = endpoint.url) {
    const headers = { "x-amz-target": `Logs_20140328.${operation}` };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(input) });
    const body: { events: { message: string; eventId: string }[]; nextToken?: string; __type?: string } =
      JSON.parse(await answer.text());
    return { status: answer.status, body };
  }
});
