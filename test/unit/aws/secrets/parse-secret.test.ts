import { describe, expect, it } from "vitest";
import { InvalidSecretError, parseSecret } from "../../../../lib/aws/secrets/parse-secret.ts";

const secret = parseSecret("app", '{"key":"a-value","empty":"","number":7,"none":null}');

describe("parseSecret", () => {
  it("reads a text that must be there, and one that need not be", () => {
    expect(secret.text("key")).toBe("a-value");
    expect(secret.optionalText("key")).toBe("a-value");
    expect(secret.optionalText("absent")).toBeUndefined();
    expect(secret.optionalText("none")).toBeUndefined();
    expect(secret.optionalText("empty")).toBeUndefined();
  });

  it.each(["absent", "empty", "number", "none"])("refuses %s for a text that must be there", (field) => {
    expect(() => secret.text(field)).toThrow(
      `Secret app has no text in "${field}". Put the value there; docs/deploy.md says how.`,
    );
  });

  it("refuses a number for a text that need not be there", () => {
    expect(() => secret.optionalText("number")).toThrow(
      'Secret app has something else than text in "number".',
    );
  });

  it.each([
    ["no value", undefined],
    ["a value that is no JSON", "s3cret{"],
    ["nothing, as JSON", "null"],
    ["a text, as JSON", '"s3cret"'],
    ["a number, as JSON", "7"],
    ["a list that reads like JSON", ['{"key":"s3cret"}']],
  ])("refuses %s without quoting it", (_case, value) => {
    const reading = () => parseSecret("app", value);

    expect(reading).toThrow(InvalidSecretError);
    expect(reading).toThrow(
      expect.objectContaining({
        name: "InvalidSecretError",
        message: expect.stringMatching(/^Secret app is not a JSON object: see docs/),
      }),
    );
    expect(reading).not.toThrow("s3cret");
  });
});
