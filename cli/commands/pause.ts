import { countOf } from "../../lib/base/count-of.ts";
import { longestPauseMs } from "../../lib/effects/health/pause-settings.ts";
import { changeEach } from "../change-each.ts";
import { wrongUse } from "../cli-error.ts";
import { defineCommand, duration, text } from "../command.ts";
import {
  findPlaces,
  namePause,
  openPauses,
  pauseScopeOptions,
  pauseWordArgument,
  toPauseResult,
} from "../pauses/open-pauses.ts";
import { shellText } from "../shell-text.ts";

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
  run: async ({ args: { what }, options, ...context }) => {
    const { target, edges, confirm } = context;
    const { for: lengthMs, reason } = options;
    if (lengthMs !== undefined && (lengthMs < 1_000 || lengthMs > longestPauseMs)) {
      throw wrongUse("--for is at least 1s and at most 14d.", "Waiting events are kept for 14 days.");
    }
    const { pauses, served } = await openPauses(context);
    const places = findPlaces(what, options, served);
    const word = `${what.kind}:${what.name}`;
    const [only] = places;
    const named =
      only !== undefined && places.length === 1
        ? namePause({ app: only.appId, what: word })
        : `${word} of ${countOf(places.length, "app")}`;
    await confirm(`Pause ${named} in ${target.title}?`);
    const untilMs = lengthMs === undefined ? undefined : edges.now() + lengthMs;
    const order = { by: target.identity, reason, untilMs };
    const length = lengthMs === undefined ? "" : ` --for ${lengthMs / 1_000}s`;
    const why = reason === undefined ? "" : ` --reason ${shellText(reason)}`;
    const paused = await changeEach(
      places,
      async (place) => toPauseResult(place, await pauses.begin(place.appId, place.target, order)),
      {
        did: "Already paused",
        nameOf: ({ appId }) => appId,
        again: `npx cometchat-functions pause ${word} --all-apps${length}${why}`,
      },
    );
    return { paused };
  },
  print: ({ paused }, out) => {
    for (const { app, what, since, until } of paused) {
      out.line(`${namePause({ app, what })} is paused since ${since}, until ${until}.`);
    }
    out.line("It takes effect within ten seconds; new events wait in order.");
    for (const { app, what } of paused.slice(0, 3)) {
      const scope = what.startsWith("app:") ? "" : ` --app ${app}`;
      out.line(`To resume: npx cometchat-functions resume ${what}${scope}`);
    }
  },
});
