import { pauseAttribute } from "../../lib/effects/health/pause-settings.ts";
import { changeEach } from "../change-each.ts";
import { notThere } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import {
  countWaiting,
  findPlaces,
  namePause,
  nameWaiting,
  openPauses,
  type PauseResult,
  pauseScopeOptions,
  resumeWordArgument,
  toPauseResult,
} from "../pauses/open-pauses.ts";
import { areAwake, printWoken, type WokenResult, wakeHosts } from "../pauses/wake-hosts.ts";

export const command = defineCommand({
  description:
    "Takes effect within ten seconds. Waiting events are handled in order, before new ones. With hosts, the conversations that wait for a host after an outage, or for a trigger whose events are held back, try again now; if it still fails, they wait again. May be repeated.",
  examples: `
    $ resume trigger:auto-reply --stage prod
        what \`pause\` was given
    $ resume app:2379ab41f5c8 --stage prod
        resume an app, except for its own paused triggers and flows
    $ resume hosts --stage prod --app shop
        wake what waits for a host or a held-back trigger, of one app
  `,
  arguments: { what: resumeWordArgument },
  options: pauseScopeOptions,
  changes: true,
  run: async ({ args: { what }, options, ...context }): Promise<{ resumed: PauseResult[] } | WokenResult> => {
    const { target, confirm } = context;
    const open = await openPauses(context);
    if (what === "hosts") return await wakeHosts(open, options.app, context);
    const { pauses, room, sendRoomTicket, served } = open;
    // A pause may name what is no longer deployed.
    const { kind, name } = what;
    const withNamed = {
      appIds: kind === "app" ? [name] : served.appIds,
      flows: [name],
      triggers: [{ name, isShadowed: false }],
    };
    const found = [];
    for (const place of findPlaces(what, options, withNamed)) {
      const pause = (await pauses.read(place.appId)).get(pauseAttribute(place.target));
      if (pause === undefined) continue;
      const waiting = await countWaiting(room, { appId: place.appId, pauseId: pause.id });
      found.push({ place, pause, shownPause: toPauseResult(place, pause, waiting) });
    }
    if (found.length === 0) {
      throw notThere(
        "NOT_PAUSED",
        `${kind}:${name} is not paused.`,
        "See the pauses: npx cometchat-functions status",
      );
    }
    await confirm(
      `Resume in ${target.title}: ${found.map(({ shownPause }) => describe(shownPause)).join("; ")}?`,
    );
    const word = `${kind}:${name}`;
    await changeEach(
      found,
      async ({ place, pause }) => {
        // Runs first, in case the pause's own ticket was lost: it looks every five seconds until the end.
        await sendRoomTicket({ appId: place.appId, pauseId: pause.id });
        await pauses.end(place.appId, place.target);
      },
      {
        did: "Already resumed",
        nameOf: ({ place }) => place.appId,
        again: `npx cometchat-functions resume ${word} --all-apps`,
      },
    );
    return { resumed: found.map(({ shownPause }) => shownPause) };
  },
  print: (result, out) => {
    if ("woken" in result) printWoken(result, out);
    else for (const one of result.resumed) out.line(`${describe(one)}: resumes within ten seconds.`);
  },
  exitCode: (result) => ("woken" in result && !areAwake(result) ? "unwell" : "done"),
});

function describe(pause: PauseResult) {
  const { waiting } = pause;
  return namePause(pause) + (waiting === undefined ? "" : ` (${nameWaiting(waiting)} wait)`);
}
