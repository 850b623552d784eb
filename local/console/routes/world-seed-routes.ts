import type { Hono } from "hono";
import * as z from "zod/mini";
import { countContents } from "../../platform/store/metrics.ts";
import type { SeedAnswer } from "../api/world-seed.ts";
import { appOf } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { createLoadMaker } from "../load/load-maker.ts";
import { readInput, WrongInputError } from "../read-input.ts";

const loadSchema = z.object({
  users: z.int().check(z.minimum(1), z.maximum(10_000)),
  messages: z.int().check(z.minimum(0), z.maximum(1_000_000)),
});

/** An app's contents, `POST /api/world/reset`, and the load. */
export function addWorldSeedRoutes(app: Hono, { world }: ConsoleContext): void {
  const maker = createLoadMaker(world);
  const { db } = world.platform.services;
  const path = "/api/world/seed/:appId";
  app.get(path, (context) => {
    const { appId } = appOf(world, context.req.param("appId"));
    return context.json<SeedAnswer>({ contents: countContents({ db, appId }), load: maker.state() });
  });
  app.post(`${path}/load`, async (context) => {
    const found = appOf(world, context.req.param("appId"));
    const wanted = await readInput(context, loadSchema);
    if (maker.state().isRunning)
      throw new WrongInputError("A load is already running. Wait for it, or stop it.", 409);
    maker.start(found, wanted);
    return context.json(maker.state());
  });
  app.delete(`${path}/load`, (context) => {
    maker.stop("Stopped.");
    return context.json(maker.state());
  });
  app.post("/api/world/reset", async (context) => {
    maker.stop("The local stack is being reset.");
    await world.reset({ endsFunctions: true });
    return context.json({ success: true });
  });
}
