import * as z from "zod/mini";

/** At least two DNS labels, the last not a number, which excludes IP addresses. */
const host = "(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?";
const allowedHost = new RegExp(`^(?:\\*\\.)?${host}(?::[1-9]\\d{0,4})?$`);

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

export interface RequestRules {
  /** Hosts such as `tickets.example.com` or `*.example.com`, with a port other than 443 after a colon. */
  readonly allowedHosts: readonly string[];
}
