import type { Hono } from "hono";
import * as z from "zod/mini";
import type { WorldClock } from "../../stack/clock/world-clock.ts";
import type { ClockAnswer, MovedAnswer } from "../api/world-clock.ts";
import type { ConsoleContext } from "../console-context.ts";
import { readInput, WrongInputError } from "../read-input.ts";

/** A year: longer than every wait. */
const longestMs = 366 * 24 * 3_600_000;

const moveSchema = z.union([
  z.strictObject({ byMs: z.int().check(z.gte(0), z.lte(longestMs)) }),
  z.strictObject({ toMs: z.int().check(z.gte(0)) }),
  z.strictObject({ toNext: z.literal(true) }),
]);
const runSchema = z.strictObject({ isFrozen: z.boolean() });

/**
 * `/api/world/clock`: `GET`; `POST` moves it by a period, to a time or to the next waiting item, and answers
 * after all consequences; `PUT` stops it or lets it run.
 */
export function addWorldClockRoutes(app: Hono, { world }: ConsoleContext): void {
  const path = "/api/world/clock";
  const show = (): ClockAnswer => ({
    canMove: world.clock !== undefined,
    nowMs: world.platform.clock.now(),
    machineMs: Date.now(),
    isFrozen: world.clock?.setting.frozenAtMs !== undefined && !world.clock.isMoving,
    isMoving: world.clock?.isMoving ?? false,
    nextAtMs: world.clock?.nextAtMs(),
  });
  app.get(path, (context) => context.json(show()));
  app.post(path, async (context) => {
    const clock = clockOf(world);
    const asked = await readInput(context, moveSchema);
    const { isDone, steps } = await clock.moveTo(() => targetOf(asked, clock));
    return context.json({ clock: show(), isDone, steps } satisfies MovedAnswer);
  });
  app.put(path, async (context) => {
    const clock = clockOf(world);
    const { isFrozen } = await readInput(context, runSchema);
    if (isFrozen) clock.freeze();
    else clock.letGo();
    return context.json(show());
  });
}

function clockOf({ clock }: ConsoleContext["world"]): WorldClock {
  if (clock !== undefined) return clock;
  throw new WrongInputError("This local stack was started with a clock that only its owner can move.", 409);
}

/** Must run between moves, so that two concurrent moves by a period add up. */
function targetOf(asked: z.infer<typeof moveSchema>, clock: WorldClock): number {
  if ("toMs" in asked) {
    if (asked.toMs < clock.now())
      throw new WrongInputError("The clock can only be moved forward, but this time is in the past.", 409);
    if (asked.toMs - clock.now() > longestMs)
      throw new WrongInputError("The clock can be moved forward by a year at most.");
    return asked.toMs;
  }
  if ("byMs" in asked) return clock.now() + asked.byMs;
  const nextMs = clock.nextAtMs();
  if (nextMs === undefined) throw new WrongInputError("Nothing is waiting for a time.", 409);
  return Math.max(nextMs, clock.now());
}
