import { sayTime } from "../../parts/time.tsx";
import { useNow } from "../../parts/world-clock.tsx";

/** `seconds` since 1970. */
export function Clock({ seconds }: { seconds: number }) {
  return <Written ms={seconds * 1_000} format="time" />;
}

export function Moment({ seconds }: { seconds: number }) {
  const now = useNow();
  const isToday = isSameDay(seconds, now() / 1_000);
  return <Written ms={seconds * 1_000} format={isToday ? "time" : "day"} />;
}

export function sayDay(seconds: number): string {
  return sayTime(seconds * 1_000, "day");
}

export function isSameDay(one: number, other: number): boolean {
  if (Math.abs(one - other) >= 86_400) return false;
  return new Date(one * 1_000).getDate() === new Date(other * 1_000).getDate();
}

function Written({ ms, format }: { ms: number; format: "time" | "day" }) {
  return (
    <time class="time soft small" dateTime={new Date(ms).toISOString()} title={sayTime(ms, "moment")}>
      {sayTime(ms, format)}
    </time>
  );
}
