export function timesOf(count: number): string {
  return count === 1
    ? "struck once"
    : count === 0
      ? "never struck"
      : `struck ${count.toLocaleString()} times`;
}
