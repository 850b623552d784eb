/**
 * Reads the path of a request as an HTTP API hands it on: decoded twice, cut at a question mark that comes out of the
 * first time. Gives undefined for what cannot be decoded, which is answered 400.
 * UNVERIFIED by AWS's pages, which call it raw; it was captured so on the live service: `%2F` and `%252F` come as a slash,
 * `a%3Fb` as `a`, `a%25b` is refused.
 * @see https://github.com/hotsock/voker/blob/main/vokerhttp/testdata/ingress-paths.json read 2026-11-22
 */
export function readRequestPath(url: string): string | undefined {
  const [encoded = ""] = url.split("?");
  try {
    const [once = ""] = decodeURIComponent(encoded).split("?");
    return decodeURIComponent(once);
  } catch {
    return undefined;
  }
}
