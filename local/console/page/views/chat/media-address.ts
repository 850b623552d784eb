/** @returns undefined for other origins: the page loads nothing from them */
export function keptFile(url: string): string | undefined {
  const found = /^https?:\/\/[^/]+\/_platform(\/apps\/[^/?#]+\/files\/[^?#]+)$/.exec(url);
  if (found?.[1] === undefined) return undefined;
  const path = `/api/platform${found[1]}`;
  // Dots, encoded or not, must not leave the files' path.
  return new URL(path, "http://127.0.0.1").pathname === path ? path : undefined;
}

/** @returns undefined if it is neither http nor https */
export function outsideLink(url: string): string | undefined {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "http:" || protocol === "https:" ? href : undefined;
  } catch {
    return undefined;
  }
}
