import { nearestName } from "../../build/nearest-name.ts";
import { composeOn } from "../../lib/chat/compose.ts";
import { groups } from "../../lib/chat/resources/groups.ts";
import { users } from "../../lib/chat/resources/users.ts";
import { identify } from "../../lib/events/identity.ts";
import { parseEvent } from "../../lib/events/parse-event.ts";
import { describeProblems } from "../../lib/events/problems.ts";
import { actorsOf } from "../../lib/operate/doctor/failed-triggers.ts";
import { CliError, refused } from "../cli-error.ts";
import { argument, count, defineCommand, flag, text, texts } from "../command.ts";
import { openApp } from "../see/open-app.ts";
import { shellText } from "../shell-text.ts";
import { chooseServed } from "../target/served-apps.ts";
import { freshDelivery, readSampleEvents, setFields } from "../trigger/fresh-delivery.ts";
import { openReceiver } from "../trigger/open-receiver.ts";
import { findStandIns, findUnknownName, replaceNames } from "../trigger/unknown-users.ts";

/** The receiver answers it directly, without a queue. */
const question = "before_message";

export const command = defineCommand({
  description:
    "Ids are new and times are now. Triggers act on it as on a real event: before it sends, the command lists them. Sample users and groups that the app lacks are replaced by others of the app; triggers may write to them.",
  examples: `
    $ trigger message_sent --local --set data.message.data.text=Hello
        send a message with your own text
    $ trigger call_unanswered --stage dev --app 2379ab41f5c8 --count 3
        send three different calls
    $ trigger message_edited --stage dev --sample message-edited.live
        send the form observed on the real platform
  `,
  arguments: { event: argument("the event's name, such as message_sent") },
  options: {
    app: text("<id>", "the app (default: the only one)"),
    set: texts("<path=value>", "set a field of the delivery"),
    sample: text("<name>", "one of several samples of the event"),
    count: count("how many deliveries, each of a new occurrence", { most: 100, fallback: 1 }),
    production: flag("allow a stage marked as production"),
  },
  changes: true,
  run: async ({ target, args, options, edges, out, confirm }) => {
    const chosen = chooseSample(args.event, options.sample);
    if (target.settings.production && !options.production) {
      throw refused(
        "PRODUCTION",
        `Nothing was sent: ${target.title} is marked as production.`,
        "Triggers may write to real users. To send it anyway, add --production.",
      );
    }
    const { facts, app } = await chooseServed(target, options.app);
    const { region, send, questionUrl } = await openReceiver(target, app);
    const others = new Map<string, string>();
    const make = () => {
      const newId = (old: string) => newIdLike(old, edges.token());
      const fresh = freshDelivery(chosen.body, { appId: app, region, nowMs: edges.now(), newId });
      return setFields(Object(replaceNames(fresh, others)), options.set);
    };
    let first = make();
    const event = identify(first, app)?.trigger ?? args.event;
    const acts = [...actorsOf(event, app, facts)];
    const parsed = parseEvent(first, { appId: app });
    const problems = parsed.ok ? [] : parsed.problems.map((one) => describeProblems([one]));
    if (problems.length > 0) out.note(`It would be quarantined: ${problems.join("; ")}.`);
    out.note(acts.length === 0 ? `Nothing is on for ${event}.` : `On ${event} act: ${acts.join(", ")}.`);
    if (acts.length > 0) {
      const { connection } = await openApp(target, app, { retry: { maxTries: 1 }, timeoutMs: 5_000 });
      const ofApp = composeOn(connection, { users, groups });
      for (const { kind, id, other } of await findStandIns(first, ofApp)) {
        if (other === undefined) throw unknownName(kind, id, `Create it, or another ${kind}.`);
        others.set(id, other);
        out.note(`The app has no ${kind} ${id}: using ${other}.`);
      }
      first = make();
      const unknown = await findUnknownName(first, ofApp);
      if (unknown !== undefined) {
        const { kind, id, path } = unknown;
        const value = kind === "user" ? "<uid>" : "<guid>";
        throw unknownName(kind, id, `Name a ${kind} that it has: --set ${path}=${value}`);
      }
    }
    await confirm(`Send ${options.count} ${event} to app ${app} of ${target.title}?`);

    const isQuestion = event === question;
    const sent = [];
    for (let number = 0; number < options.count; number += 1) {
      const body = number === 0 ? first : make();
      const { status, answer } = await send(body, chosen.family, isQuestion ? questionUrl : undefined);
      sent.push({ key: identify(body, app)?.key ?? "", status, ...(isQuestion && { answer }) });
      out.progress(`${number + 1} of ${options.count} sent`);
    }
    return { app, event, sample: chosen.sample, acts, problems, sent };
  },
  print: ({ app, sent }, out) => {
    for (const { key, status, answer } of sent) {
      out.line(`${status === 200 ? "accepted" : `answered ${status}`}  ${key}`);
      if (answer !== undefined) out.line(`  ${answer}`);
    }
    const [one] = sent;
    // A question has its answer, and leaves no event.
    if (one !== undefined && one.answer === undefined)
      out.line(`See what happened: npx cometchat-functions trace ${shellText(one.key)} --app ${app}`);
  },
  exitCode: ({ problems, sent }) =>
    problems.length === 0 && sent.every(({ status }) => status === 200) ? "done" : "unwell",
});

/** The answer to an unknown name would become a dead letter. */
function unknownName(kind: "user" | "group", id: string, hint: string) {
  const said = `The app has no ${kind} ${id}, and nothing was sent: an answer to it would fail and become a dead letter.`;
  return refused(kind === "user" ? "NO_SUCH_USER" : "NO_SUCH_GROUP", said, hint);
}

function chooseSample(event: string, name: string | undefined) {
  const samples = readSampleEvents();
  const ofEvent = samples.filter((one) => one.trigger === event);
  const [chosen] = name === undefined ? ofEvent : ofEvent.filter((one) => one.sample === name);
  if (chosen !== undefined) return chosen;
  const refuse = (message: string, hint: string) => new CliError("wrongUse", "NO_SUCH_EVENT", message, hint);
  const names = ofEvent.map(({ sample }) => sample);
  if (names.length > 0)
    throw refuse(`There is no sample "${name}" of ${event}.`, `Its samples: ${names.join(", ")}.`);
  const known = [...new Set(samples.map((one) => one.trigger))].toSorted();
  const meant = nearestName(event, known);
  throw refuse(
    `There is no sample of an event named "${event}".`,
    meant === undefined ? `The events: ${known.join(", ")}.` : `Did you mean "${meant}"?`,
  );
}

/** Keeps numbers numeric: some ids are compared as such. */
function newIdLike(old: string, token: string) {
  const digits = BigInt(`0x${token.replaceAll(/[^0-9a-f]/gi, "").slice(0, 12) || "1"}`) % 10n ** 12n;
  return /^\d+$/.test(old) ? String(10n ** 12n + digits) : `${old}-${digits.toString(36)}`;
}
