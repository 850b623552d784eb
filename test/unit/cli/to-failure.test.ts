import { describe, expect, it } from "vitest";
import { toFailure } from "../../../cli/to-failure.ts";
import { AwsCallError } from "../../../lib/aws/aws-call.ts";
import { ChatApiError, ChatUnreachableError } from "../../../lib/chat/errors.ts";
import { UnknownFactsError } from "../../../lib/operate/doctor/deployed-facts.ts";

it("reports an answer of another version as OTHER_VERSION", () => {
  expect(toFailure(new UnknownFactsError("doctor"))).toMatchObject({ code: "OTHER_VERSION", exitCode: 6 });
});

it.each([
  ["ERR_FEATURE_NOT_ACCESSIBLE", "plan"],
  ["AUTH_ERR_NO_ACCESS", "API key"],
  ["ERR_SUBSCRIPTION_EXPIRED", "subscription"],
  ["HTTP_403", "proxy"],
])("suggests the remedy for %s: the %s", (code, what) => {
  const error = new ChatApiError("no", {
    operation: "list-reasons",
    code,
    status: 403,
    retryable: false,
    maybeExecuted: false,
  });

  expect(toFailure(error)).toMatchObject({ code, exitCode: 4, hint: expect.stringContaining(what) });
});

describe("an AWS failure", () => {
  it.each([
    ["TooManyRequestsException", 429, 5],
    ["RequestThrottled", 403, 5],
    ["InternalFailure", 500, 5],
    ["AuthorizationError", 403, 4],
    ["RequestExpired", 400, 4],
    ["TokenProviderError", undefined, 4],
    ["ProvisionedThroughputExceededException", 400, 5],
    ["UnprocessedKeys", 200, 5],
    ["ResourceNotFoundException", 400, 6],
    ["ValidationException", 400, 8],
  ])("with the name %s and the status %s has exit code %s", (name, httpStatusCode, exitCode) => {
    const error = Object.assign(new Error("…"), { name, $metadata: { httpStatusCode } });

    expect(toFailure(error).exitCode).toBe(exitCode);
  });

  it.each(["ENETUNREACH", "ENOTFOUND", "ECONNREFUSED"])(
    "with the connection's code %s has exit code 5 and a hint",
    (code) => {
      const [stage, local] = [false, true].map((is) =>
        toFailure(Object.assign(new Error("…"), { code }), is),
      );

      expect([stage?.exitCode, local?.exitCode]).toEqual([5, 5]);
      expect(stage?.hint).toBe("Check the network and the region.");
      expect(local?.hint).toContain("npm start");
    },
  );
});

it("reports a platform that does not answer as unreachable", () => {
  const silent = { operation: "list-reasons", phase: "connect", reason: "ECONNREFUSED" } as const;
  const error = new ChatUnreachableError({ ...silent, maybeExecuted: false });

  expect(toFailure(error)).toMatchObject({ code: "PLATFORM_UNREACHABLE", exitCode: 5 });
});

it.each([
  ["AccessDeniedException", "User: a is not authorized to perform: dynamodb:Query on resource: t"],
  ["ResourceNotFoundException", "No table."],
])("does not mention a function's role in an operator's %s", (code, message) => {
  const call = { service: "dynamodb", target: "DynamoDB_20120810.Query", input: {} } as const;
  const error = new AwsCallError(call, { code, status: 400, maybeExecuted: false, answer: { message } });

  expect(toFailure(error).message).toBe(`DynamoDB_20120810.Query failed with ${code}. It said: ${message}`);
});

it("names the right that is missing", () => {
  const error = Object.assign(new Error("u is not authorized to perform: logs:FilterLogEvents on r"), {
    name: "AccessDeniedException",
  });

  expect(toFailure(error)).toMatchObject({
    code: "NO_RIGHTS",
    exitCode: 4,
    hint: expect.stringMatching(/^The right logs:FilterLogEvents is missing\./),
  });
});
