import { describe, expect, it } from "vitest";
import {
  EffectBusyError,
  EffectNotBegunError,
  EffectNotClearError,
  EventEndedError,
  EventTimeUpError,
  PausedError,
  ShadowEndedError,
  StoredResultError,
} from "../../../lib/effects/effect-errors.ts";

const effect = { name: "reply", id: "0f3c", of: "app-1 message_sent" };
const atMs = Date.UTC(2026, 2, 2, 8);
const cause = new Error("no secret");

describe("the errors of effects", () => {
  it.each([
    [
      new StoredResultError(effect, "misfit", `at ${"x".repeat(200)}`),
      "StoredResultError",
      `Effect "reply" of app-1 message_sent is done, but its result does not fit the schema: let the schema also read what was kept (at ${"x".repeat(97)}). Under another name it is done again.`,
    ],
    [
      new StoredResultError(effect, "not-json"),
      "StoredResultError",
      'Effect "reply" of app-1 message_sent is done, but its result is not JSON: return less from it, such as an id. Under another name it is done again.',
    ],
    [
      new EffectBusyError(effect, atMs),
      "EffectBusyError",
      'Effect "reply" (0f3c) is owned by another process until 2026-03-02T08:00:00.000Z.',
    ],
    [
      new EffectNotClearError(effect, atMs),
      "EffectNotClearError",
      'Effect "reply" (0f3c) may have happened and is not visible yet; the next look is at 2026-03-02T08:00:00.000Z.',
    ],
    [
      new EventEndedError(),
      "EventEndedError",
      "The attempt at this event has ended, so nothing more is begun for it. Await each effect and request.",
    ],
    [
      new EffectNotBegunError("reply", cause),
      "EffectNotBegunError",
      'Effect "reply" was not begun: the way to its app could not be opened.',
    ],
    [
      new EventTimeUpError(30_000, undefined),
      "EventTimeUpError",
      "It did not end within 30 s. Await less, or give what it awaits a time limit.",
    ],
    [
      new EventTimeUpError(1_500, "tickets.example.com"),
      "EventTimeUpError",
      "It did not end within 1.5 s. It waited for tickets.example.com, which does not answer in time.",
    ],
    [
      new PausedError("app-1", atMs),
      "PausedError",
      "Nothing more is done here for app app-1: it is paused. It continues when the pause ends.",
    ],
    [
      new ShadowEndedError("an answer of create-user"),
      "ShadowEndedError",
      "In shadow nothing is done, and the handler cannot continue without: an answer of create-user.",
    ],
  ])("describe what happened: %s", (error, name, message) => {
    expect([error.name, error.message]).toEqual([name, message]);
  });

  it("keep the cause, and when the next attempt may begin", () => {
    expect(new EffectNotBegunError("reply", cause).cause).toBe(cause);
    expect([new EffectBusyError(effect, atMs), new PausedError("app-1", atMs)]).toMatchObject([
      { effect, retryAtMs: atMs },
      { retryAtMs: atMs, maybeExecuted: false },
    ]);
  });
});
