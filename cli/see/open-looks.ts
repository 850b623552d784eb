import { pause } from "../../lib/base/pause.ts";
import type { Unknown } from "../../lib/operate/doctor/finding.ts";
import { lookWithin } from "../../lib/operate/doctor/run-checks.ts";
import { lookLimits } from "../doctor/doctor-of-target.ts";
import type { Status } from "./status-schema.ts";

export type Look = ReturnType<typeof openLooks>["look"];

/** Of all looks together. */
export const mostMs = 45_000;

/** Reads the parts of a result: one that fails, or does not answer, is named and hides no other. */
export function openLooks({ sleep = pause, now = Date.now } = {}) {
  const endsAt = now() + mostMs;
  const unseen = new Map<string, Status["notLookedAt"][number]>();
  const name = (what: string, { says, because }: Pick<Unknown, "says" | "because">) =>
    unseen.set(`${what} ${says}`, { what, why: says, because });
  return {
    name,
    /**
     * @param without the result if it cannot be read
     * @param limitMs default: that of one check
     */
    look: async <Result, Without>(
      what: string,
      read: () => Promise<Result>,
      without: Without,
      limitMs = lookLimits.limitMs,
    ): Promise<Result | Without> => {
      const restMs = Math.max(0, Math.min(limitMs, endsAt - now()));
      const looked = await lookWithin(async () => ({ found: await read() }), restMs, sleep);
      if ("found" in looked) return looked.found;
      name(what, looked);
      return without;
    },
    /** Each once. */
    unseen: () => [...unseen.values()],
  };
}
