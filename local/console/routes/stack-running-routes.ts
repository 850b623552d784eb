import * as z from "zod/mini";
import type { StackClock } from "../../stack/clock/stack-clock.ts";
import { SnapshotError } from "../../stack/snapshots/snapshot-error.ts";
import type { ClockAnswer, MovedAnswer, ShownTimer, SnapshotsAnswer, TimersAnswer } from "../api/stack.ts";
import type { ConsoleContext } from "../console-context.ts";
import { listTimers } from "../list-timers.ts";
import { must, readInput, WrongInputError } from "../read-input.ts";

const longestMs = 366 * 24 * 3_600_000;

const moveSchema = z.union([
  z.strictObject({ byMs: z.int().check(z.gte(0)) }),
  z.strictObject({ toMs: z.int().check(z.gte(0)) }),
  z.strictObject({ toNext: z.literal(true) }),
]);
const runSchema = z.strictObject({ isFrozen: z.boolean() });

/** `POST` moves it, and answers after all consequences; `PUT` stops it or lets it run. */
export function addStackClockRoutes({ on, localStack }: ConsoleContext): void {
  const path = "/api/stack/clock";
  const { clock } = localStack;
  const show = (): ClockAnswer => ({
    nowMs: clock.now(),
    machineMs: Date.now(),
    isFrozen: clock.setting.frozenAtMs !== undefined && !clock.isMoving,
    nextAtMs: clock.nextAtMs(),
  });
  on.get(path, show);
  on.post(path, async (context) => {
    const asked = await readInput(context, moveSchema);
    const { signal } = context.req.raw;
    const { nowMs, ...moved } = await clock.moveTo(() => targetOf(asked, clock), { signal });
    const isLeft = ({ kind, dueMs }: ShownTimer) =>
      dueMs <= nowMs + moved.leftMs && (kind !== "schedule" || localStack.cloud.scheduled.isOn);
    const leftItems = moved.isDone ? 0 : listTimers(localStack).filter(isLeft).length;
    return { clock: show(), ...moved, leftItems } satisfies MovedAnswer;
  });
  on.put(path, async (context) => {
    const { isFrozen } = await readInput(context, runSchema);
    if (isFrozen) clock.freeze();
    else clock.unfreeze();
    return show();
  });
}

/** Runs between moves: two concurrent moves by a period add up. */
function targetOf(asked: z.infer<typeof moveSchema>, clock: StackClock) {
  const nowMs = clock.now();
  if ("toNext" in asked)
    return Math.max(must(clock.nextAtMs(), "Nothing is waiting for a time.", 409), nowMs);
  const toMs = "byMs" in asked ? nowMs + asked.byMs : asked.toMs;
  if (toMs < nowMs)
    throw new WrongInputError("The clock can only be moved forward, but this time is in the past.", 409);
  if (toMs - nowMs > longestMs)
    throw new WrongInputError("The clock can be moved forward by a year at most.");
  return toMs;
}

const mostShown = 200;
const fireSchema = z.strictObject({ id: z.string() });
const schedulesSchema = z.strictObject({ run: z.boolean() });

export function addStackTimersRoutes({ on, localStack }: ConsoleContext): void {
  const path = "/api/stack/timers";
  const { scheduled } = localStack.cloud;
  const show = (): TimersAnswer => {
    const all = listTimers(localStack);
    const timers = all.slice(0, mostShown).map(({ fire: _, ...shown }) => shown);
    const nowMs = localStack.platform.clock.now();
    return { nowMs, schedulesRun: scheduled.isOn, timers, total: all.length };
  };
  on.get(path, show);
  on.post(`${path}/fire`, async (context) => {
    const { id } = await readInput(context, fireSchema);
    const timer = listTimers(localStack).find((one) => one.id === id);
    if (timer !== undefined && timer.fire() !== false) return show();
    throw new WrongInputError("It is no longer waiting: it is done or in progress.", 404);
  });
  on.put(`${path}/schedules`, async (context) => {
    const { run } = await readInput(context, schedulesSchema);
    if (run && !scheduled.isOn) scheduled.restart();
    scheduled.isOn = run;
    return show();
  });
}

const saveSchema = z.strictObject({ name: z.string(), replaces: z._default(z.boolean(), false) });
const restoreSchema = z.strictObject({ name: z.string() });

export function addStackSnapshotsRoutes({ on, localStack: { snapshots } }: ConsoleContext): void {
  const path = "/api/stack/snapshots";
  const show = (): SnapshotsAnswer => ({ snapshots: snapshots.list(), areKept: snapshots.areKept });
  const act = async (work: () => unknown): Promise<SnapshotsAnswer> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error;
      const statuses = { badName: 400, missing: 404, taken: 409, outdated: 409, unreadable: 409 } as const;
      throw new WrongInputError(error.message, statuses[error.code]);
    }
    return show();
  };
  on.get(path, show);
  on.post(path, async (context) => {
    const { name, replaces } = await readInput(context, saveSchema);
    return await act(() => snapshots.save(name, { replaces }));
  });
  on.post(`${path}/restore`, async (context) => {
    const { name } = await readInput(context, restoreSchema);
    return await act(() => snapshots.restore(name));
  });
  on.delete(`${path}/:name`, async (context) => await act(() => snapshots.remove(context.req.param("name"))));
}
