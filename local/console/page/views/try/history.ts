export interface Tried {
  readonly id: string;
  readonly atMs: number;
  readonly appId: string;
  readonly entry: string;
  readonly sample: string;
  readonly text: string;
  /** A short result: `200`, `401`, `no answer`. */
  readonly came: string;
  readonly isGood: boolean;
}

const name = "tried";
const most = 40;
/** Browsers store a few megabytes per site; one large text must not evict all others. */
const mostCharacters = 60_000;

/** Newest first; ignores those of another version. */
export function readHistory(): readonly Tried[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isTried) : [];
  } catch {
    return [];
  }
}

export function addToHistory(tried: Tried): readonly Tried[] {
  const kept = readHistory().filter(({ id }) => id !== tried.id);
  const all = tried.text.length > mostCharacters ? kept : [tried, ...kept].slice(0, most);
  write(all);
  return all;
}

export function clearHistory(): readonly Tried[] {
  write([]);
  return [];
}

function write(all: readonly Tried[]): void {
  try {
    localStorage.setItem(name, JSON.stringify(all));
  } catch {
    // Try works without storage.
  }
}

function isTried(value: unknown): value is Tried {
  return (
    typeof value === "object" &&
    value !== null &&
    ["id", "appId", "entry", "sample", "text", "came"].every(
      (field) => typeof Reflect.get(value, field) === "string",
    ) &&
    typeof Reflect.get(value, "atMs") === "number"
  );
}
