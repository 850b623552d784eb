import * as z from "zod/mini";
import { listPauses } from "../../lib/queue/pauses/pause-store.ts";
import { defineCommand } from "../command.ts";
import { countWaiting, openPauses } from "../pauses/open-pauses.ts";
import { nameWaiting, pauseSchema, toPauseResult } from "../pauses/pause-result.ts";

export const paused = defineCommand({
  name: "paused",
  summary: "list the pauses: since when, by whom and why, and what waits",
  examples: [["paused --stage prod", "of all apps"]],
  json: z.strictObject({ paused: z.array(pauseSchema) }),
  run: async ({ target, edges }) => {
    const { store, room, facts } = await openPauses(target, edges);
    const found = [];
    for (const appId of facts.appIds) {
      for (const pause of listPauses(await store.read(appId), edges.now())) {
        const waiting = await countWaiting(room, { appId, pauseId: pause.id });
        found.push(toPauseResult({ appId, target: pause.target }, pause, waiting));
      }
    }
    return { paused: found };
  },
  print: ({ paused: found }, out) => {
    if (found.length === 0) out.line("Nothing is paused.");
    for (const { app, what, since, until, by, reason, waiting } of found) {
      out.line(`${what} of app ${app}, since ${since} until ${until}`);
      out.line(`  by ${by}${reason === undefined ? "" : `: ${reason}`}`);
      if (waiting !== undefined) out.line(`  ${nameWaiting(waiting)} wait`);
    }
  },
});
