import type { Hono } from "hono";
import * as z from "zod/mini";
import { SnapshotError } from "../../stack/snapshots/snapshot-error.ts";
import type { SnapshotsAnswer } from "../api/world-snapshots.ts";
import type { ConsoleContext } from "../console-context.ts";
import { readInput, WrongInputError } from "../read-input.ts";

const saveSchema = z.strictObject({ name: z.string(), replaces: z._default(z.boolean(), false) });
const restoreSchema = z.strictObject({ name: z.string() });

export function addWorldSnapshotsRoutes(app: Hono, { world }: ConsoleContext): void {
  const path = "/api/world/snapshots";
  const show = (): SnapshotsAnswer => ({
    snapshots: world.snapshots.list(),
    areKept: world.snapshots.areKept,
  });
  app.get(path, (context) => context.json(show()));
  app.post(path, async (context) => {
    const { name, replaces } = await readInput(context, saveSchema);
    await told(() => world.snapshots.save(name, { replaces }));
    return context.json(show());
  });
  app.post(`${path}/restore`, async (context) => {
    const { name } = await readInput(context, restoreSchema);
    await told(() => world.snapshots.restore(name));
    return context.json(show());
  });
  app.delete(`${path}/:name`, async (context) => {
    await told(async () => world.snapshots.remove(context.req.param("name")));
    return context.json(show());
  });
}

/** @throws WrongInputError for refusals of snapshots */
async function told(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const statuses = { badName: 400, missing: 404, taken: 409, outdated: 409, unreadable: 409 } as const;
    throw new WrongInputError(error.message, statuses[error.code]);
  }
}
