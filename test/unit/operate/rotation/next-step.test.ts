import { describe, expect, it } from "vitest";
import {
  fieldsToBringIn,
  keepReplaced,
  nextStep,
  refuseToPushOut,
} from "../../../../lib/operate/rotation/next-step.ts";
import { readReplacedKeys, type StoredFields } from "../../../../lib/operate/rotation/rotated-credentials.ts";
import { storedKeys } from "../../../../lib/operate/rotation/run-rotation.ts";

const atMs = Date.UTC(2026, 2, 2, 8);
const hourMs = 3_600_000;
const [eight, nine] = ["2026-03-02T08:00:00.000Z", "2026-03-02T09:00:00.000Z"];

function stateOf(current: StoredFields, previous?: StoredFields, pending?: StoredFields, pendingId = "p") {
  const version = (id: string, fields: StoredFields) => ({ id, createdAtMs: atMs, fields });
  return {
    arn: "arn",
    current: version("c", { appId: "a", ...current }),
    previous: previous && version("old", previous),
    pending: pending && version(pendingId, pending),
  };
}

describe("nextStep", () => {
  const overlap = { replacedApiKey: "k", replacedApiKeyUntil: eight };
  const pending = { rotating: "api-key", apiKey: "new" };
  it.each([
    [{}, undefined, { step: "begin" }],
    [overlap, undefined, { step: "overlap", replaced: "k", untilMs: atMs }],
    [{ replacedApiKey: "k" }, undefined, { step: "begin" }],
    [{ replacedApiKeyUntil: eight }, undefined, { step: "begin" }],
    [{ replacedApiKey: "k", replacedApiKeyUntil: "?" }, undefined, { step: "overlap", untilMs: 0 }],
    [{ apiKey: "k" }, pending, { step: "bring-in", pending: { fields: pending } }],
    [{ rotating: "api-key" }, undefined, { step: "keep-replaced" }],
  ])("returns for %j with %j pending: %j", (current, pending, expected) => {
    expect(nextStep(stateOf(current, undefined, pending), "api-key")).toMatchObject(expected);
  });

  it("removes the pending label from a version that is in use", () => {
    expect(nextStep(stateOf({}, undefined, {}, "c"), "api-key")).toEqual({ step: "unlabel", versionId: "c" });
  });

  const foreign = stateOf({}, undefined, { apiKey: "by hand" });
  const empty = { ...foreign, pending: { id: "p", createdAtMs: undefined, fields: undefined } };
  it.each([
    [
      stateOf({}, undefined, { takingBack: "api-key" }),
      "The pending version of arn is being taken back.",
      "npx cometchat-functions rotate finish --abandon --app a",
    ],
    [
      foreign,
      "Secret arn has a pending version p that no rotation made.",
      "Make it the current version or remove its label AWSPENDING, as intended; then run this again.",
    ],
    [
      empty,
      "Secrets Manager itself is rotating arn: its pending version p has no value yet.",
      "If it failed, withdraw it: npx cometchat-functions rotate finish --abandon --app a",
    ],
  ])("refuses a pending version that it did not create: %j", (state, message, hint) => {
    const error = { name: "RotationError", message, hint: expect.stringContaining(hint) };

    expect(() => nextStep(state, "api-key")).toThrow(expect.objectContaining(error));
  });
});

describe("keepReplaced", () => {
  it.each([
    ["nothing before", undefined, " x  y"],
    ["the same key", { apiKey: "new" }, " x  y"],
    ["no key before", { apiKey: "" }, " x  y"],
    ["another key", { apiKey: "old " }, "x y old"],
  ])("gives replaced keys an end, also one that only the version before has: %s", (_, previous, kept) => {
    const state = stateOf({ apiKey: "new", replacedApiKey: " x  y", rotating: "api-key" }, previous);

    expect(keepReplaced(state, "api-key", atMs + hourMs)).toEqual({
      appId: "a",
      apiKey: "new",
      replacedApiKey: kept,
      replacedApiKeyUntil: nine,
    });
  });

  it("keeps nothing if nothing was replaced", () => {
    const state = stateOf({ apiKey: "new", rotating: "api-key" }, { apiKey: "new" });

    expect(keepReplaced(state, "api-key", atMs)).toEqual({ appId: "a", apiKey: "new" });
  });
});

it.each([
  [{ apiKey: "old ", replacedApiKey: "x" }, { replacedApiKey: "x old" }],
  [{ apiKey: "old", replacedApiKeyUntil: eight }, { replacedApiKey: "old" }],
  [{ apiKey: "new" }, {}],
  [{}, {}],
])("fieldsToBringIn records the replaced key without an end: %j", (current, expected) => {
  const fields = { appId: "a", apiKey: "new", rotating: "api-key", ...expected };

  expect(fieldsToBringIn({ appId: "a", ...current }, "api-key", "new")).toEqual(fields);
});

describe("refuseToPushOut", () => {
  const password = { webhookPassword: "new" };
  const old = { webhookPassword: "old" };
  it.each([
    ["always", { ...password, replacedApiKey: "k" }, {}, "api-key"],
    ["never", { ...password, replacedApiKey: "k", rotating: "api-key" }, {}, "api-key"],
    ["never", { ...password, replacedApiKey: "k", replacedApiKeyUntil: nine }, {}, "api-key"],
    ["for an hour", password, old, "webhook-password"],
    ["never", password, old, "api-key"],
    ["never", {}, old, "webhook-password"],
    ["for an hour", password, { botPassword: "b" }, "webhook-password"],
    ["for an hour", password, { webhookSecret: "s" }, "webhook-password"],
    ["never", password, { botPassword: "" }, "webhook-password"],
    ["never", password, { botPassword: 5 }, "webhook-password"],
    [
      "never",
      password,
      { botPasswordHint: "b", oldwebhookSecret: "b", replacedBotPassword: "b" },
      "webhook-password",
    ],
  ] as const)("refuses %s with %j after %j to rotate %s", (span, current, previous, credential) => {
    const isRefused = (nowMs: number) => {
      try {
        refuseToPushOut(stateOf(current, previous), credential, nowMs, hourMs);
        return false;
      } catch {
        return true;
      }
    };

    expect([isRefused(atMs + hourMs - 1), isRefused(atMs + hourMs)]).toEqual([
      span !== "never",
      span === "always",
    ]);
  });

  it("names the time from which a rotation is possible", () => {
    const state = stateOf(password, old);

    expect(() => refuseToPushOut(state, "webhook-password", atMs, hourMs)).toThrow(
      expect.objectContaining({
        trouble: "previous-needed",
        message: expect.stringMatching(/^"webhookPassword" of secret arn was changed a short while ago/),
        hint: expect.stringContaining(`${nine}, or with --push-out`),
      }),
    );
  });

  it("names what to take out of the secret", () => {
    const state = stateOf({ apiKey: "new", replacedApiKey: "k" });

    expect(() => refuseToPushOut(state, "api-key", atMs, hourMs)).toThrow(
      expect.objectContaining({
        trouble: "previous-needed",
        message: 'Secret arn keeps an older value in "replacedApiKey", without an end.',
        hint: expect.stringMatching(
          /take "replacedApiKey" out .* npx cometchat-functions rotate api-key --push-out --app a\.$/,
        ),
      }),
    );
  });
});

it.each([
  [{ apiKey: "a " }, undefined, undefined, false, ["a"]],
  [{ apiKey: "a", replacedApiKey: "b  d" }, undefined, undefined, false, ["a", "b", "d"]],
  [{ apiKey: "a", replacedApiKey: "b" }, { apiKey: "c" }, undefined, false, ["a", "b"]],
  [{ apiKey: "a" }, { apiKey: "c" }, undefined, true, ["a", "c"]],
  [{ apiKey: "a", rotating: "api-key" }, { apiKey: "c" }, undefined, false, ["a", "c"]],
  [{ apiKey: "a" }, undefined, { apiKey: "p", rotating: "api-key" }, false, ["a", "p"]],
  [{ apiKey: "a" }, undefined, { apiKey: "p" }, false, ["a"]],
])("finds the stored keys of %j, %j before it and %j pending (with the one before: %s)", (...row) => {
  const [current, previous, pending, withPrevious, keys] = row;

  expect(storedKeys(stateOf(current, previous, pending), withPrevious)).toEqual(keys);
});

it("reads no keys from a value that is not a text", () => {
  expect(readReplacedKeys({ replacedApiKey: 5 })).toEqual([]);
});
