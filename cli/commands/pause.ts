import * as z from "zod/mini";
import { longestPauseMs } from "../../lib/effects/health/pause-settings.ts";
import { wrongUse } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { duration, text } from "../options.ts";
import { findPlaces, openPauses, type PausePlace } from "../pauses/open-pauses.ts";
import { pauseSchema, toPauseResult } from "../pauses/pause-result.ts";
import { pauseScopeOptions, pauseWordArgument, toPauseWord } from "../pauses/pause-word.ts";

export const command = defineCommand({
  description:
    "Takes effect within ten seconds. Nothing is lost: events wait in order, flows before their next step, for 14 days at most. Pausing again changes the end and the reason.",
  examples: `
    $ pause trigger:auto-reply --stage prod --reason 'wrong answers'
        pause one trigger; everything else continues
    $ pause app:2379ab41f5c8 --stage prod --for 2h
        pause an app for two hours
    $ pause flow:welcome-series --stage prod --all-apps
        pause a flow of every app
  `,
  arguments: { what: pauseWordArgument },
  options: {
    ...pauseScopeOptions,
    for: duration("when the pause ends automatically (default: 14d)"),
    reason: text("<text>", "the reason, shown by `status`"),
  },
  changes: true,
  json: z.strictObject({ paused: z.array(pauseSchema) }),
  run: async ({ target, args: { what }, options, edges, confirm }) => {
    const { app, allApps, for: lengthMs, reason } = options;
    if (lengthMs !== undefined && (lengthMs < 1_000 || lengthMs > longestPauseMs)) {
      throw wrongUse("--for is at least 1s and at most 14d.", "Waiting events are kept for 14 days.");
    }
    const { store, facts } = await openPauses(target, edges);
    const places = findPlaces(what, { app, allApps }, facts);
    await confirm(`Pause ${nameTogether(places)} in ${target.title}?`);
    const paused = [];
    for (const place of places) {
      const order = {
        by: target.identity,
        reason,
        ...(lengthMs !== undefined && { untilMs: edges.now() + lengthMs }),
      };
      paused.push(toPauseResult(place, await store.begin(place.appId, place.target, order)));
    }
    return { paused };
  },
  print: ({ paused }, out) => {
    for (const { app, what, since, until } of paused) {
      out.line(`${what} of app ${app} is paused since ${since}, until ${until}.`);
    }
    out.line("It takes effect within ten seconds; new events wait in order.");
    for (const { app, what } of paused.slice(0, 3)) {
      const scope = what.startsWith("app:") ? "" : ` --app ${app}`;
      out.line(`To resume: npx cometchat-functions resume ${what}${scope}`);
    }
  },
});

function nameTogether(places: readonly PausePlace[]): string {
  const [first] = places;
  if (first === undefined) return "nothing";
  const word = toPauseWord(first.appId, first.target);
  if (first.target.kind === "app") return word;
  return places.length === 1 ? `${word} of app ${first.appId}` : `${word} of ${places.length} apps`;
}
