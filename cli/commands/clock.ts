import * as z from "zod/mini";
import { countOf } from "../../lib/base/count-of.ts";
import { CliError, notThere, refused, wrongUse } from "../cli-error.ts";
import { defineCommand, durationMs, type OptionSpec } from "../command.ts";

const clockSchema = z.object({ nowMs: z.number(), machineMs: z.number(), isFrozen: z.boolean() });
const movedSchema = z.object({
  clock: clockSchema,
  isDone: z.boolean(),
  leftMs: z.number(),
  leftItems: z.number(),
});
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
  isLocal: true,
  run: async ({ target: { consoleUrl }, args: { by }, out, edges: { signal } }) => {
    if (consoleUrl === undefined)
      throw notThere("NO_CONSOLE", "This local stack has no console that moves its clock.");
    const show = async (given?: AbortSignal) =>
      clockSchema.parse(await askClock(consoleUrl, undefined, given));
    const start = await show(signal);
    const move = async (byMs: number) => {
      try {
        return movedSchema.parse(await askClock(consoleUrl, byMs, signal));
      } catch (error) {
        if (!signal.aborted) throw error;
        throw interruptedAt(await show(), start.nowMs + (by ?? 0));
      }
    };
    let moved = by === undefined ? { clock: start, isDone: true, leftMs: 0, leftItems: 0 } : await move(by);
    // A request ends within a minute.
    for (let lastMs = by ?? 0; moved.leftMs > 0 && moved.leftMs < lastMs; moved = await move(lastMs)) {
      lastMs = moved.leftMs;
      out.progress(
        `${timeOf(moved.clock)}, ${countOf(moved.leftItems, "item waits", "items wait")} on the way`,
      );
    }
    const { clock, ...rest } = moved;
    return { now: timeOf(clock), aheadMs: clock.nowMs - clock.machineMs, isFrozen: clock.isFrozen, ...rest };
  },
  print: ({ now, aheadMs, isFrozen, isDone, leftMs, leftItems }, out) => {
    const minutes = Math.round(aheadMs / 60_000);
    const [hours, rest] = [Math.trunc(minutes / 60), minutes % 60];
    const parts = [hours !== 0 && `${hours} h`, rest !== 0 && `${rest} min`].filter(Boolean);
    const ahead = minutes === 0 ? "the machine's time" : `${parts.join(" ")} ahead of the machine`;
    out.line(`${now}  ${ahead}${isFrozen ? ", stopped" : ""}`);
    if (isDone) return;
    const seconds = Math.ceil(leftMs / 1_000);
    const left = countOf(leftItems, "item that waits", "items that wait");
    out.line(`Too much fell due: the time stopped ${seconds} s before the end of the move, with ${left}.`);
    out.line(`Go on: npx cometchat-functions clock +${seconds}s`);
  },
  exitCode: ({ isDone }) => (isDone ? "done" : "partlyDone"),
});

type Clock = z.infer<typeof clockSchema>;

function interruptedAt(clock: Clock, targetMs: number) {
  const seconds = Math.ceil((targetMs - clock.nowMs) / 1_000);
  const goOn = seconds > 0 ? `Go on: npx cometchat-functions clock +${seconds}s` : undefined;
  return new CliError(
    "interrupted",
    "INTERRUPTED",
    `Interrupted. The clock stands at ${timeOf(clock)}.`,
    goOn,
  );
}

async function askClock(consoleUrl: string, byMs: number | undefined, signal: AbortSignal | undefined) {
  const response = await fetch(`${consoleUrl}/api/stack/clock`, {
    ...(signal && { signal }),
    ...(byMs !== undefined && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ byMs }),
    }),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const message = refusalSchema.safeParse(answer).data?.error.message ?? `It answered ${response.status}.`;
  throw refused("CLOCK_NOT_MOVED", `The clock was not moved: ${message}`);
}

function timeOf({ nowMs }: Clock) {
  return new Date(nowMs).toISOString();
}
