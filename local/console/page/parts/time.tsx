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

/** Milliseconds since 1970. */
export function Time({
  ms,
  withDate = false,
  withMs = false,
}: {
  ms: number;
  withDate?: boolean;
  withMs?: boolean;
}) {
  const date = new Date(ms).toISOString();
  return (
    <time class="time" dateTime={date} title={date}>
      {sayTime(ms, withDate ? "moment" : withMs ? "exact" : "time")}
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
