/** One thing that was tried from this browser. */
export interface Tried {
  readonly id: string;
  readonly atMs: number;
  readonly appId: string;
  readonly entry: string;
  readonly sample: string;
  readonly text: string;
  /** What it came to, in a word or two: `200`, `401`, `no answer`. */
  readonly came: string;
  readonly isGood: boolean;
}

const name = "tried";
const most = 40;
/** Browsers keep some megabytes for a site; larger texts are not worth the others. */
const mostCharacters = 60_000;

/** Gives what was tried, the latest first; what another version wrote is left out. */
export function readHistory(): readonly Tried[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isTried) : [];
  } catch {
    return [];
  }
}

/** Adds what was tried, and gives all. */
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
    // A browser that keeps nothing, or no more, is no reason not to try.
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
