/**
 * Leads files that the emulation keeps through the console, whose page loads nothing from elsewhere; undefined for every
 * other address.
 */
export function keptFile(url: string): string | undefined {
  const found = /^https?:\/\/[^/]+\/_platform(\/apps\/[^/?#]+\/files\/[^?#]+)$/.exec(url);
  if (found?.[1] === undefined) return undefined;
  const path = `/api/platform${found[1]}`;
  // Dots, encoded or not, must not lead out of the files.
  return new URL(path, "http://127.0.0.1").pathname === path ? path : undefined;
}

/** Gives an address that a link may lead to; undefined for what is neither http nor https. */
export function outsideLink(url: string): string | undefined {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "http:" || protocol === "https:" ? href : undefined;
  } catch {
    return undefined;
  }
}
