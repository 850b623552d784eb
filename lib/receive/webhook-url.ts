import { sha256Hex } from "../base/digest.ts";

/** `httpUrl` contains the stage's random address, without a trailing slash. */
export function webhookUrlOf(httpUrl: string, appId: string): string {
  return `${httpUrl}/webhooks/${encodeURIComponent(appId)}`;
}

export function agentToolUrlOf(webhookUrl: string, name: string): string {
  return webhookUrl.replace(/\/webhooks\/(?=[^/]*$)/, `/agent-tools/${encodeURIComponent(name)}/`);
}

/** Ignores query and trailing slash. */
export function isSameReceiver(one: string, other: string): boolean {
  const [first, second] = [one, other].map((url) => {
    const parsed = URL.parse(url);
    return parsed && parsed.origin + parsed.pathname.replace(/\/$/, "");
  });
  return first !== null && first === second;
}

const literal = /(?<=^https?:\/\/[^/]+\/)([a-z0-9]{24})(?:\/|$)/;

/** Equal for all addresses, old and new, of one receiver. */
export function plainUrlOf(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(literal, "").replace(/\/+$/, "");
}

/** For callers other than the platform. */
export function publicUrlOf(httpUrl: string): string {
  return httpUrl.replace(literal, (_, given: string) => publicLiteralOf(given));
}

/** The platform's address cannot be derived from it. */
export function publicLiteralOf(given: string): string {
  return sha256Hex(given).slice(0, 24);
}
