import { type Bump, bumps } from "./read-changes.ts";

/**
 * While the first number is 0, a breaking change raises the second, because `^0.2.0` excludes 0.3.0.
 * @throws Error if the version is not three numbers, or there is no bump
 * @see https://semver.org/spec/v2.0.0.html#spec-item-4
 */
export function nextVersion(version: string, asked: readonly Bump[]): string {
  const [, major, minor, patch] = (/^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []).map(Number);
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new Error(`The version ${version} is not three numbers with dots between them.`);
  }
  const largest = bumps.findLast((bump) => asked.includes(bump));
  if (largest === undefined)
    throw new Error("Nothing changed since the last release: changes/ holds no file.");
  if (largest === "major" && major > 0) return `${major + 1}.0.0`;
  return largest === "patch" ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
}
