import { readAppsOf } from "../../build/served-apps.ts";
import { outcomes } from "../../lib/effects/outcomes.ts";
import { notThere, wrongUse } from "../cli-error.ts";
import { count, defineCommand, moment, type OptionValues, optionalArgument, text } from "../command.ts";
import { deadLetterKind, openOperator } from "../repair/open-operator.ts";
import { openApp } from "../see/open-app.ts";
import { traceAsked } from "../see/trace-event.ts";
import { splitFields } from "../see/trace-lines.ts";
import { openTracing, type Tracing } from "../see/trace-places.ts";

const options = {
  user: text("<uid>", "the newest messages that this user sent"),
  conversation: text("<id>", "of this conversation: group_<guid>, or <uid>_user_<uid>"),
  text: text("<part>", "with this text"),
  cause: text("<name>", "the newest dead letters of this group, as `dead-letters list` names it"),
  limit: count("how many of them", { most: 50, fallback: 5 }),
  app: text("<id>", "the message's app, if the stage serves several"),
  since: moment("how far back to read the logs (default: since the message was sent, or 24h)"),
};

export const command = defineCommand({
  description:
    "Reads the logs, the ledger of effects, the parked lanes, dead letters, quarantine and the platform's message. Each line names its source. Lists what could not be found out.",
  examples: `
    $ trace 4711 --stage prod
        trace the events of a message, by the message's id
    $ trace 4711 --stage prod --app shop --since 7d
        search one app, further back
    $ trace --stage prod --user alice --text 'my order'
        trace the newest messages of a user with this text
    $ trace --stage prod --cause ERR_UID_NOT_FOUND-1f0c2a
        trace the dead letters of a group of equal causes
    $ trace 'shop|message_sent|4711' --stage prod
        trace one event, by the key that logs and dead letters show
  `,
  arguments: { event: optionalArgument("a message's id, or an event's delivery key") },
  options,
  run: async ({ args, options, ...context }) => {
    const { target, edges } = context;
    const served = await readAppsOf(edges.projectFolder, target.stage);
    const operator = await openOperator(context);
    const { app, since } = options;
    const [keyApp = app] = args.event?.includes("|") ? splitFields(args.event.trim()) : [];
    if (app !== undefined && keyApp !== app)
      throw wrongUse(`The key is of the app ${keyApp}, not of ${app}.`);
    const onlyApp = app ?? (served.length === 1 ? served[0] : undefined);
    const tracing = openTracing(context, operator, { app, onlyApp, since });
    const { asked, name } = await chooseAsked(args.event, options, tracing);
    const found = [];
    for (const one of asked) found.push(await traceAsked(one, tracing));
    const events = found.flatMap((one) => one.events);
    const missing = [...new Set(tracing.missing)];
    if (events.length === 0) {
      throw notThere(
        "NOT_FOUND",
        `Nothing is known of the event ${name} in ${target.title}.`,
        [
          ...missing.map((text) => text.replace(/[^.]$/, "$&.")),
          "Look further back with --since, name the --app, or give the delivery key.",
        ].join(" "),
      );
    }
    const sinceMs = Math.min(...found.map(({ startMs }) => startMs));
    return { event: name, since: new Date(sinceMs).toISOString(), events, missing };
  },
  print: ({ events, missing }, out) => {
    for (const { deliveryKey, verdict, outcome, why, steps } of events) {
      const colour = verdict === "handled" ? "green" : "yellow";
      out.line(`${out.style("bold", deliveryKey)}  ${out.style(colour, verdict)}`);
      if (outcome !== undefined) out.line(`  ${outcomes[outcome].title}  ${why}`);
      // The platform's times are whole seconds.
      const first = steps.find(({ place }) => place !== "platform") ?? steps[0];
      for (const { time, place, what, from } of steps) {
        const sinceMs = Date.parse(time) - Date.parse(first?.time ?? time);
        const since = (sinceMs < 0 ? "" : `+${sinceMs} ms`).padStart(10);
        const at = time.replace("T", " ").slice(0, 23);
        out.line(`  ${at}  ${since}  ${place.padEnd(12)} ${what}  ${out.style("dim", `(${from})`)}`);
      }
    }
    for (const text of missing) out.line(`  not known: ${text}`);
  },
  exitCode: ({ events }) =>
    events.every(({ verdict }) => verdict === "handled" || verdict === "under-way") ? "done" : "unwell",
});

/** Returns message ids or delivery keys, newest first. @throws CliError if none is meant or found */
async function chooseAsked(
  event: string | undefined,
  search: OptionValues<typeof options>,
  { target, edges, out, operator, onlyApp }: Tracing,
) {
  const { user, conversation, text: part, cause, limit, app: appId } = search;
  const typed = Object.entries({ user, conversation, text: part, cause }).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option} ${value}`],
  );
  if ((event === undefined) === (typed.length === 0) || event?.trim() === "")
    throw wrongUse("Give an event, or search by --user, --conversation, --text or --cause.");
  if (event !== undefined) return { asked: [event.trim()], name: event.trim() };
  const name = typed.join(" ");
  out.progress(`looking for ${name}`);
  let asked: readonly string[];
  if (cause === undefined) {
    if (onlyApp === undefined) throw wrongUse("The stage serves several apps.", "Add --app <id>.");
    const { messages } = await openApp(target, onlyApp);
    const wanted = { sender: user, conversationId: conversation, searchKey: part };
    const page = await messages.list({ affix: "prepend", limit, ...wanted }).page();
    asked = page.items.map(({ id }) => id).toSorted((one, other) => Number(other) - Number(one));
  } else {
    const selection = { cause, user, conversation, text: part, appId };
    const { found } = await deadLetterKind.list(selection, operator, { signal: edges.signal });
    const keys = found.slice(-limit).flatMap(({ deliveryKey }) => deliveryKey ?? []);
    asked = keys.toReversed();
  }
  if (asked.length > 0) return { asked, name };
  throw notThere("NOT_FOUND", `Nothing in ${target.title} has ${name}.`);
}
