import { describe, expect, it } from "vitest";
import { AwsCallError } from "../../../lib/aws/aws-call.ts";
import { describeError } from "../../../lib/base/describe-error.ts";
import { errorFields } from "../../../lib/base/error-fields.ts";
import { rememberSecret } from "../../../lib/base/known-secrets.ts";
import { ChatApiError, ChatUnreachableError } from "../../../lib/chat/errors.ts";

describe("describeError", () => {
  it("tells each cause, outermost first", () => {
    const socket = Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
    const error = new Error("could not greet", { cause: new TypeError("no greeting", { cause: socket }) });

    expect(describeError(error)).toBe(
      "Error: could not greet; caused by TypeError: no greeting; caused by Error (ECONNREFUSED): connect failed",
    );
  });

  it("tells the parts of several errors", () => {
    const error = new AggregateError([new Error("one"), new RangeError("two"), "three"], "both failed");

    expect(describeError(error)).toBe(
      "AggregateError: both failed [Error: one] [RangeError: two] [a thrown string]",
    );
  });

  it.each([
    ["AccessDeniedException", 400, "User is not authorized to perform: dynamodb:GetItem"],
    ["ThrottlingException", 400, "Rate exceeded"],
    ["ResourceNotFoundException", 400, "Requested resource not found"],
    ["ValidationException", 400, "The provided key element does not match the schema"],
  ])("tells %s of a table apart, with what AWS said", (code, status, message) => {
    const call = { service: "dynamodb", target: "DynamoDB_20120810.GetItem", input: {} } as const;
    const error = new AwsCallError(call, { code, status, maybeExecuted: false, answer: { message } });

    const described = describeError(error);

    expect(described).toContain(code);
    expect(described).toContain("DynamoDB_20120810.GetItem");
    expect(described).toContain(message);
  });

  it("keeps back what AWS says where it may quote a message", () => {
    const call = { service: "sqs", target: "AmazonSQS.SendMessage", input: {} } as const;
    const answer = { message: "Invalid character in: I love you" };
    const error = new AwsCallError(call, { code: "InvalidMessageContents", maybeExecuted: false, answer });

    expect(describeError(error)).not.toContain("love");
  });

  it("tells operation, status, code and request of the platform's refusals", () => {
    const facts = { status: 404, code: "ERR_UID_NOT_FOUND", operation: "send-message", requestId: "req-7" };
    const error = new ChatApiError("It was refused.", { ...facts, retryable: false, maybeExecuted: false });

    expect(describeError(error)).toBe(
      "ChatApiError (ERR_UID_NOT_FOUND, operation send-message, status 404, requestId req-7): It was refused.",
    );
  });

  it("tells of no answer what was asked, and where it ended", () => {
    const facts = { operation: "send-message", phase: "connect", reason: "ECONNREFUSED" } as const;

    const described = describeError(new ChatUnreachableError({ ...facts, maybeExecuted: false }));

    expect(described).toContain("send-message (phase connect, ECONNREFUSED)");
  });

  it("tells the request of an error of the AWS SDK", () => {
    const error = Object.assign(new Error("no access"), {
      name: "AccessDeniedException",
      $metadata: { requestId: "q" },
    });

    expect(describeError(error)).toBe("AccessDeniedException (requestId q): no access");
  });

  it.each<[string, () => unknown]>([
    ["JSON.parse", () => JSON.parse("I love you")],
    ["JSON.parse of a long text", () => JSON.parse(`{"text": "I love you", ${"x".repeat(100)}}`)],
    ["a field of a text", () => Object.assign(Object("I love you"), { 0: "x" })],
    ["`in` of a text", () => Reflect.apply(Function("return 'length' in 'I love you'"), undefined, [])],
    ["a text as a number", () => BigInt("I love you")],
    ["a text as a pattern", () => Reflect.construct(RegExp, ["I love you ("])],
    ["a text as a time zone", () => new Intl.DateTimeFormat("en", { timeZone: "I love you" })],
    ["a text as a field's owner", () => Function("'use strict'; 'I love you'.field = 1")()],
    ["a text as an entry", () => Reflect.apply(Object.fromEntries, undefined, [["I love you"]])],
    ["a text as a function", () => Reflect.apply([1].map, [1], ["I love you"])],
    ["a text as a promise's work", () => Reflect.construct(Promise, ["I love you"])],
    ["a text as a class", () => Function("return class extends 'I love you' {}")()],
    ["a text as a prototype", () => Reflect.apply(Object.create, undefined, ["I love you"])],
    ["a text as a size", () => Reflect.apply(Buffer.alloc, undefined, ["I love you"])],
    ["a text as a field's name", () => Function("return undefined[\"I 'love' you\"]")()],
    ["a text as a new field", () => Object.defineProperty(Object.freeze({}), "I love you", { value: 1 })],
    ["a text as a choice", () => Reflect.construct(Intl.NumberFormat, ["en", { style: "I love you" }])],
    ["a text as flags", () => Reflect.construct(RegExp, ["a", "I love you"])],
    ["a text as an encoding", () => new TextDecoder("I love you")],
    ["a text as an address", () => new Request("I love you")],
    ["a text as a header", () => new Headers({ "I love you": "x" })],
    [
      "an answer that is no JSON, as the AWS SDK tells it",
      () => {
        const told = "\n  Deserialization error: to see the raw response, inspect it.";
        throw new SyntaxError(`Unexpected token 'I', "I love you" is not valid JSON${told}`);
      },
    ],
  ])("quotes nothing of what somebody wrote: %s", (_, quote) => {
    expect(describeError(thrownBy(quote))).not.toContain("love");
  });

  it.each<[string, () => unknown]>([
    ["Cannot read properties of undefined (reading 'text')", () => Function("return undefined.text")()],
    ["data.find is not a function", () => Function("const data = {}; data.find()")()],
    ["event.users is not iterable", () => Function("const event = { users: 5 }; [...event.users]")()],
    [
      "Cannot destructure property 'a' of 'b.c' as it is undefined.",
      () => Function("const b = {}; const { a } = b.c")(),
    ],
  ])("keeps the names that the code has: %s", (message, fail) => {
    expect(describeError(thrownBy(fail))).toContain(message);
  });

  it("shows no secret that the process has read", () => {
    rememberSecret("a-secret-of-many-letters");

    expect(describeError(new Error("refused a-secret-of-many-letters"))).toBe("Error: refused [redacted]");
  });

  it("names what is no error by its type alone, also as a cause", () => {
    expect(describeError("I love you")).toBe("a thrown string");
    expect(describeError(undefined)).toBe("a thrown undefined");
    expect(describeError(null)).toBe("a thrown null");
    expect(describeError(new Error("outer", { cause: "I love you" }))).toBe(
      "Error: outer; caused by a thrown string",
    );
  });

  it("ends with a ring of causes, with long messages and with errors that cannot be read", () => {
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

    expect(describeError(ring).length).toBeLessThan(400);
    expect(describeError(new Error("x".repeat(1_000_000))).length).toBeLessThan(1_000);
    expect(describeError(unreadable)).toBe("Error: ");
    expect(errorFields(unreadable)).toEqual({ cause: "Error: " });
  });
});

describe("errorFields", () => {
  it("says where a fault of ours was made, innermost", () => {
    const inner = makeFault();

    const { cause, stack } = errorFields(new Error("outer", { cause: inner }));

    expect(cause).toContain("Cannot read properties of undefined");
    expect(stack?.split("\n")[0]).toMatch(/describe-error\.test\.ts:\d+:\d+$/);
    expect(stack).not.toContain("node:internal");
  });

  it("gives no stack of what is nobody's mistake", () => {
    const facts = { operation: "send-message", phase: "connect", reason: "ECONNREFUSED" } as const;

    expect(errorFields(new ChatUnreachableError({ ...facts, maybeExecuted: false }))).not.toHaveProperty(
      "stack",
    );
  });
});

function makeFault(): unknown {
  const nothing: { readonly a?: { readonly b: number } } = {};
  return thrownBy(() => Reflect.get(Object(Reflect.get(nothing, "a")), "b") ?? Function("undefined.b")());
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}
