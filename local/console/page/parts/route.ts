import { useEffect, useState } from "preact/hooks";

/** Where the page is: `#/<view>/<rest…>?<query>`. Filters and selections live here, so that a link leads to them. */
export interface Route {
  readonly view: string;
  /** What follows the view's name, decoded. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

/** Reads the address, and again whenever it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = () => setHash(location.hash);
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return parseRoute(hash);
}

/** Writes an address; what is undefined or empty is left out. */
export function toHash(
  view: string,
  rest: readonly string[] = [],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const path = [view, ...rest].map(encodeURIComponent).join("/");
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return `#/${path}${search.size > 0 ? `?${search}` : ""}`;
}

/** Goes to an address; `replace` keeps the one before out of the way back, for what is typed letter by letter. */
export function go(hash: string, { replace = false }: { replace?: boolean } = {}): void {
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(undefined, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Reads an address. */
export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = path.split("/").map(decode);
  return { view, rest, query: new URLSearchParams(search) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
