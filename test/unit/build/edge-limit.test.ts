import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { readRequestPath } from "../../../local/cloud/gateway/request-path.ts";

const address = "k3v9x2m7q1w8e4r6t5y0u3i9";

/** As AWS WAF documents its transformations. */
const transformations: Readonly<Record<string, (text: string) => string>> = {
  NONE: (text) => text,
  URL_DECODE: (text) =>
    text.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number(`0x${code.slice(1)}`))),
  NORMALIZE_PATH: posix.normalize,
};
const resolve = (text: string) => text;
const customTags = ["!Ref", "!Sub", "!GetAtt"].map((tag) => ({ tag, resolve }));
const file = join(import.meta.dirname, "../../../infrastructure/edge/template.yml");
const template = parse(readFileSync(file, "utf8"), { customTags });
const [{ Statement }] = template.Resources.WebAcl.Properties.Rules;
const rule = Statement.RateBasedStatement.ScopeDownStatement.NotStatement.Statement.RegexMatchStatement;
const types: readonly string[] = rule.TextTransformations.map(({ Type }: { Type: string }) => Type);

function isExempt(path: string) {
  const text = types.reduce((seen, type) => transformations[type]?.(seen) ?? "unknown", path);
  return new RegExp(rule.RegexString).test(text);
}

it.each(["webhooks/app", "before-message/my-app", "moderation/2379ab41f5c8", "agent-tools/cancel-order/app"])(
  "the distribution's limit exempts the platform's paths: %s",
  (path) => {
    expect(isExempt(`/${address}/${path}`)).toBe(true);
  },
);

it.each([
  `/${address}/auth-token/app`,
  `/${address}/webhooks/../auth-token/app`,
  `/${address}/webhooks/%2e%2e/auth-token/app`,
  // The gateway cuts the path at a question mark that it decodes.
  `/${address}/auth-token/app%3F/../../../${address}/webhooks/app`,
  `/${address}/auth-token/app%3f/%2e%2e/%2e%2e/%2e%2e/${address}/webhooks/app`,
  `/${address}%2fauth-token%2fapp%3f%2f..%2f..%2f..%2f${address}%2fwebhooks%2fapp`,
])("the distribution's limit applies to a possible login path: %s", (path) => {
  expect(readRequestPath(path)).toContain("auth-token");
  expect(isExempt(path)).toBe(false);
});
