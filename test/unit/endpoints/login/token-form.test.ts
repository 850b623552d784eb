import { describe, expect, it } from "vitest";
import { checkTokenForm, InvalidTokenError } from "../../../../lib/endpoints/own/jwt/token-form.ts";

const part = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const head = { alg: "HS256", typ: "JWT" };
const tokenOf = (header: unknown = head, claims: unknown = { sub: "ann" }) =>
  `${part(header)}.${part(claims)}.${part("signature")}`;
type Settings = Parameters<typeof checkTokenForm>[1];
const settings: Settings = {
  longest: 4_000,
  keys: { secrets: ["loginSecret"], algorithms: ["HS256"] },
};

/** Returns why a token is invalid; undefined for a valid one. */
function reasonOf(
  token: string,
  { longest = settings.longest, typ }: { readonly longest?: number; readonly typ?: string | undefined } = {},
) {
  try {
    checkTokenForm(token, { ...settings, longest, ...(typ !== undefined && { typ }) });
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidTokenError)) throw error;
    return error.reason;
  }
}

describe("checkTokenForm", () => {
  it("accepts a token of three parts, and one of the maximum length", () => {
    expect(reasonOf(tokenOf())).toBeUndefined();
    expect(reasonOf(tokenOf(), { longest: tokenOf().length })).toBeUndefined();
    expect(reasonOf(tokenOf({ alg: "HS256" }))).toBeUndefined();
  });

  it.each([
    ["one that is too long", tokenOf(), { longest: tokenOf().length - 1 }, "too-long"],
    ["nothing", "", {}, "form"],
    ["two parts", tokenOf().split(".").slice(0, 2).join("."), {}, "form"],
    ["four parts", `${tokenOf()}.x`, {}, "form"],
    ["a word before it", `Bearer ${tokenOf()}`, {}, "form"],
    ["a line break behind it", `${tokenOf()}\n`, {}, "form"],
    ["no signature", tokenOf().replace(/[^.]+$/, ""), {}, "form"],
    ["a signature whose unused bits are changed", tokenOf().replace(/[^.]+$/, "c2lnbmF0dXJ"), {}, "form"],
    ["a header that is no JSON", tokenOf("alg"), {}, "form"],
    ["a header that is a list", tokenOf([head]), {}, "form"],
    ["claims that are no object", tokenOf(head, ["ann"]), {}, "form"],
    ["a header with a duplicate field", tokenOf('{"alg":"HS256","alg":"none"}'), {}, "duplicate-names"],
    ["claims with a duplicate field", tokenOf(head, '{"sub":"ann","sub":"bob"}'), {}, "duplicate-names"],
    ["no algorithm", tokenOf({ typ: "JWT" }), {}, "algorithm"],
    ["another algorithm", tokenOf({ ...head, alg: "HS512" }), {}, "algorithm"],
    ["an algorithm in a list", tokenOf({ ...head, alg: ["HS256"] }), {}, "algorithm"],
    ...["crit", "b64", "zip", "enc", "cty"].map(
      (name) => [`the header ${name}`, tokenOf({ ...head, [name]: null }), {}, "header"] as const,
    ),
    ["another type", tokenOf({ ...head, typ: "at+jwt" }), {}, "typ"],
    ["a type that is no text", tokenOf({ ...head, typ: 1 }), {}, "typ"],
    ["no type where one is wanted", tokenOf({ alg: "HS256" }), { typ: "at+jwt" }, "typ"],
    ["the usual type where another is wanted", tokenOf(), { typ: "at+jwt" }, "typ"],
  ] as const)("refuses %s", (_case, token, own, reason) => {
    expect(reasonOf(token, own)).toBe(reason);
  });

  it("gives a constant reason without quoting the token", () => {
    expect(() => checkTokenForm("secret.token", settings)).toThrow(
      expect.objectContaining({ name: "InvalidTokenError", message: "The token is invalid: form." }),
    );
  });

  it.each([
    ["JWT", undefined],
    ["jwt", undefined],
    ["application/JWT", undefined],
    ["AT+JWT", "at+jwt"],
    ["application/at+jwt", "at+jwt"],
    ["at+jwt", "application/at+jwt"],
  ])("accepts the type %s where %s is required", (typ, wanted) => {
    expect(reasonOf(tokenOf({ ...head, typ }), { typ: wanted })).toBeUndefined();
  });
});
