import { describe, expect, it } from "vitest";
import { rememberSecret } from "../../../../lib/base/known-secrets.ts";
import { RequestNotAllowedError } from "../../../../lib/effects/effect-errors.ts";
import { requestRulesSchema } from "../../../../lib/effects/http/allowed-hosts.ts";
import { isAllowedHost, readTarget, secret } from "../../../../lib/effects/http/prepare-outside-request.ts";

const rules = {
  allowedHosts: [
    "tickets.example.com",
    "*.hooks.example.com",
    "desk.example.org:8443",
    "plain.example.net:443",
  ],
};

describe("readTarget", () => {
  it.each([
    ["https://tickets.example.com/new?x=1", "tickets.example.com"],
    ["https://TICKETS.example.com:443/", "tickets.example.com"],
    ["https://a.hooks.example.com/", "a.hooks.example.com"],
    ["https://a.b.hooks.example.com/", "a.b.hooks.example.com"],
    ["https://desk.example.org:8443/", "desk.example.org:8443"],
    ["https://plain.example.net/", "plain.example.net"],
  ])("allows %s", (url, host) => {
    expect(readTarget(url, rules).host).toBe(host);
  });

  it.each([
    "http://tickets.example.com/",
    "ftp://tickets.example.com/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "//tickets.example.com/",
    "tickets.example.com",
    "",
    "https://",
    "https:///",
    "https://example.com/",
    "https://hooks.example.com/",
    "https://.hooks.example.com/",
    "https://evilhooks.example.com/",
    "https://hooks.example.com.evil.test/",
    "https://tickets.example.com.evil.test/",
    "https://eviltickets.example.com/",
    "https://tickets.example.com./",
    "https://tickets.example.com:8443/",
    "https://tickets.example.com:80/",
    "https://desk.example.org/",
    "https://desk.example.org:443/",
    "https://user@tickets.example.com/",
    "https://user:pass@tickets.example.com/",
    "https://tickets.example.com@evil.test/",
    "https://tickets.example.com:443@evil.test/",
    "https://evil.test#@tickets.example.com/",
    "https://evil.test\\@tickets.example.com/",
    "https://evil.test/tickets.example.com",
    "https://evil.test?.hooks.example.com",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://0/",
    "https://[::1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://[fe80::1%25eth0]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://localhost/",
    "https://metadata.google.internal/",
    "https://ticketѕ.example.com/",
    "https://tickets.example.com\u3002evil.test/",
    "https://tickets.example.com%2eevil.test/",
    "https://tickets.example.com%00.evil.test/",
    `https://tickets.example.com/${"x".repeat(8_000)}`,
  ])("refuses %s", (url) => {
    expect(() => readTarget(url, rules)).toThrow(RequestNotAllowedError);
  });

  it("allows no host without configuration", () => {
    expect(() => readTarget("https://tickets.example.com/", { allowedHosts: [] })).toThrow(
      /config\/requests.yml does not allow tickets.example.com/,
    );
  });

  it.each([
    ["", /its URL is invalid or has more than 8,000 characters/],
    ["http://tickets.example.com/", /its URL must begin with https:\/\//],
    ["https://user@tickets.example.com/", /its URL holds a user or password/],
    ["https://:pass@tickets.example.com/", /its URL holds a user or password/],
  ])("names the reason to refuse %j", (url, why) => {
    expect(() => readTarget(url, rules)).toThrow(why);
  });

  it("allows a URL of 8,000 characters", () => {
    const url = "https://tickets.example.com/".padEnd(8_000, "x");

    expect(readTarget(url, rules).href).toBe(url);
  });

  it("refuses a secret in a URL, and names no URL in any error", () => {
    rememberSecret("s3cr3t-of-the-desk");

    expect(() => readTarget("https://tickets.example.com/?key=s3cr3t-of-the-desk", rules)).toThrow(
      /holds a secret/,
    );
    expect(() => readTarget("https://evil.test/of-somebody?q=private", rules)).not.toThrow(
      /somebody|private/,
    );
  });

  it("cannot be given a reference to a secret", () => {
    const token = secret("ticket-token");

    expect(() => `https://tickets.example.com/${token}`).toThrow(/The secret "ticket-token" is no text/);
    expect(() => JSON.stringify({ token })).toThrow(/no text/);
  });
});

describe("requestRulesSchema", () => {
  it.each([
    "https://tickets.example.com",
    "tickets.example.com/path",
    "Tickets.example.com",
    "tickets",
    "*",
    "*.com.",
    "a.*.example.com",
    "**.example.com",
    "127.0.0.1",
    "[::1]",
    "tickets.example.com.",
    "-a.example.com",
    "tickets.example.com:0",
    "tickets.example.com:",
    "user@tickets.example.com",
    "",
  ])("refuses %s as a host", (host) => {
    expect(() => requestRulesSchema.parse({ allowedHosts: [host] })).toThrow(
      /a host's name in small letters/,
    );
  });

  it("accepts names, names below a name, and ports", () => {
    expect(requestRulesSchema.parse(rules)).toEqual(rules);
  });

  it("refuses an address in the form of a name", () => {
    expect(isAllowedHost(new URL("https://10.0.0.1/"), { allowedHosts: ["*.0.0.1"] })).toBe(true);
    expect(requestRulesSchema.safeParse({ allowedHosts: ["*.0.0.1"] }).success).toBe(false);
  });
});
