import { useEffect, useState } from "preact/hooks";

/** `#/<view>/<rest…>?<query>` */
export interface Route {
  readonly view: string;
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  /** Changes when the address is opened again; as a key, it resets a view. */
  readonly visit: number;
}

let visit = 0;
/** Called together: a view that is left does not read the new address. */
const watchers = new Set<() => void>();

function notifyWatchers() {
  for (const read of watchers) read();
}

export function useRoute(): Route {
  const [shown, setShown] = useState({ hash: location.hash, visit });
  useEffect(() => {
    const read = () => setShown({ hash: location.hash, visit });
    watchers.add(read);
    addEventListener("hashchange", notifyWatchers);
    return () => void watchers.delete(read);
  }, []);
  return { ...parseRoute(shown.hash), visit: shown.visit };
}

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

/** `replace` adds no history entry, for text being typed. */
export function go(hash: string, { replace = false }: { replace?: boolean } = {}): void {
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(undefined, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Goes to the address, even the current one, and focuses the view. */
export function open(hash: string): void {
  if (hash === location.hash) {
    visit += 1;
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else go(hash);
  // A closed dialog has returned the focus.
  setTimeout(() => document.getElementById("main")?.focus({ preventScroll: true }));
}

export function parseRoute(hash: string): Omit<Route, "visit"> {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = path.split("/").map(decode);
  return { view, rest, query: new URLSearchParams(search) };
}

function decode(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
