export type NextTime = (afterMs: number) => number | undefined;

/**
 * Reads `rate(15 minutes)` or `cron(15 3 * * ? *)`, in UTC.
 * @param anchorMs creation of the rule
 * @throws Error for anything else, also for `L`, `W` and `#`
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
 */
export function readSchedule(expression: string, anchorMs: number): NextTime {
  const [, kind, inner = ""] = expression.trim().match(/^(rate|cron)\((.+)\)$/) ?? [];
  if (kind === "rate") return readRate(inner, expression, anchorMs);
  if (kind === "cron") return readCron(inner, expression);
  throw unreadable(expression);
}

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

function readRate(text: string, expression: string, anchorMs: number): NextTime {
  const [, count, unit = "", plural] = text.match(/^(\d+) (minute|hour|day)(s?)$/) ?? [];
  const everyMs = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (!(everyMs > 0) || (count === "1") === (plural === "s")) throw unreadable(expression);
  return (afterMs) => anchorMs + (Math.floor(Math.max(0, afterMs - anchorMs) / everyMs) + 1) * everyMs;
}

const lastYear = 2199;
const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const maxDays = 366 * 8;

function readCron(text: string, expression: string): NextTime {
  const fields = text.split(/\s+/);
  const [minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = "", year = ""] = fields;
  // One of the two day fields must be `?`.
  if (fields.length !== 6 || ![dayOfMonth, dayOfWeek].includes("?")) throw unreadable(expression);
  const read = (field: string, range: Range) => {
    const values = readField(field, range);
    if (values === undefined) throw unreadable(expression);
    return values;
  };
  const minutes = [...read(minute, { from: 0, to: 59 })].toSorted(ascending);
  const hours = [...read(hour, { from: 0, to: 23 })].toSorted(ascending);
  const days = read(dayOfMonth, { from: 1, to: 31 });
  const monthsOf = read(month, { from: 1, to: 12, names: months });
  const weekdaysOf = read(dayOfWeek, { from: 1, to: 7, names: weekdays });
  const years = read(year, { from: 1970, to: lastYear });
  const isDay = (day: Date) =>
    years.has(day.getUTCFullYear()) &&
    monthsOf.has(day.getUTCMonth() + 1) &&
    days.has(day.getUTCDate()) &&
    weekdaysOf.has(day.getUTCDay() + 1);
  return (afterMs) => {
    const firstDay = Math.floor(afterMs / 86_400_000) * 86_400_000;
    for (let day = 0; day < maxDays; day += 1) {
      const dayMs = firstDay + day * 86_400_000;
      if (!isDay(new Date(dayMs))) continue;
      for (const atHour of hours) {
        for (const atMinute of minutes) {
          const atMs = dayMs + atHour * 3_600_000 + atMinute * 60_000;
          if (atMs > afterMs) return atMs;
        }
      }
    }
    return undefined;
  };
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

/** `1,15`, `MON-FRI`, `0/10`, `*` or `?` */
function readField(field: string, { from, to, names = [] }: Range): Set<number> | undefined {
  const toValue = (text: string) => {
    const named = names.indexOf(text.toUpperCase());
    return named >= 0 ? named + from : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  };
  const found = new Set<number>();
  for (const part of field.split(",")) {
    const [span = "", step = "1", ...more] = part.split("/");
    const isAll = span === "*" || span === "?";
    const [low = "", high = part.includes("/") ? String(to) : low] = isAll
      ? [String(from), String(to)]
      : span.split("-");
    const [first, last, by] = [toValue(low), toValue(high), Number(step)];
    if (more.length > 0 || !(first >= from && last <= to && first <= last && by >= 1)) return undefined;
    for (let value = first; value <= last; value += by) found.add(value);
  }
  return found;
}

function ascending(one: number, other: number) {
  return one - other;
}

function unreadable(expression: string): Error {
  return new Error(
    `The schedule ${expression} cannot be read: the local stack supports rate(…) and cron(…), as EventBridge reads them, without L, W, #.`,
  );
}
