import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { AwsCallError } from "../../../lib/aws/aws-call.ts";
import { describeError, errorFields } from "../../../lib/base/describe-error.ts";
import { PermanentError } from "../../../lib/base/errors.ts";
import { rememberSecret } from "../../../lib/base/known-secrets.ts";
import { ChatApiError, ChatUnreachableError, InvalidInputError } from "../../../lib/chat/errors.ts";

afterEach(() => vi.unstubAllEnvs());

describe("describeError", () => {
  it("shows each cause, outermost first", () => {
    const socket = Object.assign(new Error("connect failed"), { code: "ECONNREFUSED", syscall: "connect" });
    const error = new PermanentError("could not greet", {
      cause: new TypeError("I love you", { cause: socket }),
    });

    expect(describeError(error)).toMatch(
      /^PermanentError: could not greet; caused by TypeError at \S+:\d+; caused by Error \(ECONNREFUSED, connect\) at \S+:\d+$/,
    );
  });

  it.each([
    ["where it cuts", `${"x".repeat(580)} Tr0ub4dor&3-horse-battery`],
    ["cut in what it reads", "Tr0ub4dor&3-horse-battery".repeat(1_000)],
  ])("does not show half of a secret %s", (_, message) => {
    rememberSecret("Tr0ub4dor&3-horse-battery");

    expect(describeError(new PermanentError(message))).not.toContain("Tr0");
  });

  it("shows SQLite's reason, whose text is constant, without the message", () => {
    const facts = { code: "ERR_SQLITE_ERROR", errcode: 13, errstr: "database or disk is full" };
    const error = Object.assign(new Error("I love you"), facts);

    expect(describeError(error)).toMatch(
      /^Error \(ERR_SQLITE_ERROR, errcode 13, database or disk is full\) at \S+$/,
    );
    expect(describeError(Object.assign(new Error("x"), { errstr: "I love you" }))).not.toContain("love");
  });

  it("shows each part of an aggregate error", () => {
    const error = new AggregateError(
      [new PermanentError("one"), new RangeError("two"), "three"],
      "both failed",
    );

    expect(describeError(error)).toMatch(
      /^AggregateError at \S+ \[PermanentError: one\] \[RangeError at \S+\] \[a thrown string\]$/,
    );
  });

  it.each([
    ["AccessDeniedException", 400, "User is not authorized to perform: dynamodb:GetItem"],
    ["ThrottlingException", 400, "Rate exceeded"],
    ["ResourceNotFoundException", 400, "Requested resource not found"],
    ["ValidationException", 400, "The provided key element does not match the schema"],
  ])("distinguishes %s of a table, with AWS's message", (code, status, message) => {
    const call = { service: "dynamodb", target: "DynamoDB_20120810.GetItem", input: {} } as const;
    const error = new AwsCallError(call, { code, status, maybeExecuted: false, answer: { message } });

    const described = describeError(error);

    expect(described).toContain(code);
    expect(described).toContain("DynamoDB_20120810.GetItem");
    expect(described).toContain(message);
  });

  it("omits AWS's message if it may quote a chat message", () => {
    const call = { service: "sqs", target: "AmazonSQS.SendMessage", input: {} } as const;
    const answer = { message: "Invalid character in: I love you" };
    const error = new AwsCallError(call, { code: "InvalidMessageContents", maybeExecuted: false, answer });

    expect(describeError(error)).not.toContain("love");
  });

  it("shows operation, status, code and request id of the platform's refusals", () => {
    const facts = { status: 404, code: "ERR_UID_NOT_FOUND", operation: "send-message", requestId: "req-7" };
    const error = new ChatApiError("It was refused.", { ...facts, retryable: false, maybeExecuted: false });

    expect(describeError(error)).toBe(
      "ChatApiError (ERR_UID_NOT_FOUND, operation send-message, status 404, requestId req-7): It was refused.",
    );
  });

  it("shows the operation and the phase if there was no answer", () => {
    const facts = { operation: "send-message", phase: "connect", reason: "ECONNREFUSED" } as const;

    const described = describeError(new ChatUnreachableError({ ...facts, maybeExecuted: false }));

    expect(described).toContain("send-message (phase connect, ECONNREFUSED)");
  });

  it("shows the request id of an error of the AWS SDK", () => {
    const error = Object.assign(new Error("no access"), {
      name: "AccessDeniedException",
      $metadata: { requestId: "q" },
    });

    expect(describeError(error)).toBe("AccessDeniedException (requestId q): no access");
  });

  it.each<[string, () => unknown, string]>([
    ["a handler's own", () => thrown(new Error("I love you")), "Error"],
    [
      "one of another name",
      () => thrown(Object.assign(new Error("I love you"), { name: "Of love" })),
      "Error",
    ],
    ["JSON.parse", () => JSON.parse("I love you"), "SyntaxError"],
    ["a text as a number", () => BigInt("I love you"), "SyntaxError"],
    ["a text as an encoding", () => new TextDecoder("I love you"), "RangeError (ERR_ENCODING_NOT_SUPPORTED)"],
    [
      "one that looks like a frame",
      () => thrown(new Error("\n    at love (/I/love/you.ts:1:2)\n    at love (/I/love/you.ts:1:2)")),
      "Error",
    ],
    [
      "a host without address",
      () =>
        thrown(
          Object.assign(new Error("getaddrinfo ENOTFOUND i.love.you"), {
            code: "ENOTFOUND",
            syscall: "getaddrinfo",
            hostname: "i.love.you",
          }),
        ),
      "Error (ENOTFOUND, getaddrinfo)",
    ],
    [
      "an unknown field",
      () => z.strictObject({ to: z.object({ uid: z.string() }) }).parse({ to: {}, "I love you": 1 }),
      "ZodError (invalid_type at to.uid, unrecognized_keys)",
    ],
    [
      "a wrong value of an unknown field",
      () => z.record(z.string(), z.number()).parse({ "I love you": "I love you" }),
      "ZodError (invalid_type at …)",
    ],
  ])("quotes nothing of user content, and names the place: %s", (_, quote, shown) => {
    const [before, place] = describeError(thrownBy(quote)).split(" at describe-error.test.ts:");

    expect(before).toBe(shown);
    expect(place).toMatch(/^\d+:\d+$/);
  });

  it.each([
    [
      "a field",
      "data.text",
      "without the unknown field I love you",
      '"data.text" must be without unknown fields.',
    ],
    ["a key", "data.metadata.I love you.x", "a text", '"data.metadata.….x" must be a text.'],
  ])("does not quote an input either: %s", (_, field, rule, shown) => {
    const error = new InvalidInputError("send-message", field, rule);

    expect(error.message).toContain("I love you");
    expect(describeError(error)).toBe(
      `InvalidInputError (INVALID_INPUT): Cannot call send-message: ${shown}`,
    );
  });

  it("quotes messages if LOG_FOREIGN_MESSAGES is true", () => {
    vi.stubEnv("LOG_FOREIGN_MESSAGES", "true");

    expect(describeError(new Error("I love you", { cause: new TypeError("too") }))).toBe(
      "Error: I love you; caused by TypeError: too",
    );
  });

  it("shows no secret that the process has read", () => {
    rememberSecret("a-secret-of-many-letters");

    expect(describeError(new PermanentError("refused a-secret-of-many-letters"))).toBe(
      "PermanentError: refused [redacted]",
    );
  });

  it("shows only the type of a value that is not an error, also as a cause", () => {
    expect(describeError("I love you")).toBe("a thrown string");
    expect(describeError(undefined)).toBe("a thrown undefined");
    expect(describeError(null)).toBe("a thrown null");
    expect(describeError(new PermanentError("outer", { cause: "I love you" }))).toBe(
      "PermanentError: outer; caused by a thrown string",
    );
  });

  it("handles cyclic causes, long messages and unreadable errors", () => {
    const ring = new Error("ring");
    ring.cause = ring;
    const unreadable = new Error("x");
    for (const field of ["message", "name", "code", "stack", "cause"]) {
      Object.defineProperty(unreadable, field, {
        get: () => {
          throw new Error("no");
        },
      });
    }

    expect(describeError(ring).length).toBeLessThan(600);
    expect(describeError(new Error("x".repeat(1_000_000))).length).toBeLessThan(1_000);
    expect(describeError(unreadable)).toBe("Error");
    expect(errorFields(unreadable)).toEqual({ cause: "Error" });
  });
});

describe("errorFields", () => {
  it("shows where a bug was thrown, innermost", () => {
    const inner = makeFault();

    const { cause, stack } = errorFields(new Error("outer", { cause: inner }));

    expect(cause).toMatch(/; caused by TypeError at describe-error\.test\.ts:\d+:\d+$/);
    expect(stack?.split("\n")[0]).toMatch(/describe-error\.test\.ts:\d+:\d+$/);
    expect(stack).not.toContain("node:internal");
  });

  it("returns no stack for an unreachable platform", () => {
    const facts = { operation: "send-message", phase: "connect", reason: "ECONNREFUSED" } as const;

    expect(errorFields(new ChatUnreachableError({ ...facts, maybeExecuted: false })).stack).toBeUndefined();
  });
});

function makeFault(): unknown {
  const nothing: { readonly a?: { readonly b: number } } = {};
  return thrownBy(() => Reflect.get(Object(Reflect.get(nothing, "a")), "b") ?? Function("undefined.b")());
}

function thrown(error: Error): never {
  throw error;
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}
