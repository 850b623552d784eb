import { describe, expect, it } from "vitest";
import {
  isMeant,
  type LineFilter,
  type LogLine,
  logLevels,
  readLogLine,
  toEventPattern,
  toFilterPattern,
} from "../../../../cli/see/log-line.ts";
import { readFilterPattern } from "../../../../local/cloud/logs/filter-pattern.ts";

const own = (fields: object) =>
  JSON.stringify({
    timestamp: "2026-11-21T10:00:00.000Z",
    level: "INFO",
    message: "handled an event",
    ...fields,
  });

/** Lines of a function's log in both formats, with the expected result. */
const samples = {
  own: [own({ appId: "shop", trigger: "message_sent", lane: "1f" }), "own", "info", "handled an event"],
  warning: [own({ level: "WARN", appId: "shop" }), "own", "warn", "handled an event"],
  failure: [own({ level: "ERROR", appId: "school" }), "own", "error", "handled an event"],
  metric: ['{"_aws":{"CloudWatchMetrics":[]},"appId":"shop","Seen":1}', "metric", "debug", "counted"],
  start: [
    "START RequestId: 1-2 Version: $LATEST",
    "lambda",
    "debug",
    "START RequestId: 1-2 Version: $LATEST",
  ],
  end: [
    "2026-11-21T10:00:00.000Z 1-2 Task timed out after 60.00 seconds",
    ...["lambda", "error", "Task timed out after 60.00 seconds"],
  ],
  report: [
    '{"time":"2026-11-21T10:00:00.000Z","type":"platform.report","record":{"requestId":"1-2","status":"timeout"}}',
    ...["lambda", "error", "platform.report"],
  ],
  success: [
    '{"time":"t","type":"platform.report","record":{"status":"success"}}',
    "lambda",
    "debug",
    "platform.report",
  ],
  console: ["2026-11-21T10:00:00.000Z\t1-2\tERROR\tInvoke Error\t{}", "text", "error", "Invoke Error\t{}"],
  runtime: [
    '{"timestamp":"t","level":"ERROR","message":{"errorType":"TypeError","errorMessage":"no uid"}}',
    ...["text", "error", "no uid"],
  ],
  killed: ["RequestId: 1-2 Error: Runtime exited with error: signal: killed", "text", "error", ""],
  access: ['{"requestId":"r","routeKey":"POST /webhooks/{appId}","status":"200"}', "text", "info", ""],
  half: ['{"level":"ERROR","mess', "text", "info", '{"level":"ERROR","mess'],
} as const;

function read(text: string): LogLine {
  return readLogLine({ eventId: "1", atMs: 1, source: "webhook", text });
}

describe("readLogLine", () => {
  it.each(Object.entries(samples))("reads %s", (_name, [text, kind, level, message]) => {
    expect(read(text)).toMatchObject({ kind, level, ...(message !== "" && { message }) });
  });

  it("keeps fields other than the message, level and time", () => {
    expect(read(own({ appId: "shop", tries: 2 })).fields).toEqual({ appId: "shop", tries: 2 });
  });
});

describe("isMeant", () => {
  it.each([
    { step: "message_sent greet" },
    { part: "greet" },
    { triggerLane: "greet" },
    { ran: ["log", "greet"] },
    { ran: ["greet (shadow)"] },
    { trigger: "greet" },
  ])("finds the trigger in %j", (fields) => {
    const line = read(own(fields));
    const filter = { level: "info", hasMetrics: false } as const;

    const isAbout = (trigger: string) => isMeant(line, { ...filter, trigger });

    expect(["greet", "greet-all", "eet"].map(isAbout)).toEqual([true, false, false]);
  });
});

describe("toFilterPattern", () => {
  const filters: LineFilter[] = logLevels.flatMap((level) => [
    { level, hasMetrics: false },
    { level, hasMetrics: true },
    { level, hasMetrics: false, appId: "shop" },
    { level, hasMetrics: true, appId: "shop", trigger: "message_sent" },
    { level, hasMetrics: true, trigger: "greet" },
    { level, hasMetrics: false, appId: "shop", lane: "1f" },
    { level, hasMetrics: false, lane: "2f" },
  ]);

  it.each(filters)("matches every line that %o selects", (filter) => {
    const isFound = readFilterPattern(toFilterPattern(filter));

    const missed = Object.values(samples).filter(([text]) => isMeant(read(text), filter) && !isFound(text));

    expect(missed).toEqual([]);
  });

  it("excludes other lines if possible", () => {
    const isFound = readFilterPattern(toFilterPattern({ level: "error", hasMetrics: false }));

    expect([isFound(samples.own[0]), isFound(samples.failure[0])]).toEqual([false, true]);
  });
});

describe("toEventPattern", () => {
  const line = (fields: object) => own({ appId: "shop", ...fields });

  it.each([
    { deliveryKey: "shop|message_sent|12" },
    { deliveryKey: "shop|message_edited|12|1700000000|abc" },
    { messageId: "12", replyId: "13" },
    { about: "12" },
    { messageId: "11", replyId: "12" },
  ])("finds a message's id in %o", (fields) => {
    expect(readFilterPattern(toEventPattern({ messageId: "12" }))(line(fields))).toBe(true);
  });

  it("finds a key with any characters", () => {
    const key = 'shop|group_member_joined|a"b\\|c|*';

    expect(readFilterPattern(toEventPattern({ key }))(line({ deliveryKey: key }))).toBe(true);
    expect(readFilterPattern(toEventPattern({ key }))(line({ deliveryKey: "shop|other" }))).toBe(false);
  });
});
