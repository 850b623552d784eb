import * as z from "zod/mini";

/** Labels of DNS, at least two, of which the last is no number: an address is no host's name. */
const host = "(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?";
const allowedHost = new RegExp(`^(?:\\*\\.)?${host}(?::[1-9]\\d{0,4})?$`);

/** What config/requests.yml may hold. */
export const requestRulesSchema = z.strictObject({
  allowedHosts: z.array(
    z
      .string()
      .check(
        z.regex(
          allowedHost,
          "a host's name in small letters, such as tickets.example.com or *.example.com, without https://",
        ),
      ),
  ),
});

/** Where requests may go: config/requests.yml. */
export interface RequestRules {
  /** Hosts that `effects.request` may ask: `tickets.example.com`, `*.example.com`, with another port than 443 behind a colon. */
  readonly allowedHosts: readonly string[];
}

/**
 * Tells whether a URL's host and port are allowed. `*.example.com` stands for every name below example.com, and not for
 * example.com itself.
 */
export function isAllowedHost({ hostname, port }: URL, { allowedHosts }: RequestRules): boolean {
  return allowedHosts.some((allowed) => {
    const [name = "", allowedPort = ""] = allowed.split(":");
    if (port !== (allowedPort === "443" ? "" : allowedPort)) return false;
    return name.startsWith("*.")
      ? hostname.endsWith(name.slice(1)) && hostname.length > name.length - 1
      : hostname === name;
  });
}
