export function timesOf(count: number): string {
  return count === 1
    ? "occurred once"
    : count === 0
      ? "never occurred"
      : `occurred ${count.toLocaleString()} times`;
}
