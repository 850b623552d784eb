import * as z from "zod/mini";
import { pauseAttribute } from "../../lib/effects/health/pause-settings.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { CliError } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { countWaiting, findPlaces, openPauses } from "../pauses/open-pauses.ts";
import { nameWaiting, type PauseResult, pauseSchema, toPauseResult } from "../pauses/pause-result.ts";
import { type PauseWord, pauseScopeOptions, resumeWordArgument } from "../pauses/pause-word.ts";
import { areAwake, printWoken, wakeHosts, wokenResultSchema } from "../pauses/wake-hosts.ts";

export const command = defineCommand({
  description:
    "Takes effect within ten seconds. Waiting events are handled in order, before new ones. With hosts, the conversations that wait for a host after an outage try again now; if it still fails, they wait again. May be repeated.",
  examples: `
    $ resume trigger:auto-reply --stage prod
        what \`pause\` was given
    $ resume app:2379ab41f5c8 --stage prod
        resume an app, except for its own paused triggers and flows
    $ resume hosts --stage prod --app shop
        wake what waits for a host, of one app
  `,
  arguments: { what: resumeWordArgument },
  options: pauseScopeOptions,
  changes: true,
  json: z.union([z.strictObject({ resumed: z.array(pauseSchema) }), wokenResultSchema]),
  run: async ({ args: { what }, options, ...context }) => {
    const { target, edges, confirm } = context;
    const pauses = await openPauses(target, edges);
    if (what === "hosts") return await wakeHosts(pauses, options.app, context);
    const { store, room, sendPauseTicket, facts } = pauses;
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
        "See the pauses: npx cometchat-functions status.",
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
  print: (result, out) => {
    if ("woken" in result) printWoken(result, out);
    else for (const one of result.resumed) out.line(`${nameOne(one)}: resumes within ten seconds.`);
  },
  exitCode: (result) => ("woken" in result && !areAwake(result) ? "unwell" : "done"),
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
