import timers from "node:timers/promises";
import type { Hono } from "hono";
import { createMentions } from "../../../lib/operate/personal-data/mentions.ts";
import type { ConsoleContext } from "../console-context.ts";
import { consoleHistory } from "../people/console-history.ts";
import { findInSnapshot } from "../people/find-in-snapshot.ts";

const settleMs = 5_000;

/** For `people export` and `people erase`: what only the local stack keeps about a person. */
export function addPeopleRoutes(app: Hono, parts: ConsoleContext): void {
  const { world } = parts;
  const snapshotsWith = async (appId: string, uid: string) => {
    const person = { appId, uid, mentions: createMentions(uid) };
    const found = world.snapshots.list().map(async ({ name, fits }) => {
      // Nothing can search or restore one of another version.
      if (!fits) return { id: name, content: ["saved by another version, not searched"] };
      return { id: name, content: await findInSnapshot(world.snapshots.read(name), person, world.cloud) };
    });
    return (await Promise.all(found)).filter(({ content }) => content.length > 0);
  };
  const historyOf = (appId: string, uid: string) =>
    consoleHistory(parts, { appId, uid, mentions: createMentions(uid) });

  app.get("/api/people/:app/:uid/snapshots", async (context) => {
    const { app: appId, uid } = context.req.param();
    return context.json({ items: await snapshotsWith(appId, uid) });
  });
  app.delete("/api/people/:app/:uid/snapshots", async (context) => {
    const { app: appId, uid } = context.req.param();
    for (const { id } of await snapshotsWith(appId, uid)) world.snapshots.remove(id);
    return context.json({ items: [] });
  });
  app.get("/api/people/:app/:uid/console", (context) => {
    const { app: appId, uid } = context.req.param();
    return context.json({ items: historyOf(appId, uid).find() });
  });
  app.delete("/api/people/:app/:uid/console", async (context) => {
    const { app: appId, uid } = context.req.param();
    // The functions handle what the platform reports of deletions.
    await Promise.race([world.platform.idle(), timers.setTimeout(settleMs)]);
    await world.cloud.settled({ timeoutMs: settleMs });
    historyOf(appId, uid).erase();
    return context.json({ items: [] });
  });
}
