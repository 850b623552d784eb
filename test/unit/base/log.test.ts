import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { rememberSecret } from "../../../lib/base/known-secrets.ts";
import { createErrorLog, createLog, type Log, type LogFields, logWith } from "../../../lib/base/log.ts";
import { runs } from "../../helpers/property-runs.ts";

const nowMs = Date.UTC(2026, 2, 2, 11, 0, 0);

describe("createLog", () => {
  it("writes one JSON object a line, with the time and the function's name first", () => {
    const { log, lines } = createWorld();

    log.warn("something\nhappened", { appId: "app-1", attempt: 2, note: "two\r\nlines\u2028" });

    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\n\r]/);
    expect(lines[0]).toMatch(/^\{"timestamp":"2026-03-02T11:00:00.000Z","level":"WARN","message":/);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      timestamp: "2026-03-02T11:00:00.000Z",
      level: "WARN",
      message: "something\nhappened",
      function: "tested",
      appId: "app-1",
      attempt: 2,
      note: "two\r\nlines\u2028",
    });
  });

  it("spends no time on fields beyond the line's limit", () => {
    const { log, lines } = createWorld();
    rememberSecret("Tr0ub4dor&3-horse-battery");
    const lists = Array.from({ length: 100 }, () =>
      Array.from({ length: 100 }, () => "%5c\\u0025".repeat(1_000)),
    );

    const before = process.cpuUsage();
    log.info("many", { lists });

    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000); // microseconds, on a busy machine, too
    expect(lines[0]?.length).toBeLessThan(300_000);
  });

  it("does not let a field override the line's own fields", () => {
    const { log, lines } = createWorld();

    log.info("true", { message: "false", level: "ERROR", timestamp: "never", function: "other", appId: "a" });

    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      timestamp: "2026-03-02T11:00:00.000Z",
      message: "true",
      level: "INFO",
      function: "tested",
    });
  });

  it.each([
    ["DEBUG", ["DEBUG", "INFO", "WARN", "ERROR"]],
    ["info", ["INFO", "WARN", "ERROR"]],
    ["WARN", ["WARN", "ERROR"]],
    ["ERROR", ["ERROR"]],
    ["verbose", ["INFO", "WARN", "ERROR"]],
    ["", ["INFO", "WARN", "ERROR"]],
  ])("writes from LOG_LEVEL %j on", (level, expected) => {
    const { log, lines } = createWorld(level);

    for (const write of [log.debug, log.info, log.warn, log.error]) write("told", {});

    expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected);
  });

  it("writes values that JSON cannot represent, and never throws", () => {
    const { log, lines } = createWorld();
    const circular: Record<string, unknown> = { big: 10n ** 30n, none: Number.NaN, when: new Date(0) };
    circular.self = circular;
    const odd = {
      circular,
      broken: {
        get value() {
          throw new Error("no");
        },
      },
      get itself() {
        throw new Error("no");
      },
      list: [undefined, null, 1n, () => 1, Symbol("s")],
      bytes: Buffer.from("secret bytes"),
      bad: new Date(Number.NaN),
      spoofed: { toJSON: () => "smuggled" },
      lone: "\ud800",
      missing: undefined,
    };

    log.info("odd", odd);

    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      circular: {
        big: `1${"0".repeat(30)}`,
        none: "NaN",
        when: "1970-01-01T00:00:00.000Z",
        self: "[circular]",
      },
      broken: { value: "[unreadable]" },
      itself: "[unreadable]",
      bytes: "[12 bytes]",
      bad: "no date",
      spoofed: {},
      lone: "\ud800",
    });
  });

  it("continues if a line cannot be written", () => {
    const log = createLog({
      write: () => {
        throw new Error("EPIPE");
      },
      now: () => nowMs,
    });

    expect(() => log.error("lost", {})).not.toThrow();
  });

  it("never throws and never writes two lines, for any input", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.object({ withBigInt: true, withDate: true, withMap: true }),
        (message, fields) => {
          const { log, lines } = createWorld();

          logWith(log, { requestId: "r-1" }).info(message, fields);

          expect(lines).toHaveLength(1);
          expect(lines[0]).not.toMatch(/[\n\r]/);
          expect(JSON.parse(lines[0] ?? "")).toMatchObject({ message, level: "INFO" });
        },
      ),
      runs(),
    );
  });
});

describe("redaction", () => {
  it("hides a known secret anywhere, in any spelling", () => {
    const { log, lines } = createWorld();
    const secret = 'p"ä/ss\\w&rd-1';
    rememberSecret(secret);
    const spellings = [
      secret,
      JSON.stringify(secret),
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
    ];

    for (const spelling of spellings) {
      log.error(`with ${spelling} inside`, {
        note: `a ${spelling}${spelling} b`,
        [spelling]: 1,
        list: [{ deep: spelling }],
        error: new Error(`refused ${spelling}`, { cause: new Error(spelling) }),
      });
    }

    expect(lines).toHaveLength(4);
    for (const line of lines)
      for (const spelling of [...spellings, "ss\\\\w&rd-1"]) expect(line).not.toContain(spelling);
    expect(lines[0]).toContain('"note":"a [redacted] b"');
  });

  it("shows no part of a secret at the cut of a text", () => {
    const secret = "abcdefghij".repeat(30);
    rememberSecret(secret);
    for (const before of [3_700, 3_900, 3_999, 4_000, 12_000, 12_150]) {
      const { log, lines } = createWorld();

      log.info("cut", { note: `${"-".repeat(before)}${secret}${secret}${"-".repeat(50_000)}` });

      expect(lines[0]).not.toContain("abcdef");
    }
  });
});

describe("createErrorLog", () => {
  it("writes warnings and errors, one a line, to standard error", () => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const log = createErrorLog(() => nowMs, "agent");

    for (const method of [log.debug, log.info, log.warn, log.error]) method("it happened", { appId: "a" });

    const lines = write.mock.calls.map(([line]) => String(line));
    write.mockRestore();
    expect(lines).toEqual(
      ["WARN", "ERROR"].map(
        (level) =>
          `{"timestamp":"2026-03-02T11:00:00.000Z","level":"${level}","message":"it happened","function":"agent","appId":"a"}\n`,
      ),
    );
  });
});

describe("logWith", () => {
  it("adds fields to each line, which the line's own fields override", () => {
    const { log, lines } = createWorld("DEBUG");
    const named: Log = logWith(logWith(log, { requestId: "r-1", appId: "app-1" }), {
      trigger: "message_sent",
    });

    const own: LogFields = { appId: "app-2" };
    for (const write of [named.debug, named.info, named.warn, named.error]) write("told", own);

    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ requestId: "r-1", appId: "app-2", trigger: "message_sent" });
    }
  });

  it("keeps its fields if a line's own cannot be read", () => {
    const { log, lines } = createWorld();
    const hiding = new Proxy({}, { ownKeys: () => expect.fail("unreadable") });

    logWith(log, { requestId: "r-1" }).error("hidden", hiding);

    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ requestId: "r-1", fields: "[unreadable]" });
  });
});

function createWorld(level?: string) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = createLog({
    write,
    now: () => nowMs,
    functionName: "tested",
    ...(level !== undefined && { level }),
  });
  return { log, lines };
}
