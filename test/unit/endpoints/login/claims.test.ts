import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loginSettingsSchema } from "../../../../lib/endpoints/login/login-settings.ts";
import { readProfile, readUid } from "../../../../lib/endpoints/login/read-claims.ts";
import { hasDuplicateNames } from "../../../../lib/endpoints/own/jwt/token-form.ts";
import { runs } from "../../../helpers/property-runs.ts";
import { bySecret, issuer } from "./login-world.ts";

const exact = { claim: "sub", form: "exact" as const, prefix: "", reserved: [] };
const lowered = { ...exact, form: "lowered" as const };
const hashed = { ...exact, form: "hashed" as const };

describe("readUid", () => {
  it("returns an exact uid unchanged, and reads another claim if configured", () => {
    expect(readUid({ sub: "ann-b_2" }, issuer, exact)).toBe("ann-b_2");
    expect(
      readUid({ sub: "x", "https://example.com/uid": "ann" }, issuer, {
        ...exact,
        claim: "https://example.com/uid",
      }),
    ).toBe("ann");
  });

  it("lower-cases ASCII letters if case is ignored, but no other letters", () => {
    expect(readUid({ sub: "Ann-B" }, issuer, lowered)).toBe("ann-b");
    expect(readUid({ sub: "\u212aate" }, issuer, lowered)).toBeUndefined();
    expect(readUid({ sub: "\u0130da" }, issuer, lowered)).toBeUndefined();
  });

  it("hashes any name into a uid, which differs for each name and issuer", () => {
    const uid = readUid({ sub: "auth0|Ann" }, issuer, hashed);

    expect(uid).toMatch(/^[0-9a-f]{40}$/);
    expect(readUid({ sub: "auth0|Ann" }, issuer, hashed)).toBe(uid);
    expect(readUid({ sub: "auth0|ann" }, issuer, hashed)).not.toBe(uid);
    expect(readUid({ sub: "auth0|Ann" }, "https://other.example.com/", hashed)).not.toBe(uid);
    expect(readUid({ sub: "\ud83d" }, issuer, hashed)).toBeUndefined();
  });

  it("does not use an email address that the issuer has not verified", () => {
    const byAddress = { ...hashed, claim: "email" };
    const email = "ann@example.com";
    const uid = readUid({ email }, issuer, byAddress);

    expect(uid).toMatch(/^[0-9a-f]{40}$/);
    expect(readUid({ email, email_verified: true }, issuer, byAddress)).toBe(uid);
    expect(readUid({ email, email_verified: "true" }, issuer, byAddress)).toBe(uid);
    for (const told of [false, "false", null, 0, "", {}]) {
      expect(readUid({ email, email_verified: told }, issuer, byAddress)).toBeUndefined();
    }
    expect(readUid({ sub: "ann", email_verified: false }, issuer, exact)).toBe("ann");
  });

  it("adds a prefix, within the platform's length", () => {
    expect(readUid({ sub: "ann" }, issuer, { ...exact, prefix: "c-" })).toBe("c-ann");
    expect(readUid({ sub: "a".repeat(99) }, issuer, { ...exact, prefix: "c-" })).toBeUndefined();
  });

  it("refuses a reserved uid in every spelling", () => {
    const reserved = ["support"];

    expect(readUid({ sub: "support" }, issuer, { ...exact, reserved })).toBeUndefined();
    expect(readUid({ sub: "SUPPORT" }, issuer, { ...lowered, reserved })).toBeUndefined();
    expect(readUid({ sub: "port" }, issuer, { ...exact, prefix: "sup", reserved })).toBeUndefined();
    expect(readUid({ sub: "APP_system" }, issuer, lowered)).toBeUndefined();
  });

  it.each(["toString", "__proto__", "constructor"])(
    "does not find the inherited property %s as a claim",
    (claim) => {
      expect(readUid({}, issuer, { ...exact, claim })).toBeUndefined();
    },
  );

  it("returns a valid uid or undefined for any claim", () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(exact, lowered, hashed), (sub, settings) => {
        expect(readUid({ sub }, issuer, settings) ?? "none").toMatch(/^[a-z0-9_-]{1,100}$/);
      }),
      runs(),
    );
  });
});

describe("readProfile", () => {
  const { user: settings } = loginSettingsSchema.parse({
    login: bySecret,
    user: {
      name: "name",
      avatar: "picture",
      role: { claim: "role", allowed: ["default", "premium"] },
      metadata: { team: "team" },
    },
  });
  const profileOf = (claims: Record<string, unknown>) => readProfile(claims, settings).profile;

  it.each([
    ["control characters", "Ann\u0000\n Berger", "Ann Berger"],
    ["marks that turn the writing", "\u202eAnn\u2066 \u200fB", "Ann B"],
    ["blanks around it", "  Ann ", "Ann"],
    ["half a character at the cut", `${"a".repeat(99)}👋`, "a".repeat(99)],
    ["101 characters", "a".repeat(101), "a".repeat(100)],
    ["a family of one character", "👨‍👩‍👧", "👨‍👩‍👧"],
  ])("reads a name with %s", (_case, name, expected) => {
    expect(profileOf({ name })).toEqual({ name: expected });
  });

  it.each([5, null, "", "  ", "\u202e", ["Ann"], { first: "Ann" }])("reads no name from %j", (name) => {
    expect(profileOf({ name })).toEqual({});
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "http://example.com/a.png",
    "//example.com/a.png",
    "file:///etc/passwd",
    `https://example.com/${"a".repeat(3_000)}`,
    5,
  ])("ignores the avatar %j", (picture) => {
    expect(profileOf({ picture })).toEqual({});
  });

  it("reads a link from the configured claim, and nothing without one", () => {
    const linked = { ...settings, link: "page", avatar: undefined };
    const claims = {
      page: "https://example.com/Ann?x=1",
      picture: "https://example.com/a.png",
      undefined: "x",
    };

    expect(readProfile(claims, linked).profile).toEqual({ link: "https://example.com/Ann?x=1" });
    expect(readProfile({ page: "no address" }, linked).profile).toEqual({});
    expect(profileOf({ picture: "https://example.com/a.png" })).toEqual({
      avatar: "https://example.com/a.png",
    });
  });

  it("reads an address of 3,000 characters", () => {
    const picture = `https://example.com/${"a".repeat(2_980)}`;

    expect(profileOf({ picture })).toEqual({ avatar: picture });
    // Each of these characters takes nine in an address.
    expect(profileOf({ picture: `https://example.com/${"語".repeat(400)}` })).toEqual({});
  });

  it("ignores inherited properties of an object", () => {
    const odd = { ...settings, name: "constructor", metadata: { team: "toString" } };

    expect(readProfile({ sub: "ann" }, odd).profile).toEqual({});
  });

  it.each(["Sales", "x".repeat(200), 0, false])("accepts the metadata value %j", (team) => {
    expect(profileOf({ team })).toEqual({ metadata: { team } });
  });

  it.each([
    { name: "Sales" },
    "x".repeat(201),
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NaN, // no JSON holds these
  ])("ignores the metadata value %o", (team) => {
    expect(profileOf({ team })).toEqual({});
  });

  it("distinguishes allowed, forbidden and missing roles", () => {
    expect(readProfile({ role: "premium" }, settings)).toEqual({
      profile: { role: "premium" },
      hasForeignRole: false,
    });
    expect(readProfile({ role: "Premium" }, settings).hasForeignRole).toBe(true);
    expect(readProfile({ role: ["premium"] }, settings).hasForeignRole).toBe(true);
    expect(readProfile({}, settings).hasForeignRole).toBe(false);
    expect(readProfile({ role: null }, settings)).toEqual({ profile: {}, hasForeignRole: false });
  });
});

describe("hasDuplicateNames", () => {
  it.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', false],
    ['{"a":"a","b":["a","a"]}', false],
    ['{"a":"{\\"b\\":1,\\"b\\":2}"}', false],
    ['{"a":1,"a":1}', true],
    ['{"a":1,"\\u0061":2}', true],
    ['{"x":{"a":1,"b":2,"a":3}}', true],
    ['[{"a":1},{"b":1,"b":2}]', true],
    ['{"":1,"":2}', true],
    ['{"__proto__":1,"__proto__":2}', true],
  ])("finds in %s: %s", (text, expected) => {
    expect(hasDuplicateNames(text)).toBe(expected);
  });

  it("finds none in the output of JSON.stringify, and one if a field is repeated", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const text = JSON.stringify(value);
        const [name = ""] = Object.keys(value);
        expect(hasDuplicateNames(text)).toBe(false);
        expect(hasDuplicateNames(`${text.slice(0, -1)},${JSON.stringify(name)}:0}`)).toBe(true);
      }),
      runs(),
    );
  });
});

describe("config/auth-token.yml", () => {
  const refused: readonly (readonly [name: string, settings: object, expected: string])[] = [
    ["alg none", withKeys({ url: "https://x.example.com", algorithms: ["none"] }), "algorithms"],
    ["HS256 with a key set", withKeys({ url: "https://x.example.com", algorithms: ["HS256"] }), "algorithms"],
    ["RS256 with a secret", withKeys({ secrets: ["a"], algorithms: ["RS256"] }), "algorithms"],
    [
      "a key set and a secret",
      withKeys({ url: "https://x.example.com", secrets: ["a"], algorithms: ["RS256"] }),
      "unrecognized_keys",
    ],
    [
      "a key set without TLS",
      withKeys({ url: "http://x.example.com", algorithms: ["RS256"] }),
      "https address",
    ],
    [
      "a key set with a password",
      withKeys({ url: "https://a:b@x.example.com", algorithms: ["RS256"] }),
      "https address",
    ],
    [
      "the platform's key as a shared secret",
      withKeys({ secrets: ["apiKey"], algorithms: ["HS256"] }),
      "for this alone",
    ],
    ["no audience", withLogin({ audience: [] }), "audience"],
    ["no issuer", withLogin({ issuer: "" }), "issuer"],
    ["an hour of tolerance", withLogin({ clockTolerance: "1h" }), "at most 5min"],
    ["every origin", { login: "off", origins: ["*"] }, "the usual port and *"],
    ["an origin with a path", { login: "off", origins: ["https://example.com/"] }, "without a path"],
    ["the usual port", { login: "off", origins: ["https://example.com:443"] }, "the usual port"],
    [
      "the usual port of one's own machine",
      { login: "off", origins: ["http://localhost:80"] },
      "the usual port",
    ],
    ["a plain origin", { login: "off", origins: ["http://example.com"] }, "must be like"],
  ];

  it.each(refused)("refuses %s", (_name, settings, expected) => {
    const result = loginSettingsSchema.safeParse(settings);

    expect(result.success).toBe(false);
    expect(JSON.stringify(result.error?.issues)).toContain(expected);
  });

  it.each([
    "https://example.com",
    "https://example.com:8443",
    "https://example.com:4430",
    "http://localhost:8080",
    "capacitor://localhost",
    "ionic://localhost",
  ])("accepts the origin %s", (origin) => {
    expect(loginSettingsSchema.safeParse({ login: "off", origins: [origin] }).success).toBe(true);
  });

  it("parses its own output again, as `people` does with the build's output", () => {
    const once = loginSettingsSchema.parse({ login: bySecret });

    expect(loginSettingsSchema.parse(once)).toEqual(once);
  });

  function withLogin(change: object): object {
    return { login: { ...Object(bySecret), ...change } };
  }

  function withKeys(keys: object): object {
    return withLogin({ keys });
  }
});
