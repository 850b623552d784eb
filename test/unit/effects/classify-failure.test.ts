import { describe, expect, it } from "vitest";
import { InvalidSecretError } from "../../../lib/aws/secrets/parse-secret.ts";
import { SecretTimeoutError } from "../../../lib/aws/secrets/secret-reader.ts";
import { PermanentError } from "../../../lib/base/errors.ts";
import { rememberSecret } from "../../../lib/base/known-secrets.ts";
import { InvalidInputError } from "../../../lib/chat/errors.ts";
import { createManagementClient } from "../../../lib/chat/management/management-client.ts";
import { classifyFailure } from "../../../lib/effects/classify-failure.ts";
import {
  EffectBusyError,
  EffectNotClearError,
  EventEndedError,
  noteFailedEffect,
  StateValueError,
  StoredResultError,
} from "../../../lib/effects/effect-errors.ts";
import { BusRefusedError } from "../../../lib/effects/event-bus.ts";
import { blame, DestinationClosedError } from "../../../lib/effects/health/destinations.ts";
import { AttachmentError } from "../../../lib/effects/http/attachment-error.ts";
import { whyUnknown } from "../../../lib/operate/doctor/run-checks.ts";
import { awsFailure, chatRefusal, chatSilence } from "../../helpers/failed-calls.ts";

const aws = (code: string) => awsFailure(code, false, { service: "events", target: "AWSEvents.PutEvents" });
const effect = { name: "reply", id: "e-1" };

describe("classifyFailure", () => {
  it("names the failed effect without secrets, in at most 100 characters", () => {
    rememberSecret("the-token-of-the-desk");
    const error = new Error("No.");
    noteFailedEffect(error, `ask the-token-of-the-desk ${"x".repeat(200)}`, new Error());

    const { cause } = classifyFailure(error);

    expect(cause).toMatch(/ \(effect "ask \[redacted\] x+"\)$/);
    expect(cause.length).toBeLessThan(160);
  });

  it.each([
    ["a handler's own word", new PermanentError("It cannot be.")],
    [
      "a handler's PermanentError",
      new InvalidInputError("send-message", "data.text", "at most 10 characters"),
    ],
    ["a result that cannot be kept", new StoredResultError({ ...effect, of: "fact" }, "not-json")],
    ["a state's wrong key or too large value", new StateValueError("Too large.")],
    ["a final code", chatRefusal(404, "ERR_UID_NOT_FOUND")],
    ["a final refusal", chatRefusal(403, "ERR_PERMISSION_DENIED")],
    ["a full group", chatRefusal(403, "ERR_PLAN_QUOTA_RESTRICTION", { operation: "add-group-members" })],
    ["a file whose address has expired", new AttachmentError("EXPIRED", "late", 403)],
    ["a file of a wrong type", new AttachmentError("WRONG_TYPE", "no picture")],
    [
      "a handler's error with one as its cause",
      new Error("no ticket", { cause: chatRefusal(400, "ERR_BAD_REQUEST") }),
    ],
  ])("dead-letters immediately: %s", (_case, error) => {
    expect(classifyFailure(error).kind).toBe("permanent");
  });

  it.each([
    "ERR_FEATURE_NOT_ACCESSIBLE",
    ...["ERR_APP_CREATION_FAILED_MAX_LIMIT", "ERR_APP_ARCHIVED", "ERR_APP_DELETION", "ERR_APP_NOT_FOUND"],
    ...["ERR_EXTENSION_INACTIVE", "ERR_ALREADY_AN_OWNER", "ERR_SELF_ACTION_DENIED", "ERR_NOT_A_COLLABORATOR"],
  ])("names %s in the dead letter, and in doctor", async (code) => {
    const fetch = async () => Response.json({ error: { code, message: "No." } }, { status: 403 });
    const credentials = { key: "key", secret: "s3cr3t-value" };
    const client = createManagementClient({ credentials, fetch });

    const error: unknown = await client.webhooks.get("an-app", "hook").catch((thrown: unknown) => thrown);

    expect(classifyFailure(error)).toEqual({ kind: "permanent", cause: expect.stringContaining(code) });
    expect(whyUnknown(error).says).toContain(code);
  });

  it.each([
    ["no key", chatRefusal(401, "AUTH_ERR_APIKEY_NOT_FOUND"), "chat"],
    ["a wrong scope", chatRefusal(403, "AUTH_ERR_NO_ACCESS"), "chat"],
    ["an ended subscription", chatRefusal(403, "ERR_SUBSCRIPTION_EXPIRED"), "chat"],
    ["the plan's quota of another operation", chatRefusal(403, "ERR_PLAN_QUOTA_RESTRICTION"), "chat"],
    ["a proxy's page", chatRefusal(403, "HTTP_403"), "chat"],
    ["a wrong address", chatRefusal(404, "ERR_API_NOT_FOUND"), "chat"],
    ["an unknown code", chatRefusal(400, "ERR_SOMETHING_NEW"), "chat"],
    ["a failure of the platform", chatRefusal(500, "ERR_EXCEPTION"), "chat"],
    ["no answer", chatSilence(), "chat"],
    ["a host of files", new AttachmentError("UNREACHABLE", "silence"), "files"],
    ["an open breaker", new DestinationClosedError("app", "chat.test write", 5), "chat.test write"],
    ["a secret that was not read in time", new SecretTimeoutError("No answer within 5 ms."), "secret"],
    ["an empty secret", new InvalidSecretError("Secret x has no text."), "secret"],
    ["a refused role", aws("AccessDeniedException"), "events"],
    ["throttling", aws("ThrottlingException"), "events"],
    ["no validation of AWS", aws("NoValidationException"), "events"],
    ["another validation of AWS", aws("ValidationExceptionOfNobody"), "events"],
    ["another limit of AWS", aws("ItemCollectionSizeLimitExceeded!"), "events"],
    ["a bus that fails", new BusRefusedError("bus", "InternalFailure"), "events"],
    ["a bus that is asked too often", new BusRefusedError("bus", "ThrottlingException"), "events"],
    ["the AWS SDK's own", Object.assign(new Error("no"), { $metadata: {} }), "aws"],
  ])("waits for the end of an outage: %s", (_case, error, destination) => {
    expect(classifyFailure(error)).toMatchObject({ kind: "outage", destination });
  });

  it("names the destination that failed, and the wait that it requests", () => {
    const error = chatRefusal(429, "ERR_TOO_MANY_REQUESTS", { retryAfterMs: 7000 });
    blame(error, "chat.test write");

    expect(classifyFailure(new Error("mine", { cause: error }))).toMatchObject({
      kind: "outage",
      destination: "chat.test write",
      retryAfterMs: 7000,
      isRateLimit: true,
    });
    expect(classifyFailure(chatRefusal(500, "ERR_EXCEPTION"))).toMatchObject({
      retryAfterMs: undefined,
      isRateLimit: false,
    });
  });

  it("treats a user's own limit as neither an outage nor a try", () => {
    const error = chatRefusal(429, "X_Y", { retryAfterMs: 7000, isUserLimit: true });

    expect(classifyFailure(error)).toMatchObject({ kind: "limited", retryAfterMs: 7000 });
  });

  it("retries later if an effect's outcome is unclear, or if another process owns it", () => {
    expect(classifyFailure(new EffectBusyError(effect, 5000))).toMatchObject({
      kind: "later",
      retryAtMs: 5000,
    });
    expect(classifyFailure(new EffectNotClearError(effect, 6000))).toMatchObject({
      kind: "later",
      retryAtMs: 6000,
    });
  });

  it.each([
    ["a bug", new TypeError("x is not a function")],
    ["an input that AWS never takes", aws("ValidationException")],
    ["a parameter that AWS never takes", aws("InvalidParameterValue")],
    ["a collection that AWS never takes", aws("ItemCollectionSizeLimitExceededException")],
    ["an event that no bus ever takes", new BusRefusedError("bus", "ValidationException")],
    ["a value that is not an error", "no"],
    ["a cyclic chain of causes", ring()],
    ["the end of the attempt", new EventEndedError()],
  ])("counts as a try: %s", (_case, error) => {
    expect(classifyFailure(error).kind).toBe("ours");
  });

  it("describes the failure and its causes", () => {
    const error = new PermanentError("no such order", { cause: new TypeError("I love you") });

    expect(classifyFailure(error).cause).toMatch(
      /^PermanentError: no such order; caused by TypeError at classify-failure\.test\.ts:\d+:\d+$/,
    );
  });
});

function ring(): Error {
  const error = new Error("one");
  error.cause = error;
  return error;
}
