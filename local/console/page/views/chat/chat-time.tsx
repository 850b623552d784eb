import { useNow } from "../../parts/world-clock.tsx";

// Creating one takes longer than formatting a hundred times.
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const shortDay = new Intl.DateTimeFormat(undefined, { day: "2-digit", month: "short" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** `seconds` since 1970. */
export function Clock({ seconds }: { seconds: number }) {
  return <Written seconds={seconds} format={clock} />;
}

export function Moment({ seconds }: { seconds: number }) {
  const now = useNow();
  const isToday = isSameDay(seconds, now() / 1_000);
  return <Written seconds={seconds} format={isToday ? clock : shortDay} />;
}

export function sayDay(seconds: number): string {
  return day.format(seconds * 1_000);
}

export function isSameDay(one: number, other: number): boolean {
  if (Math.abs(one - other) >= 86_400) return false;
  return new Date(one * 1_000).getDate() === new Date(other * 1_000).getDate();
}

function Written({ seconds, format }: { seconds: number; format: Intl.DateTimeFormat }) {
  const date = new Date(seconds * 1_000);
  return (
    <time class="chat-clock" dateTime={date.toISOString()} title={whole.format(date)}>
      {format.format(date)}
    </time>
  );
}
