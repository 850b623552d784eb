import timers from "node:timers/promises";
import { createMentions } from "../../../lib/operate/personal-data/personal-store.ts";
import type { Person } from "../../../lib/operate/personal-data/table-stores.ts";
import type { ConsoleContext } from "../console-context.ts";
import { consoleHistory } from "../people/console-history.ts";
import { findInSnapshot } from "../people/find-in-snapshot.ts";

const settleMs = 5_000;

/** For `people export` and `people erase`: what only the local stack keeps about a person. */
export function addPeopleRoutes(parts: ConsoleContext): void {
  const { on, world } = parts;
  const path = "/api/people/:app/:uid" as const;
  const snapshotsWith = async (person: Person) => {
    const found = world.snapshots.list().map(async ({ name: id, fits }) => {
      // Nothing can search or restore one of another version.
      if (!fits) return { id, content: ["saved by another version, not searched"] };
      return { id, content: await findInSnapshot(world.snapshots.read(id), person, world.cloud) };
    });
    return (await Promise.all(found)).filter(({ content }) => content.length > 0);
  };

  on.get(`${path}/snapshots`, async (context) => ({
    items: await snapshotsWith(personOf(context.req.param())),
  }));
  on.delete(`${path}/snapshots`, async (context) => {
    for (const { id } of await snapshotsWith(personOf(context.req.param()))) world.snapshots.remove(id);
    return { items: [] };
  });
  on.get(`${path}/console`, (context) => ({
    items: consoleHistory(parts, personOf(context.req.param())).find(),
  }));
  on.delete(`${path}/console`, async (context) => {
    // The functions handle what the platform reports of deletions.
    await Promise.race([world.platform.idle(), timers.setTimeout(settleMs)]);
    await world.cloud.settled({ timeoutMs: settleMs });
    consoleHistory(parts, personOf(context.req.param())).erase();
    return { items: [] };
  });
}

function personOf({ app: appId, uid }: { readonly app: string; readonly uid: string }): Person {
  return { appId, uid, mentions: createMentions(uid) };
}
