import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestCredentials, matchesAny, parseBasicAuthorization } from "../../../lib/http/basic-auth.ts";

const header = (credentials: string | Uint8Array, scheme = "Basic") =>
  `${scheme} ${Buffer.from(credentials).toString("base64")}`;

const username = fc.string({ unit: "binary" }).filter((text) => !text.includes(":") && isWellFormed(text));
const password = fc.string({ unit: "binary" }).filter(isWellFormed);

describe("parseBasicAuthorization", () => {
  it("gives back any user name without a colon and any password", () => {
    fc.assert(
      fc.property(username, password, (name, secret) => {
        expect(parseBasicAuthorization(header(`${name}:${secret}`))).toEqual({
          username: name,
          password: secret,
        });
      }),
      { seed: 7 },
    );
  });

  it("splits at the first colon, so that passwords may contain colons", () => {
    expect(parseBasicAuthorization(header("platform:a:b::c"))).toEqual({
      username: "platform",
      password: "a:b::c",
    });
  });

  it("reads UTF-8", () => {
    expect(parseBasicAuthorization(header("Zoë:пароль🔑"))).toEqual({
      username: "Zoë",
      password: "пароль🔑",
    });
  });

  it.each(["basic", "BASIC", "bAsIc"])("takes the scheme name %s", (scheme) => {
    expect(parseBasicAuthorization(header("a:b", scheme))).toEqual({ username: "a", password: "b" });
  });

  it.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["the scheme alone", "Basic"],
    ["another scheme", header("a:b", "Bearer")],
    ["no colon", header("nocolon")],
    ["characters outside base64", "Basic YTpi!"],
    ["bytes that are no UTF-8", header(new Uint8Array([0x61, 0x3a, 0xff]))],
    ["two values joined by a comma", `${header("a:b")}, ${header("a:b")}`],
  ])("refuses %s", (_case, value) => {
    expect(parseBasicAuthorization(value)).toBeUndefined();
  });

  it("never throws, whatever the header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(() => parseBasicAuthorization(`Basic ${text}`)).not.toThrow();
      }),
      { seed: 7 },
    );
  });
});

describe("matchesAny", () => {
  it("accepts exactly the credentials that are among the accepted ones", () => {
    const credentials = fc.record({ username, password });
    fc.assert(
      fc.property(credentials, fc.array(credentials, { maxLength: 3 }), (presented, accepted) => {
        const isAmong = accepted.some(
          (one) => one.username === presented.username && one.password === presented.password,
        );
        expect(matchesAny(digestCredentials(presented), accepted.map(digestCredentials))).toBe(isAmong);
        expect(
          matchesAny(digestCredentials(presented), [...accepted, presented].map(digestCredentials)),
        ).toBe(true);
      }),
      { seed: 7 },
    );
  });

  it("accepts nothing when nothing is accepted", () => {
    expect(matchesAny(digestCredentials({ username: "", password: "" }), [])).toBe(false);
  });
});

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
