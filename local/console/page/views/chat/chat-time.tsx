/** A time of day in hours and minutes, the whole of it on hover. `seconds` since 1970. */
export function Clock({ seconds }: { seconds: number }) {
  const date = new Date(seconds * 1_000);
  return (
    <time class="chat-clock" dateTime={date.toISOString()} title={date.toLocaleString()}>
      {date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hour12: false })}
    </time>
  );
}

/** A day as a line between messages. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1_000).toLocaleDateString(undefined, { dateStyle: "medium" });
}

/** The time of day for today, the date for what is older. */
export function Moment({ seconds }: { seconds: number }) {
  const date = new Date(seconds * 1_000);
  if (dayOf(seconds) === dayOf(Date.now() / 1_000)) return <Clock seconds={seconds} />;
  return (
    <time class="chat-clock" dateTime={date.toISOString()} title={date.toLocaleString()}>
      {date.toLocaleDateString(undefined, { day: "2-digit", month: "short" })}
    </time>
  );
}
