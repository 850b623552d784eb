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
  const date = new Date(ms);
  const text = withDate
    ? date.toLocaleString()
    : date.toLocaleTimeString(undefined, {
        hour12: false,
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
        ...(withMs && { fractionalSecondDigits: 3 }),
      });
  return (
    <time class="time" dateTime={date.toISOString()} title={date.toISOString()}>
      {text}
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
