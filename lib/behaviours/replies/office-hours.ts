import type { OfficeHours } from "./reply-rules.ts";

/** `from` inclusive, `to` exclusive. */
export function isWithinOfficeHours(moment: Date, { timeZone, days, from, to }: OfficeHours): boolean {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const day = parts.get("weekday")?.toLowerCase();
  const time = `${parts.get("hour")}:${parts.get("minute")}`;
  return days.some((officeDay) => officeDay === day) && from <= time && time < to;
}
