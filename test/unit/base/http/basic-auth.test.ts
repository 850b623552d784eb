import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestAuthorization, digestCredentials, matchesAny } from "../../../../lib/base/http/basic-auth.ts";
import { runs } from "../../../helpers/property-runs.ts";

const header = (credentials: string | Uint8Array, scheme = "Basic") =>
  `${scheme} ${Buffer.from(credentials).toString("base64")}`;

const username = fc.string({ unit: "binary" }).filter((text) => !text.includes(":") && isWellFormed(text));
const password = fc.string({ unit: "binary" }).filter(isWellFormed);

describe("digestAuthorization", () => {
  it("gives the digest of any user name without a colon and any password", () => {
    fc.assert(
      fc.property(username, password, (name, secret) => {
        const digest = digestAuthorization(header(`${name}:${secret}`));

        expect(digest).toEqual(digestCredentials({ username: name, password: secret }));
      }),
      runs(),
    );
  });

  it.each(["a:b", "a:bc", "a:bcd"])("takes %s with and without padding", (credentials) => {
    const padded = header(credentials);

    const digest = digestAuthorization(padded.replace(/=+$/, ""));

    expect(digest).toBeDefined();
    expect(digest).toEqual(digestAuthorization(padded));
  });

  it.each(["basic", "BASIC", "bAsIc"])("takes the scheme name %s", (scheme) => {
    expect(digestAuthorization(header("a:b", scheme))).toEqual(digestAuthorization(header("a:b")));
  });

  it.each([
    ["no colon", header("ab")],
    ["bytes that are no UTF-8", header(new Uint8Array([0x61, 0x3a, 0xff]))],
  ])("gives what no credentials have for %s", (_case, value) => {
    const digest = digestAuthorization(value);

    const similar = [
      ["ab", ""],
      ["", "ab"],
      ["a", "\ufffd"],
      ["a", ""],
    ].map(([name = "", secret = ""]) => digestCredentials({ username: name, password: secret }));
    expect(digest).toBeDefined();
    expect(similar).not.toContainEqual(digest);
  });

  it.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["the scheme alone", "Basic"],
    ["another scheme", header("a:b", "Bearer")],
    ["characters outside base64", "Basic YTpi!"],
    ["two values joined by a comma", `${header("a:b")}, ${header("a:b")}`],
  ])("refuses %s", (_case, value) => {
    expect(digestAuthorization(value)).toBeUndefined();
  });

  it("never throws, whatever the header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(() => digestAuthorization(`Basic ${text}`)).not.toThrow();
      }),
      runs(),
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
      runs(),
    );
  });
});

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
