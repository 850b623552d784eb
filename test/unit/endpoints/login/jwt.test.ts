import { describe, expect, it } from "vitest";
import { jwt } from "../../../../lib/endpoints/own/jwt.ts";

describe("jwt", () => {
  it.each([
    ['Cannot call jwt: "settingsOf"', () => Reflect.apply(jwt, undefined, ["settings"])],
    ['Cannot call jwt: "now"', () => Reflect.apply(jwt, undefined, [() => undefined, { now: 5 }])],
  ])("refuses a wrong argument: %s", (name, call) => {
    expect(call).toThrow(name);
  });

  it("names a caller by issuer and subject", () => {
    const caller = { claims: { iss: "https://a.example", sub: "ann", name: "Ann" }, expiresAt: 1 };

    expect(jwt(() => undefined).nameOf?.(caller)).toBe('["https://a.example","ann"]');
  });
});
