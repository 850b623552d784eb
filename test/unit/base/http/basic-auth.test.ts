import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { digestAuthorization, digestCredentials, matchesAny } from "../../../../lib/base/http/basic-auth.ts";
import { fromEdge } from "../../../../lib/base/http/from-edge.ts";
import { toWholeRequest } from "../../../../lib/base/http/whole-request.ts";
import { signedLambdaEvent } from "../../../../local/testing/signed-lambda-event.ts";
import { anyText } from "../../../helpers/any-text.ts";
import { runs } from "../../../helpers/property-runs.ts";

const header = (credentials: string | Uint8Array, scheme = "Basic") =>
  `${scheme} ${Buffer.from(credentials).toString("base64")}`;

const username = anyText().filter((text) => !text.includes(":") && isWellFormed(text));
const password = anyText().filter(isWellFormed);

describe("digestAuthorization", () => {
  it("returns the digest of any user name without a colon and any password", () => {
    fc.assert(
      fc.property(username, password, (name, secret) => {
        const digest = digestAuthorization(header(`${name}:${secret}`));

        expect(digest).toEqual(digestCredentials({ username: name, password: secret }));
      }),
      runs(),
    );
  });

  it.each(["a:b", "a:bc", "a:bcd"])("accepts %s with and without padding", (credentials) => {
    const padded = header(credentials);

    const digest = digestAuthorization(padded.replace(/=+$/, ""));

    expect(digest).toBeDefined();
    expect(digest).toEqual(digestAuthorization(padded));
  });

  it.each(["basic", "BASIC", "bAsIc"])("accepts the scheme name %s", (scheme) => {
    expect(digestAuthorization(header("a:b", scheme))).toEqual(digestAuthorization(header("a:b")));
  });

  it.each([
    ["no colon", header("ab")],
    ["bytes that are no UTF-8", header(new Uint8Array([0x61, 0x3a, 0xff]))],
  ])("returns a digest of no valid credentials for %s", (_case, value) => {
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
    ["only the scheme", "Basic"],
    ["another scheme", header("a:b", "Bearer")],
    ["characters outside base64", "Basic YTpi!"],
    ["two values joined by a comma", `${header("a:b")}, ${header("a:b")}`],
  ])("refuses %s", (_case, value) => {
    expect(digestAuthorization(value)).toBeUndefined();
  });

  it("never throws, whatever the header", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(() => digestAuthorization(`Basic ${text}`)).not.toThrow();
      }),
      runs(),
    );
  });
});

describe("matchesAny", () => {
  it("accepts exactly the credentials in the list", () => {
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

function isWellFormed(text: string) {
  return text.isWellFormed();
}

const headerOf = (credentials: string, spaces = " ") =>
  `Basic${spaces}${Buffer.from(credentials).toString("base64")}`;

describe("digestAuthorization", () => {
  it("accepts several spaces after the scheme's name, as RFC 9110 allows (section 11.4)", () => {
    expect(digestAuthorization(headerOf("a:b", "   "))).toEqual(
      digestCredentials({ username: "a", password: "b" }),
    );
  });

  it("accepts spaces after the credentials", () => {
    expect(digestAuthorization(`${headerOf("a:b")}  `)).toEqual(
      digestCredentials({ username: "a", password: "b" }),
    );
  });

  it("refuses credentials without a space before them", () => {
    expect(digestAuthorization(headerOf("a:b", ""))).toBeUndefined();
  });

  it("keeps a byte order mark, which is an ordinary character of the name", () => {
    expect(digestAuthorization(headerOf("\uFEFFa:b"))).toEqual(
      digestCredentials({ username: "\uFEFFa", password: "b" }),
    );
  });
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const target = { url: "https://example.com/webhooks/app", username: "platform", password: "p" };
const statusWith = async (headers: Record<string, string>) => {
  const event = signedLambdaEvent(target, "{}");
  const handler = fromEdge(async () => ({ statusCode: 200 }));
  const { statusCode } = await handler({ ...event, headers: { ...event.headers, ...headers } }, {});
  return statusCode;
};

afterEach(() => void vi.unstubAllEnvs());

describe("a function behind a distribution", () => {
  it("answers every request while the stage configures no key", async () => {
    expect(await statusWith({})).toBe(200);
  });

  it.each([
    ["a key", { "x-origin": "one" }, 200],
    ["the other, while they are replaced", { "x-origin": "two" }, 200],
    ["a wrong one", { "x-origin": "three" }, 404],
    ["no key", {}, 404],
  ])("answers 404 like an unknown route unless a request has %s", async (_case, headers, status) => {
    vi.stubEnv("ORIGIN_KEY_SHA256", [sha256("one"), sha256("two")].join());

    expect(await statusWith(headers)).toBe(status);
  });

  it("takes the caller's address from the distribution, not from the caller's header", () => {
    vi.stubEnv("ORIGIN_KEY_SHA256", sha256("one"));
    const event = signedLambdaEvent(target, "{}");
    const headers = { ...event.headers, "x-forwarded-for": "9.9.9.9, 203.0.113.7, 130.176.0.1" };

    expect(toWholeRequest({ ...event, headers }).sourceIp).toBe("203.0.113.7");
  });
});
