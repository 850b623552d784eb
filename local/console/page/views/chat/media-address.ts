/**
 * Returns the console's path for a file of the emulation, because the page loads nothing from other origins;
 * undefined for other addresses.
 */
export function keptFile(url: string): string | undefined {
  const found = /^https?:\/\/[^/]+\/_platform(\/apps\/[^/?#]+\/files\/[^?#]+)$/.exec(url);
  if (found?.[1] === undefined) return undefined;
  const path = `/api/platform${found[1]}`;
  // Dots, encoded or not, must not leave the files' path.
  return new URL(path, "http://127.0.0.1").pathname === path ? path : undefined;
}

/** Returns an address that is safe to link to; undefined if it is neither http nor https. */
export function outsideLink(url: string): string | undefined {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "http:" || protocol === "https:" ? href : undefined;
  } catch {
    return undefined;
  }
}
