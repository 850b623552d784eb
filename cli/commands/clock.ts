import * as z from "zod/mini";
import { notThere, refused, wrongUse } from "../cli-error.ts";
import { defineCommand, durationMs, type OptionSpec } from "../command.ts";

const clockSchema = z.object({ nowMs: z.number(), machineMs: z.number(), isFrozen: z.boolean() });
const movedSchema = z.object({ clock: clockSchema, isDone: z.boolean() });
const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

const byArgument: OptionSpec<number | undefined> = {
  description: "how far to move it: +90s, +15m, +2h or +1d",
  isOptional: true,
  read: ([typed]) => {
    if (typed === undefined) return undefined;
    const byMs = typed.startsWith("+") ? durationMs(typed.slice(1)) : undefined;
    if (byMs !== undefined) return byMs;
    throw wrongUse(`"${typed}" cannot be a move of the clock.`, "It must be such as +90s, +15m, +2h or +1d.");
  },
};

export const command = defineCommand({
  description:
    "What falls due on the way, such as retries, flows and schedules, happens at its time and in order. The clock only moves forward. With --local only.",
  examples: `
    $ clock --local
        show the local stack's time
    $ clock +2h --local
        move it two hours forward
  `,
  arguments: { by: byArgument },
  needsStage: true,
  run: async ({ target: { consoleUrl, kind }, args: { by }, edges: { signal } }) => {
    if (consoleUrl === undefined) {
      throw kind === "local"
        ? notThere("NO_CONSOLE", "This local stack has no console that moves its clock.")
        : wrongUse("Only the local stack's clock can be moved.", "Add --local.");
    }
    const response = await fetch(`${consoleUrl}/api/stack/clock`, {
      signal,
      ...(by !== undefined && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ byMs: by }),
      }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) {
      const message =
        refusalSchema.safeParse(answer).data?.error.message ?? `It answered ${response.status}.`;
      throw refused("CLOCK_NOT_MOVED", `The clock was not moved: ${message}`);
    }
    const { clock, isDone } =
      by === undefined ? { clock: clockSchema.parse(answer), isDone: true } : movedSchema.parse(answer);
    const { nowMs, machineMs, isFrozen } = clock;
    return { now: new Date(nowMs).toISOString(), aheadMs: nowMs - machineMs, isFrozen, isDone };
  },
  print: ({ now, aheadMs, isFrozen, isDone }, out) => {
    const minutes = Math.round(aheadMs / 60_000);
    const ahead = minutes === 0 ? "the machine's time" : `${minutes} min ahead of the machine`;
    out.line(`${now}  ${ahead}${isFrozen ? ", stopped" : ""}`);
    if (!isDone) out.line("Too much fell due: the time stopped on the way. Run it again to go on.");
  },
  exitCode: ({ isDone }) => (isDone ? "done" : "partlyDone"),
});
