import type { Hono } from "hono";
import * as z from "zod/mini";
import { countContents } from "../../platform/store/metrics.ts";
import type { SeedAnswer } from "../api/world-seed.ts";
import { appOf } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { createLoadMaker } from "../load/load-maker.ts";

const maxUsers = 10_000;
const maxMessages = 1_000_000;

const loadSchema = z.object({
  users: z.int().check(z.minimum(1), z.maximum(maxUsers)),
  messages: z.int().check(z.minimum(0), z.maximum(maxMessages)),
});

/** An app's contents, `POST /api/world/reset`, and the load. */
export function addWorldSeedRoutes(app: Hono, { world }: ConsoleContext): void {
  const maker = createLoadMaker(world);
  const { db } = world.platform.services;
  const path = "/api/world/seed/:appId";
  app.get(path, (context) => {
    const { appId } = appOf(world, context.req.param("appId"));
    const answer: SeedAnswer = { contents: countContents({ db, appId }), load: maker.state() };
    return context.json(answer);
  });
  app.post(`${path}/load`, async (context) => {
    const found = appOf(world, context.req.param("appId"));
    const wanted = loadSchema.safeParse(await context.req.json().catch(() => undefined));
    if (!wanted.success) {
      return context.json(
        toError(`A load needs users (1 to ${maxUsers}) and messages (0 to ${maxMessages}).`),
        400,
      );
    }
    if (maker.state().isRunning)
      return context.json(toError("A load is already running. Wait for it, or stop it."), 409);
    maker.start(found, wanted.data);
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

function toError(message: string): { error: { message: string } } {
  return { error: { message } };
}
