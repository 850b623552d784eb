import type { PickedMessages } from "../../../api/queues.ts";

/** More ids would make the command unreadable. */
const mostIds = 20;

/** @returns undefined if it would be too long */
export function commandOf(
  queue: string,
  act: "replay" | "drop",
  { picked, count }: { readonly picked: PickedMessages; readonly count: number },
): string | undefined {
  const { ids = [], app, trigger, cause, text } = picked;
  if (ids.length > mostIds) return undefined;
  const words = [
    ...ids.flatMap((id) => ["--id", id]),
    ...(app === undefined ? [] : ["--app", quote(app)]),
    ...(trigger === undefined ? [] : ["--trigger", quote(trigger)]),
    ...(cause === undefined ? [] : ["--cause", quote(cause)]),
    ...(text === undefined ? [] : ["--text", quote(text)]),
  ];
  if (act === "drop" && words.length === 0) words.push("--all");
  if (act === "drop" && count > 100) words.push("--expect", String(count));
  return ["npx cometchat-functions", queue, act, "--stage <stage>", ...words].join(" ");
}

function quote(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
