import { expect, it } from "vitest";
import { EffectBusyError, EffectNotClearError, EventEndedError } from "../../../lib/effects/effect-errors.ts";

const effect = { name: "reply", id: "0f" };
const atMs = Date.UTC(2026, 2, 2, 8);

it("says of an effect in other hands until when it is", () => {
  expect(new EffectBusyError(effect, atMs)).toMatchObject({
    name: "EffectBusyError",
    effect,
    retryAtMs: atMs,
    message: 'Effect "reply" (0f) is owned by another process until 2026-03-02T08:00:00.000Z.',
  });
});

it("says of an effect that is not clear when it is looked for", () => {
  expect(new EffectNotClearError(effect, atMs)).toMatchObject({
    name: "EffectNotClearError",
    effect,
    retryAtMs: atMs,
    message:
      'Effect "reply" (0f) may have happened and is not visible yet; the next look is at 2026-03-02T08:00:00.000Z.',
  });
});

it("says of an attempt that it is over", () => {
  expect(new EventEndedError()).toMatchObject({
    name: "EventEndedError",
    message: expect.stringContaining("is over, so nothing more is started for it"),
  });
});
