import type { Hono } from "hono";
import * as z from "zod/mini";
import type { TimersAnswer } from "../api/world-timers.ts";
import type { ConsoleContext } from "../console-context.ts";
import { readInput, WrongInputError } from "../read-input.ts";
import { listTimers } from "../world/list-timers.ts";

const mostShown = 200;
const fireSchema = z.strictObject({ id: z.string() });
const schedulesSchema = z.strictObject({ run: z.boolean() });

/** `/api/world/timers`: what waits for a time, `fire`, and whether schedules run by themselves. */
export function addWorldTimersRoutes(app: Hono, { world }: ConsoleContext): void {
  const path = "/api/world/timers";
  const show = (): TimersAnswer => {
    const all = listTimers(world);
    return {
      nowMs: world.platform.clock.now(),
      schedulesRun: world.cloud.scheduled.isOn,
      timers: all.slice(0, mostShown).map(({ fire: _fire, ...shown }) => shown),
      total: all.length,
    };
  };
  app.get(path, (context) => context.json(show()));
  app.post(`${path}/fire`, async (context) => {
    const { id } = await readInput(context, fireSchema);
    const timer = listTimers(world).find((one) => one.id === id);
    if (timer?.fire() !== true)
      throw new WrongInputError("It is no longer waiting: it is done or in progress.", 404);
    return context.json(show());
  });
  app.put(`${path}/schedules`, async (context) => {
    const { run } = await readInput(context, schedulesSchema);
    if (run && !world.cloud.scheduled.isOn) world.cloud.scheduled.startAnew();
    world.cloud.scheduled.isOn = run;
    return context.json(show());
  });
}
