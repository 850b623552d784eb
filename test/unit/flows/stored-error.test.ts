import { describe, expect, it } from "vitest";
import * as z from "zod";
import { PermanentError } from "../../../lib/base/permanent-error.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { toStoredError } from "../../../lib/flows/stored-error.ts";

describe("what an execution's history keeps", () => {
  it("is the type and the place of a handler's error, and no text", () => {
    expect(toStoredError(new TypeError("I love you"))).toMatchObject({
      name: "TypeError",
      message: expect.stringMatching(/^at stored-error\.test\.ts:\d+:\d+$/),
    });
  });

  it.each([
    ["its own message of an error that is thrown on purpose", new PermanentError("no such order")],
    ["an error of the SDK unchanged", Object.assign(new Error("ended"), { isUnrecoverable: true })],
    ["what is no error", "ended"],
  ])("is %s", (_, error) => {
    expect(toStoredError(error)).toBe(error);
  });

  it("names no unknown field of an input", () => {
    const flow = defineFlow("order", z.strictObject({ id: z.string() }), async () => undefined);

    expect(flow.misfitOf({ "I love you": 1 })).toBe("id: invalid_type; input: unrecognized_keys");
  });
});
