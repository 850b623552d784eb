import * as z from "zod/mini";
import { pauseAttribute } from "../../lib/effects/health/pause-settings.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { CliError } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { countWaiting, findPlaces, openPauses } from "../pauses/open-pauses.ts";
import { nameWaiting, type PauseResult, pauseSchema, toPauseResult } from "../pauses/pause-result.ts";
import { type PauseWord, pauseScopeOptions, pauseWordArgument } from "../pauses/pause-word.ts";

export const resume = defineCommand({
  name: "resume",
  summary: "resume an app, a trigger or a flow",
  description: "Takes effect within ten seconds. Waiting events are handled in order, before new ones.",
  examples: [
    ["resume trigger:auto-reply --stage prod", "what `pause` was given"],
    ["resume app:2379ab41f5c8 --stage prod", "resume an app, except for its own paused triggers and flows"],
  ],
  arguments: { what: pauseWordArgument },
  options: pauseScopeOptions,
  changes: true,
  json: z.strictObject({ resumed: z.array(pauseSchema) }),
  run: async ({ target, args: { what }, options, edges, confirm }) => {
    const { store, room, sendPauseTicket, facts } = await openPauses(target, edges);
    const found = [];
    for (const place of findPlaces(what, options, withNamed(what, facts))) {
      const pause = (await store.read(place.appId)).get(pauseAttribute(place.target));
      if (pause !== undefined) found.push({ place, pause });
    }
    if (found.length === 0) {
      throw new CliError(
        "notThere",
        "NOT_PAUSED",
        "This is not paused.",
        "See the pauses: npx cometchat-functions paused.",
      );
    }
    const told: PauseResult[] = [];
    for (const { place, pause } of found) {
      const waiting = await countWaiting(room, { appId: place.appId, pauseId: pause.id });
      told.push(toPauseResult(place, pause, waiting));
    }
    await confirm(`Resume in ${target.title}: ${told.map(nameOne).join("; ")}?`);
    for (const { place, pause } of found) {
      await store.end(place.appId, place.target);
      // In case the ticket was lost: a second one does no harm.
      await sendPauseTicket({ appId: place.appId, pauseId: pause.id });
    }
    return { resumed: told };
  },
  print: ({ resumed }, out) => {
    for (const one of resumed) out.line(`${nameOne(one)}: resumes within ten seconds.`);
  },
});

/** What is no longer deployed can still be paused. */
function withNamed(what: PauseWord, facts: DeployedFacts): DeployedFacts {
  if (what.kind === "app") return { ...facts, appIds: [...facts.appIds, what.appId] };
  const { name } = what;
  if (what.kind === "flow") return { ...facts, flows: [...facts.flows, name] };
  return { ...facts, triggers: [...facts.triggers, { name, isShadowed: false }] };
}

function nameOne({ app, what, waiting }: PauseResult): string {
  const of = what.startsWith("app:") ? "" : ` of app ${app}`;
  return waiting === undefined ? `${what}${of}` : `${what}${of} (${nameWaiting(waiting)} wait)`;
}
