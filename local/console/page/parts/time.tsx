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

/** `12 ms`, `3.4 s`, `5 min`, `26 h`, `3 days`; ignores the sign. */
export function spanOf(signedMs: number): string {
  const ms = Math.abs(signedMs);
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 5_970_000) return `${Math.round(ms / 60_000)} min`;
  return ms < 171_000_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} days`;
}

/** `in 3.4 s`, `now` */
export function toIn(atMs: number, nowMs: number): string {
  return atMs <= nowMs ? "now" : `in ${spanOf(atMs - nowMs)}`;
}

/** Both in milliseconds since 1970. */
export function isSameDay(one: number, other: number): boolean {
  return Math.abs(one - other) < 86_400_000 && new Date(one).getDate() === new Date(other).getDate();
}
