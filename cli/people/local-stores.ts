import * as z from "zod/mini";
import { lazy } from "../../lib/base/lazy.ts";
import type { PersonalStore } from "../../lib/operate/personal-data/personal-store.ts";
import type { Person } from "../../lib/operate/personal-data/table-stores.ts";

const answerSchema = z.object({ items: z.array(z.object({ id: z.string(), content: z.unknown() })) });

export const snapshotsName = "local snapshots";

/**
 * Returns what only a local stack keeps: its snapshots, each of which is removed whole, and what its console
 * shows.
 */
export function localStores(
  { appId, uid }: Person,
  consoleUrl: string,
  signal: AbortSignal,
): readonly PersonalStore[] {
  const storeAt = (name: string, path: string): PersonalStore => {
    const ask = async (method: string) => {
      // Minutes may pass between the requests, and the console closes idle connections.
      const headers = { connection: "close" };
      const url = `${consoleUrl}/api/people/${appId}/${uid}/${path}`;
      const response = await fetch(url, { method, headers, signal });
      if (!response.ok) throw new Error(`The console of the local stack answered ${response.status}.`);
      return answerSchema.parse(await response.json()).items;
    };
    const find = async function* () {
      const erase = lazy(() => ask("DELETE"));
      for (const item of await ask("GET")) yield { ...item, erase };
    };
    return { name, find };
  };
  return [storeAt(snapshotsName, "snapshots"), storeAt("local console", "console")];
}
