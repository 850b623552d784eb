/**
 * Decodes a path twice, and cuts it at a question mark of the first decoding.
 * @returns undefined for a path that cannot be decoded (400). UNVERIFIED by AWS's pages, which call it raw;
 * captured: `%2F` and `%252F` become a slash, `a%3Fb` becomes `a`, `a%25b` is refused.
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
