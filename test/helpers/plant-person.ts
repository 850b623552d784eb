import { randomBytes, randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { createLedger, triggerKey } from "../../lib/effects/ledger.ts";
import { createPerform } from "../../lib/effects/perform.ts";
import { createStates } from "../../lib/effects/state/create-states.ts";
import { defineState } from "../../lib/effects/state/define-state.ts";
import { createLoginLimit } from "../../lib/endpoints/login/login-limit.ts";
import { createFlowMarks } from "../../lib/flows/flow-marks.ts";
import { createFlowQuestions } from "../../lib/flows/flow-questions.ts";
import { createFlowWaits } from "../../lib/flows/flow-waits.ts";
import { createCallTable } from "../../lib/handle/phone-calls/call-tracker.ts";
import { createLaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { noProgress } from "../../lib/queue/lanes/progress.ts";
import { toQueuedBody } from "../../lib/queue/queued-event.ts";
import { operatorOf } from "../../local/console/operate.ts";
import { createFlowActions } from "../../local/console/routes/flows-routes.ts";
import { type PhoneCall, putCall } from "../../local/platform/store/calls.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { createTestAnswers, createTestGuard } from "./loop-guard.ts";
import { noOutside } from "./no-outside.ts";
import { createSetAside } from "./set-aside.ts";

/**
 * Puts data of one user into every store of a stack with the functions of `copyWithFlows`, by the code
 * that writes it there. Of another app, only into the stores of the functions, without flows.
 * @returns the texts, each of which is in one place and begins with the same 15 characters
 */
export async function plantPerson(
  world: LocalStack,
  uid: string,
  appId = "local-app",
): Promise<readonly string[]> {
  const texts: string[] = [];
  const tag = `canary-${randomUUID().slice(0, 8)}`;
  /** A text that occurs nowhere else. */
  const canary = () => {
    const text = `${tag}-${texts.length + 1}-${randomUUID().slice(14)}`; // a reaction has at most 45
    texts.push(text);
    return text;
  };
  const person = { appId, uid, canary };
  if (appId === world.app.appId) {
    await plantOnPlatform(world, person);
    await startFlows(world, person);
    await plantInConsole(world, person);
  }
  await plantInQueues(world, person);
  await plantOnTables(world, person);
  await plantState(world, person);
  return texts;
}

interface Planted {
  readonly appId: string;
  readonly uid: string;
  readonly canary: () => string;
}

async function plantOnPlatform({ platform, app }: LocalStack, { appId, uid, canary }: Planted) {
  const call = async (method: string, path: string, body: object = {}, onBehalfOf?: string) => {
    const answer = await fetch(`${platform.appUrl(appId)}${path}`, {
      method,
      headers: {
        apikey: app.fullAccessKey,
        connection: "close",
        "content-type": "application/json",
        ...(onBehalfOf && { onBehalfOf }),
      },
      body: JSON.stringify(body),
    });
    const { data, error } = JSON.parse(await answer.text());
    if (error !== undefined) throw new Error(`${method} ${path}: ${error.code}`);
    return data;
  };
  const send = (receiver: string, receiverType: string, data: object) =>
    call("POST", "/messages", { receiver, receiverType, type: "text", data }, uid);
  await call("POST", "/users", {
    uid,
    name: canary(),
    statusMessage: canary(),
    tags: [canary()],
    link: `https://example.com/${canary()}`,
    metadata: { "@private": { email: canary() } },
  });
  await call("POST", "/groups/lobby/members", { participants: [uid] });
  for (let count = 0; count < 5; count += 1) await send("bob", "user", { text: canary() });
  await send("lobby", "group", { text: canary(), metadata: { note: canary() } });
  const deleted = await send("lobby", "group", { text: "soon deleted" });
  await call("DELETE", `/messages/${deleted.id}`, {}, uid);
  const { id } = await call(
    "POST",
    "/messages",
    {
      receiver: "lobby",
      receiverType: "group",
      type: "text",
      data: { text: "Who comes?" },
    },
    "alice",
  );
  await call("POST", `/messages/${id}/reactions/${encodeURIComponent(canary())}`, {}, uid);
  await call("POST", `/messages/${id}/flagged`, { reasonId: "spam" }, uid); // remains: without a text
  const judged = await send("bob", "user", { text: "soon judged" });
  await call("POST", `/messages/${judged.id}/flagged`, { reasonId: "spam" }, "bob");
  await call("PATCH", `/moderation/flagged-messages/${judged.id}`, { status: "approved" });
  await call("PUT", "/users/bob/conversation", { tags: [canary()] }, uid);
  await call("POST", `/users/${uid}/friends`, { accepted: ["support"] });
  await call("POST", `/users/${uid}/blockedusers`, { blockedUids: ["helper"] });
  const { authToken } = await call("POST", `/users/${uid}/auth_tokens`, { force: true });
  await call("PATCH", "/notifications/v1/contact-details", { email: `${canary()}@example.com` }, uid);
  const device = { platform: "fcm_android", providerId: "fcm", fcmToken: canary() };
  await call("POST", "/notifications/push/v1/tokens", { authToken, ...device });
  putCall({ db: platform.services.db, appId }, callOf(uid));
}

export function callOf(caller: string): PhoneCall {
  const [initiatedAt, startedAt, endedAt] = [1_600_000_000, 1_600_000_010, 1_600_000_100];
  return {
    sessionId: `call of ${caller}`,
    mid: "m1",
    mode: "call",
    type: "audio",
    status: "ended",
    initiator: caller,
    receiver: "bob",
    receiverType: "user",
    initiatedAt,
    startedAt,
    endedAt,
    participants: [{ uid: caller, state: "ended", joinedAt: startedAt, leftAt: endedAt }],
    recordings: [{ rid: "r1" }],
    transcriptions: [],
    tags: [],
  };
}

/** A message that the platform refuses, and a delivery from another sender. */
async function plantInConsole({ platform, app, webhook }: LocalStack, { appId, uid, canary }: Planted) {
  const post = (url: string, headers: Record<string, string>, body: object) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const message = { receiver: "nobody-there", receiverType: "user", type: "text", data: { text: canary() } };
  await post(`${platform.appUrl(appId)}/messages`, { apikey: app.fullAccessKey, onBehalfOf: uid }, message);
  const sent = { ...message, id: "77", sender: uid, receiver: "bob", data: { text: canary() } };
  const authorization = `Basic ${Buffer.from(`${webhook.username}:${webhook.password}`).toString("base64")}`;
  const event = { trigger: "message_edited", appId, data: { message: { ...sent, category: "message" } } };
  await post(webhook.url, { authorization }, event);
}

/** An event in a queue's message. */
function eventOf(appId: string, data: object, key: string) {
  const queued = toQueuedBody(Buffer.from(JSON.stringify({ trigger: "message_sent", appId, data })));
  return JSON.stringify({
    v: 1,
    appId,
    family: "webhook",
    trigger: "message_sent",
    key: `${appId}|message_sent|${key}`,
    receivedAt: Date.now(),
    ...queued,
  });
}

/** Incompressible, so that it needs several items. */
const noise = () => randomBytes(450_000).toString("base64");

async function plantInQueues({ cloud }: LocalStack, { appId, uid, canary }: Planted) {
  const event = (data: object, key: string) => eventOf(appId, data, key);
  const setAside = createSetAside(cloud);
  const bury = (messageBody: string, facts = {}) =>
    setAside.bury(randomUUID(), { messageId: randomUUID(), messageBody, appId, ...facts });
  await bury(event({ message: { sender: uid, data: { text: canary() } } }, "1"));
  const large = { message: { sender: uid, data: { text: canary(), more: "x".repeat(1_000_000) } } };
  await bury(event(large, "large"));
  await bury(event({ message: { sender: "bob", receiver: uid, data: { text: canary() } } }, "2"));
  await bury(event({ message: { sender: "bob", data: { text: `<@uid:${uid}> ${canary()}` } } }, "3"));
  await bury(event({ note: "no uid" }, "4"), { cause: `The user ${uid} does not exist: ${canary()}` });
  const check = { v: 1, check: "call_summary", appId, sessionId: canary(), receivedAt: 1, at: 1 };
  await bury(JSON.stringify({ ...check, key: `${appId}|call_participant_left|s|9|8|${uid}` }), {
    source: "calls",
  });
  await setAside.callAws({
    service: "sqs",
    target: "AmazonSQS.SendMessage",
    input: {
      QueueUrl: setAside.urlOf("DeadLetterQueue"),
      MessageBody: event({ by: { uid }, note: canary() }, "5"),
      MessageGroupId: "moved",
      MessageDeduplicationId: randomUUID(),
    },
  });
  const quarantine = (body: string) => setAside.quarantine(body, { appId });
  await quarantine(
    JSON.stringify({ trigger: "message_sent", data: { message: { sender: uid, text: canary() } } }),
  );
  await quarantine(`{"trigger":"message_sent","sender":"${uid}","text":"${canary()}`);
}

async function startFlows(world: LocalStack, { appId, uid, canary }: Planted) {
  const { start } = createFlowActions(world, operatorOf(world.cloud, Date.now));
  // Its input does not fit: it ends immediately.
  await start({
    flow: "breaks",
    appId,
    region: "us",
    waitsFor: [],
    input: { uid, what: canary() },
  });
  await start({
    flow: "remind",
    appId,
    region: "us",
    waitsFor: ["message_sent"],
    input: { uid, what: canary() },
  });
}

async function plantOnTables(world: LocalStack, { appId, uid, canary }: Planted) {
  const { tableOf } = operatorOf(world.cloud, Date.now);
  const now = Date.now;
  const lanes = createLaneStore(tableOf("LanesTable", "item"), now);
  const group = `lane-${randomUUID()}`;
  const records = [canary(), `${canary()} ${noise()}`].map((text, index) => ({
    messageId: `parked-${index}`,
    messageBody: eventOf(appId, { message: { sender: uid, data: { text } } }, `parked-${index}`),
    sequence: String(index).padStart(40, "0"),
  }));
  const progress = { ...noProgress, cause: `no account for ${uid}: ${canary()}` };
  const head = { sequence: records[0]?.sequence ?? "", progress, since: now() };
  await lanes.park(`events ${group}`, { wakeAt: now() + 9e6, head });
  for (const record of records) await lanes.append(`events ${group}`, record);

  const flows = tableOf("FlowsTable", "flow");
  const kept = (text: string) => ({
    key: `${appId}|message_sent|${text}`,
    receivedAt: now(),
    text: JSON.stringify({ trigger: "message_sent", message: { sender: uid, text } }),
  });
  const marks = createFlowMarks(flows, now);
  await marks.keep(appId, "message_sent", kept(canary()));
  await marks.keep(appId, "message_edited", kept(canary()));
  await marks.keepEarly(appId, "message_reaction_added", "99", kept(canary()));
  await createFlowWaits(flows, now).decide(`callback-${uid}`, { kind: "event", event: kept(canary()) });
  await createFlowQuestions(flows, now).open({
    appId,
    trigger: "message_sent",
    flowId: `other_${uid}`,
    callbackId: `other-${uid}`,
    knownKeys: [],
    where: { sender: uid, text: { words: [canary()] } },
    sinceMs: now(),
    untilMs: now() + 9e6,
  });
  const calls = createCallTable(tableOf("CallsTable", "fact"), now);
  const call = { appId, sessionId: `session-of-${uid}` };
  await calls.put(call, "joined", { kind: "stay", sessionKind: "call", uid, name: canary() });
  await calls.put(call, "rang", { kind: "rang", caller: "bob", callee: uid, type: canary() });
  const stays = [{ uid, name: canary() }, { uid: "bob" }];
  await calls.put(call, "ended", { kind: "ended", sessionKind: "call", stays });
  await calls.claim(call, "call_missed", `${appId}|call_unanswered|1|${uid}|${canary()}`);
  const loginLimit = createLoginLimit(tableOf("LoginsTable"), now);
  await loginLimit.count(appId, uid, { most: 10, windowMs: 600_000 });
}

async function plantState(world: LocalStack, { appId, uid, canary }: Planted) {
  const { tableOf } = operatorOf(world.cloud, Date.now);
  const [effects, now] = [tableOf("EffectsTable"), Date.now];
  const ledger = createLedger({ table: effects, now });
  const answers = createTestAnswers({ table: effects, now });
  const key = triggerKey({ appId, occurrenceKey: `fact of ${uid}`, triggerName: "t" });
  const deadlineMs = now() + 60_000;
  const perform = createPerform({
    ledger,
    key,
    receivedAt: now(),
    token: randomUUID,
    tools: {
      ...noOutside,
      appId,
      answers,
      now,
      guard: createTestGuard(appId),
      limits: { deadlineMs, assertAlive: () => {} },
      call: () => {
        throw new Error("No request is expected.");
      },
    },
  });
  const states = createStates({
    table: tableOf("StateTable"),
    ledger,
    appId,
    perform,
    isShadow: false,
    now,
    token: randomUUID,
    random: () => 0,
    sleep: async () => {},
  });
  const note = z.object({ note: z.string() });
  const favourite = defineState("favourite", note, { per: "user", keepFor: "9d" });
  const topic = defineState("topic", note, { per: "conversation", keepFor: "9d" });
  for (const state of [states(favourite, uid), states(topic, `bob_user_${uid}`)]) {
    const text = canary();
    await state.update(() => ({ note: text }));
  }
  const made = `${key}|made`;
  await ledger.begin(made, { owner: "test", deadlineMs, receivedAt: now() });
  await ledger.finish(made, "test", JSON.stringify({ id: "1", uid, name: canary() }));
  const page = await answers.open(appId, "group_lobby");
  await page.enter({ effectId: `effect-${randomUUID()}`, sender: uid, askedAtMs: Date.now() });
}
