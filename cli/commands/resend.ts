import { readFile } from "node:fs/promises";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { unlessMissing } from "../../lib/chat/is-code.ts";
import { type Identity, identify, joinFields } from "../../lib/events/identity.ts";
import { sentAtOf } from "../../lib/handle/count-received.ts";
import { toDelivery } from "../../lib/operate/reconcile/list-messages.ts";
import { oldestSeconds } from "../../lib/operate/reconcile/reconcile-request.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { notThere, refused, wrongUse } from "../cli-error.ts";
import { argument, type CommandContext, defineCommand, flag, text } from "../command.ts";
import type { CliEdges } from "../edges.ts";
import { describeUnseen } from "../repair/change-queue.ts";
import { findStored, lookingThrough, openOperator, type StoredEvent } from "../repair/open-operator.ts";
import { openApp } from "../see/open-app.ts";
import { splitFields } from "../see/trace-lines.ts";
import { shellText } from "../shell-text.ts";
import { meantApp, readServed } from "../target/served-apps.ts";
import { openReceiver } from "../trigger/open-receiver.ts";

type Context = CommandContext<{ event: string }, { app: string | undefined; actAgain: boolean }>;

export const command = defineCommand({
  description:
    "A dead letter or a quarantined delivery is replayed as it came. A message is read from the platform, and its current state goes through the receiver as message_sent. Other events are not stored once they are handled: give their JSON. Within five minutes of the first delivery the queue drops a second one.",
  examples: `
    $ resend 4711 --stage prod --app shop
        send a message, by its id
    $ resend 'shop|group_member_joined|…' --stage prod
        send a dead letter, by its key
    $ resend delivery.json --stage dev
        send a delivery from a file; - reads standard input
  `,
  arguments: {
    event: argument("a message's id, an event's delivery key, a .json file, or - for standard input"),
  },
  options: {
    app: text("<id>", "the app (default: the only one)"),
    actAgain: flag("send an event whose second delivery counts as a new occurrence, and is acted on again"),
  },
  changes: true,
  run: async (context) => {
    const { args, options, edges } = context;
    const asked = args.event.trim();
    const given = await readGivenDelivery(asked, edges);
    const [keysApp, keysTrigger, keysMessage] =
      given === undefined && asked.includes("|") ? splitFields(asked) : [];
    const givenApp = typeof given?.appId === "string" ? given.appId : keysApp;
    const app = meantApp(options.app ?? givenApp, await readServed(context));
    if (given !== undefined) {
      const identity = identify(given, app);
      if (identity === undefined)
        throw wrongUse("The delivery names no event, and would be quarantined.", deliveryHint);
      refuseFalseHopes(identity.canRecur, options.actAgain);
      return await sendToReceiver(context, app, identity, given, "input");
    }
    const key = keysApp === undefined ? joinFields([app, "message_sent", asked]) : asked;
    const operator = await openOperator(context);
    const stored = await findStored(key, operator, lookingThrough(context), (count) =>
      context.out.note(describeUnseen(count)),
    );
    refuseFalseHopes(false, options.actAgain);
    if (stored !== undefined) return await bringBack(context, operator, app, key, stored);
    const messageId =
      keysApp === undefined ? asked : keysTrigger === "message_sent" ? keysMessage : undefined;
    if (messageId === undefined || !/^\d+$/.test(messageId)) {
      throw notThere(
        "NOT_KEPT",
        `Nothing is stored of the event ${asked} that could be sent again.`,
        "It is neither among the dead letters nor in quarantine. Give the delivery's JSON: resend <file>.json",
      );
    }
    return await sendMessage(context, app, messageId);
  },
  print: ({ app, deliveryKey, isSent, status }, out) => {
    if (isSent) out.line(`sent  ${deliveryKey}`);
    else out.line(`not sent  ${deliveryKey}${status === undefined ? "" : ` (answered ${status})`}`);
    out.note(`See what happened: npx cometchat-functions trace ${shellText(deliveryKey)} --app ${app}`);
  },
  exitCode: ({ isSent }) => (isSent ? "done" : "unwell"),
});

function refuseFalseHopes(canRecur: boolean, actAgain: boolean) {
  if (canRecur && !actAgain) {
    throw refused(
      "WOULD_ACT_AGAIN",
      "A second delivery of this event counts as a new occurrence: its effects would be repeated.",
      "To repeat them, add --act-again. docs/internals/identity.md lists such events.",
    );
  }
  if (!canRecur && actAgain) {
    throw refused(
      "CANNOT_ACT_AGAIN",
      "This event cannot be acted on again: its effects are remembered for 35 days.",
      "Without --act-again, unfinished effects are done. To send a new event of this kind: trigger.",
    );
  }
}

async function bringBack(
  context: Context,
  operator: OperatorServices,
  app: string,
  key: string,
  { kind, message: { id } }: StoredEvent,
) {
  const { out, confirm } = context;
  await confirm(`Replay the ${kind.one} ${id} of app ${app}?`);
  const work = { selection: { ids: new Set([id]) }, ...lookingThrough(context) };
  const { replayed, tooOld, passedOver, triggerOff, failure } = await kind.replay(work, operator);
  if (failure !== undefined) out.note(`It was not replayed: ${failure}`);
  if (tooOld > 0) out.note("It was received more than 30 days ago, and stays.");
  if (passedOver > 0) {
    out.note(`A trigger skipped it as too old, and it stays. To handle it anyway:`);
    out.note(`npx cometchat-functions ${kind.name} replay --id ${id} --ignore-age`);
  }
  if (triggerOff > 0) {
    out.note(`Its trigger was off, and it stays. Once that is on again:`);
    out.note(`npx cometchat-functions ${kind.name} replay --id ${id} --include-off`);
  }
  if (replayed === 0 && failure === undefined && tooOld + passedOver + triggerOff === 0)
    out.note(`It stays: ${kind.before}`);
  return { app, deliveryKey: key, from: kind.name, isSent: replayed > 0, status: undefined };
}

async function sendMessage(context: Context, app: string, messageId: string) {
  const { target, edges } = context;
  const { region, messages } = await openApp(target, app);
  const message = await unlessMissing("ERR_MESSAGE_ID_NOT_FOUND", messages.get(messageId));
  if (message === undefined) throw notThere("NO_SUCH_MESSAGE", `The platform has no message ${messageId}.`);
  const sentAt = sentAtOf(message) ?? 0;
  if (edges.now() / 1000 - sentAt > oldestSeconds) {
    throw refused(
      "TOO_OLD",
      `The message ${messageId} is older than ${oldestSeconds / 86_400} days.`,
      "Its effects might be forgotten while it could still be acted on again.",
    );
  }
  const made = toDelivery({ appId: app, region }, message, edges.now());
  if (made === undefined) {
    throw refused(
      "NOT_TOLD",
      `The message ${messageId} is not one that message_sent reports, or was deleted or blocked.`,
    );
  }
  const { delivery, identity } = made;
  const body: unknown = JSON.parse(delivery.bytes.toString("utf8"));
  return await sendToReceiver(context, app, identity, body, "platform");
}

async function sendToReceiver(
  { target, confirm }: Context,
  app: string,
  { key, family }: Identity,
  body: unknown,
  from: "platform" | "input",
) {
  const { send } = await openReceiver(target, app);
  await confirm(`Send ${key} to app ${app} of ${target.title} again?`);
  const { status } = await send(body, family);
  return { app, deliveryKey: key, from, isSent: status === 200, status };
}

async function readGivenDelivery(typed: string, { readStdin }: CliEdges) {
  const isFile = typed.endsWith(".json");
  if (typed !== "-" && !isFile) return undefined;
  const text = isFile ? await readFile(typed, "utf8").catch(() => undefined) : await readStdin();
  if (text === undefined)
    throw wrongUse(`The file ${typed} cannot be read.`, "Check its name, and whether you may read it.");
  const body = parseJson(text);
  if (isRecord(body)) return body;
  throw wrongUse(`${isFile ? `The file ${typed}` : "Standard input"} is not a delivery.`, deliveryHint);
}

const deliveryHint =
  'A delivery is JSON as the platform sends it: {"trigger": "message_sent", "data": {…}, …}.';
