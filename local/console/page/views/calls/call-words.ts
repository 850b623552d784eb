import type { CallRow } from "../../../api/calls.ts";
import type { Tone } from "../../parts/badge.tsx";

export function endOf({ status, fault }: Pick<CallRow, "status" | "fault">): { word: string; tone: Tone } {
  if (status === 0) return { word: fault ?? "no answer", tone: "bad" };
  if (status >= 500) return { word: String(status), tone: "bad" };
  if (status >= 400) return { word: String(status), tone: "waiting" };
  return { word: String(status), tone: fault === undefined ? "good" : "waiting" };
}

export const callerWords = {
  function: "function",
  console: "console",
  other: "other",
  platform: "platform",
} as const;
