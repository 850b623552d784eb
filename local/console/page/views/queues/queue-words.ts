import type { PickedMessages, QueueRow } from "../../../api/queues.ts";
import { spanOf } from "../../parts/time.tsx";

/** `in 12 s`; `now` for what is over (pure). */
export function toIn(atMs: number, nowMs: number): string {
  return atMs <= nowMs ? "now" : `in ${spanOf(atMs - nowMs)}`;
}

/** What a message waits for (pure). */
export function stateOf(
  { state, visibleAtMs }: Pick<QueueRow, "state" | "visibleAtMs">,
  nowMs: number,
): string {
  if (state === "visible" || visibleAtMs === undefined) return "waiting";
  const until = visibleAtMs <= nowMs ? "" : `, ${spanOf(visibleAtMs - nowMs)} at most`;
  return state === "inFlight" ? `in hand${until}` : `put off, ${toIn(visibleAtMs, nowMs)}`;
}

/** More ids than these make a command that nobody reads. */
const mostIds = 20;

/** Writes the command that does the same on a stage; undefined where it would be too long (pure). */
export function commandOf(
  queue: string,
  act: "replay" | "drop",
  { picked, count }: { readonly picked: PickedMessages; readonly count: number },
): string | undefined {
  const { ids = [], app, trigger, text } = picked;
  if (ids.length > mostIds) return undefined;
  const words = [
    ...ids.flatMap((id) => ["--id", id]),
    ...(app === undefined ? [] : ["--app", quote(app)]),
    ...(trigger === undefined ? [] : ["--trigger", quote(trigger)]),
    ...(text === undefined ? [] : ["--text", quote(text)]),
  ];
  if (act === "drop" && words.length === 0) words.push("--all");
  if (act === "drop" && count > 100) words.push("--expect", String(count));
  return ["npx cometchat-functions", queue, act, "--stage <stage>", ...words].join(" ");
}

function quote(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
