const day = { day: "numeric", month: "short", year: "numeric" } as const;
const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
// Creating one takes longer than formatting a hundred times.
const formats = {
  day: new Intl.DateTimeFormat(undefined, day),
  time: new Intl.DateTimeFormat(undefined, time),
  moment: new Intl.DateTimeFormat(undefined, { ...day, ...time }),
  exact: new Intl.DateTimeFormat(undefined, { ...time, fractionalSecondDigits: 3 }),
};

/** `ms` since 1970. `27 Nov 2026`, `09:05:00`, both, or the time with its milliseconds. */
export function sayTime(ms: number, format: keyof typeof formats): string {
  return formats[format].format(ms);
}

interface TimeProps {
  /** Since 1970. */
  readonly ms: number;
  readonly format?: keyof typeof formats;
}

export function Time({ ms, format = "time" }: TimeProps) {
  const date = new Date(ms).toISOString();
  return (
    <time class="time" dateTime={date} title={date}>
      {sayTime(ms, format)}
    </time>
  );
}

/** `12 ms`, `3.4 s`, `5 min` */
export function spanOf(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

/** `in 3.4 s`, `now` */
export function toIn(atMs: number, nowMs: number): string {
  return atMs <= nowMs ? "now" : `in ${spanOf(atMs - nowMs)}`;
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** `2 days 3 hours`, `40 seconds`; ignores the sign. */
export function inWords(ms: number): string {
  let left = Math.round(Math.abs(ms) / 1_000) * 1_000;
  const words: string[] = [];
  for (const [unit, unitMs] of units) {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
    if (words.length === 2 || (words.length === 1 && count === 0)) break;
  }
  return words.join(" ") || "a moment";
}

/** Both in milliseconds since 1970. */
export function isSameDay(one: number, other: number): boolean {
  return Math.abs(one - other) < 86_400_000 && new Date(one).getDate() === new Date(other).getDate();
}
