export interface Allowance {
  readonly most: number;
  readonly windowMs: number;
}

/** Returns the milliseconds until the source's next turn; undefined if it has taken one. */
export type TakeTurn = (source: string, allowance: Allowance) => number | undefined;

const mostSources = 10_000;

/** Counts in memory: each process separately. */
export function createSourceLimit(now: () => number): TakeTurn {
  const buckets = new Map<string, { turns: number; at: number }>();
  return (source, { most, windowMs }) => {
    const key = networkOf(source);
    const known = buckets.get(key);
    const filled = known === undefined ? most : known.turns + ((now() - known.at) * most) / windowMs;
    const turns = Math.min(most, filled);
    buckets.delete(key); // last used last
    buckets.set(key, { turns: turns >= 1 ? turns - 1 : turns, at: now() });
    const [oldest] = buckets.keys();
    if (buckets.size > mostSources && oldest !== undefined) buckets.delete(oldest);
    return turns >= 1 ? undefined : Math.ceil(((1 - turns) * windowMs) / most);
  };
}

/** One connection has a whole /64 network of IPv6 (RFC 6177). Keeps a prefix such as the app's id. */
function networkOf(source: string) {
  const [, name = "", address = source] = /^(.* )?([^ ]*)$/.exec(source) ?? [];
  if (!address.includes(":") || address.includes(".")) return source;
  const [head = "", tail = ""] = address.split("::");
  const [before, after] = [head.split(":"), tail.split(":")] as const;
  // Eight groups; `::` stands for those that are 0.
  const groups = [0, 1, 2, 3].map((at) => before[at] || after[at - 8 + after.length] || "0");
  const network = groups.map((group) => group.replace(/^0+(?=.)/, "").toLowerCase());
  return `${name}${network.join(":")}::/64`;
}
