type Version = readonly [major: number, minor: number, patch: number];

/**
 * Accepts `1.2.3`, `^1.2.3`, `~1.2.3`, `>=1.2.3`, `*`, or one after a name (`npm:name@^1.2.3`). A pre-release
 * counts as its release.
 * @see https://docs.npmjs.com/cli/v11/using-npm/semver
 */
export function satisfies(version: string, range: string): boolean {
  const [, sign = "", wanted = ""] = /^(?:npm:.+@)?(\^|~|>=)?(\d+\.\d+\.\d+\S*)$/.exec(range) ?? [];
  if (wanted === "") return range.endsWith("*");
  const [is, least] = [read(version), read(wanted)];
  if (compare(is, least) < 0) return false;
  if (sign === ">=") return true;
  if (sign === "") return compare(is, least) === 0;
  // ^0.x.y fixes the minor number.
  const kept = sign === "~" ? 2 : Math.min(3, least.findIndex((part) => part > 0) + 1 || 3);
  return least.slice(0, kept).every((part, index) => is[index] === part);
}

export function isOlder(version: string, than: string): boolean {
  return compare(read(version), read(than)) < 0;
}

function read(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split(/[.+-]/, 3).map(Number);
  return [major, minor, patch];
}

function compare(one: Version, other: Version) {
  const index = one.findIndex((part, at) => part !== other[at]);
  return index === -1 ? 0 : Math.sign((one[index] ?? 0) - (other[index] ?? 0));
}
