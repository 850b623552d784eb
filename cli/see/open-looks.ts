import { pause } from "../../lib/base/pause.ts";
import type { Unknown } from "../../lib/operate/doctor/finding.ts";
import { lookWithin } from "../../lib/operate/doctor/run-checks.ts";
import type { Status } from "./status.ts";

export type Look = ReturnType<typeof openLooks>["look"];

/** Of all looks together. Each step begins with its predecessor's findings, and has its own share. */
export const mostMs = 45_000;
const endsMs = { functions: 10_000, deployment: 20_000, apps: 32_000, again: mostMs };

/** Reads the parts of a result: one that fails, or does not answer, is named and hides no other. */
export function openLooks({ sleep = pause, now = Date.now } = {}) {
  const startedAt = now();
  const unseen = new Map<string, Status["notLookedAt"][number]>();
  const name = (what: string, { says, because }: Pick<Unknown, "says" | "because">) =>
    unseen.set(`${what} ${says}`, { what, why: says, because });
  const leftMs = (step: keyof typeof endsMs) => Math.max(0, startedAt + endsMs[step] - now());
  return {
    name,
    leftMs,
    /** @param without the result if it cannot be read */
    look: async <Result, Without>(
      step: keyof typeof endsMs,
      what: string,
      read: () => Promise<Result>,
      without: Without,
    ): Promise<Result | Without> => {
      const looked = await lookWithin(async () => ({ found: await read() }), leftMs(step), sleep);
      if ("found" in looked) return looked.found;
      name(what, looked);
      return without;
    },
    /** Each once. */
    unseen: () => [...unseen.values()],
  };
}
