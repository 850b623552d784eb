import type { ComponentChildren } from "preact";
import type { JourneyVerdict, Judgement } from "../../api/journeys.ts";
import { AskError, messageOf } from "./ask.ts";

export type Tone = "good" | "bad" | "waiting" | "quiet" | "plain";

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge is-${tone}`}>{children}</span>;
}

/** Most urgent first. */
export const verdicts: Readonly<Record<JourneyVerdict, { readonly word: string; readonly tone: Tone }>> = {
  failed: { word: "failed", tone: "bad" },
  waiting: { word: "waiting", tone: "waiting" },
  running: { word: "running", tone: "plain" },
  done: { word: "done", tone: "good" },
  nothing: { word: "nothing to do", tone: "quiet" },
  unknown: { word: "not known", tone: "quiet" },
};

export function VerdictBadge({ of: { verdict, title } }: { of: Omit<Judgement, "why"> }) {
  return <Badge tone={verdicts[verdict].tone}>{title}</Badge>;
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  );
}

/** Shows an error or message; nothing if undefined. */
export function Trouble({ error, children }: { error: unknown; children?: ComponentChildren }) {
  if (error === undefined) return null;
  const { code, details } = error instanceof AskError ? error : { code: undefined, details: [] };
  return (
    <div class="trouble" role="alert">
      <p>
        {code && <code>{code}</code>} {messageOf(error)}
      </p>
      {details.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {children}
    </div>
  );
}

/** Shows names and values; omits missing ones. */
export function Facts({ of }: { of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(of).map(
        ([name, value]) =>
          Boolean(value) && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Shows words between backticks as code. */
export function WithCode({ text }: { text: string }) {
  return (
    <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
  );
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** `12 B`, `3 kB`, `4.5 MB` */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Draws `path` on a square of 20. */
export function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" />
    </svg>
  );
}

const day = { day: "numeric", month: "short", year: "numeric" } as const;
const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
// Creating one takes longer than formatting a hundred times.
const formats = {
  day: new Intl.DateTimeFormat(undefined, day),
  time: new Intl.DateTimeFormat(undefined, time),
  moment: new Intl.DateTimeFormat(undefined, { ...day, ...time }),
  exact: new Intl.DateTimeFormat(undefined, { ...time, fractionalSecondDigits: 3 }),
};

/** Formats `27 Nov 2026`, `09:05:00`, both, or the time with its milliseconds. */
export function formatTime(ms: number, format: keyof typeof formats): string {
  return formats[format].format(ms);
}

interface TimeProps {
  readonly ms: number;
  readonly format?: keyof typeof formats;
}

export function Time({ ms, format = "time" }: TimeProps) {
  const date = new Date(ms).toISOString();
  return (
    <time class="time" dateTime={date} title={date}>
      {formatTime(ms, format)}
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

export function isSameDay(one: number, other: number): boolean {
  return Math.abs(one - other) < 86_400_000 && new Date(one).getDate() === new Date(other).getDate();
}
