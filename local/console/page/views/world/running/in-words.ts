const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/**
 * `2 days 3 hours`, `40 seconds`; ignores the sign.
 * @param ms milliseconds
 */
export function inWords(ms: number): string {
  let left = Math.round(Math.abs(ms) / 1_000) * 1_000;
  const words: string[] = [];
  for (const [unit, unitMs] of units) {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
    if (words.length === 2 || (words.length === 1 && count === 0)) break;
  }
  return words.length === 0 ? "a moment" : words.join(" ");
}
