import type { ChatClient } from "../../lib/chat/client.ts";
import type { ManagementClient } from "../../lib/chat/management/management-client.ts";

/** The clients that prepare a case. */
export interface World {
  chat: ChatClient;
  management: ManagementClient;
  /**
   * Does what no operation of the platform does, through the local platform's own interface; undefined
   * without one.
   */
  simulate(method: string, path: string, body: object): Promise<Record<string, string> | undefined>;
}

/** A method's arguments. Missing path values are those of `defaultPath`. */
export interface Sample {
  path?: Record<string, string>;
  input?: object;
  onBehalfOf?: string;
}

/** The created data, with another input, or without one. */
export const withInput =
  (prepare: (world: World) => Promise<Sample>, input?: object) => async (world: World) => {
    const { input: made, ...sample } = await prepare(world);
    return input === undefined ? sample : { ...sample, input };
  };

/** A sample that only needs existing data. */
export const after =
  (prepare: (world: World) => unknown, sample: Sample = {}) =>
  async (world: World): Promise<Sample> => {
    await prepare(world);
    return sample;
  };

export const text = {
  receiver: "bob",
  receiverType: "user",
  type: "text",
  data: { text: "Grüße 👋" },
} as const;
export const acting = { onBehalfOf: "alice" };
export const file = () => new Blob(["word\n"], { type: "text/csv" });

export async function message({ chat }: World): Promise<Sample> {
  const { id } = await chat.messages.send({ ...text, muid: "m-1" }, acting);
  return { path: { id, messageId: id }, ...acting };
}

export async function groupMessage({ chat }: World): Promise<Sample> {
  const { id } = await chat.messages.send({ ...text, receiver: "lobby", receiverType: "group" }, acting);
  return { path: { id }, ...acting };
}

/** With the user bob: a message between the two. */
export async function withBob(world: World, input?: object): Promise<Sample> {
  const sample = await message(world);
  return {
    path: { uid: "bob" },
    ...acting,
    ...(input ? { input: { ...input } } : {}),
    ...(sample.input ?? {}),
  };
}

export async function inLobby(world: World, input?: object): Promise<Sample> {
  await groupMessage(world);
  return { ...acting, ...(input ? { input } : {}) };
}

export const role = {
  role: "manager",
  name: "Manager",
  settings: { listUsers: "all", sendMessagesTo: "all" },
} as const;

export async function newRole({ chat }: World): Promise<Sample> {
  await chat.roles.create(role);
  return { path: { role: "manager" } };
}

export async function newKey({ chat }: World): Promise<Sample> {
  const { apiKey } = await chat.apiKeys.create({ name: "second", scope: "fullAccess" });
  return { path: { apiKey } };
}

export async function newToken({ chat }: World): Promise<Sample> {
  const { authToken } = await chat.authTokens.create("alice", { force: true });
  return { path: { authToken, pushToken: "token-1" }, input: { authToken } };
}

export async function newReason({ chat }: World): Promise<Sample> {
  await chat.reasons.create(reason);
  return { path: { id: "off-topic" } };
}

export async function flagged(world: World): Promise<Sample> {
  await newReason(world);
  const sample = await message(world);
  await world.chat.flaggedMessages.flag(
    sample.path?.id ?? "",
    { reasonId: "off-topic", remark: "Look" },
    { onBehalfOf: "bob" },
  );
  return { path: sample.path ?? {} };
}

export async function newRule({ chat }: World): Promise<Sample> {
  await chat.moderationRules.create(rule);
  return { path: { ruleId: "no-spam" } };
}

export async function newKeywords({ chat }: World): Promise<Sample> {
  const { id } = await chat.keywordLists.create({ id: "rude", category: "word", searchTerms: ["darn"] });
  return { path: { keywordId: id } };
}

export async function moderated({ chat }: World): Promise<Sample> {
  const { id } = await chat.moderatedMessages.send({ ...text, sender: "alice" });
  return { path: { id } };
}

export async function newWebhook({ management }: World): Promise<Sample> {
  await management.webhooks.create("local-app", webhook);
  await management.webhooks.addTriggers("local-app", "hook", { triggerIds: ["message_sent"] });
  return { path: { webhookId: "hook" } };
}

export const reason = { id: "off-topic", name: "Off topic", description: "…" };
export const rule = {
  id: "no-spam",
  name: "No spam",
  enabled: true,
  action: ["blockMessage"],
  conditions: [
    { id: 1, entity: "message", operand: "text", operator: "contains", category: "word", value: ["spam"] },
  ],
};
export const webhook = { id: "hook", name: "Hook", webhookURL: "https://example.com/hook", enabled: false };
export const provider = {
  isEnabled: true,
  webhookURL: "https://example.com",
  useBasicAuth: true,
  basicAuthUsername: "u",
  basicAuthPassword: "p",
};
export const fcm = { providerId: "fcm-1", serviceAccountCreds: { private_key: "k" } };
export const apns = { providerId: "fcm-1", keyId: "k", p8Key: "p" };
export const newUser = { uid: "zoe", name: "Zoë" };
export const club = { guid: "club", name: "Club", type: "public" } as const;
export const importedMessage = {
  muid: "m1",
  sender: "alice",
  receiver: "bob",
  receiverType: "user",
  sentAt: 1_700_000_000,
  category: "message",
  type: "text",
  data: { text: "hi" },
} as const;

/** A message that a rule has blocked. */
export async function blocked(world: World): Promise<Sample> {
  await newRule(world);
  const sample = await message(world);
  const { id } = await world.chat.messages.send({ ...text, data: { text: "buy spam" } }, acting);
  return { path: { ...sample.path, id, messageId: id } };
}

export async function endedCall(world: World): Promise<Sample> {
  const sample = await placedCall(world);
  const call = `/calls/${sample.path?.sessionId}`;
  await world.simulate("POST", `${call}/answer`, { uid: "bob" });
  await world.simulate("POST", `${call}/end`, {});
  return sample;
}

export async function placedCall({ simulate }: World): Promise<Sample> {
  const call = await simulate("POST", "/calls", { caller: "alice", receiver: "bob" });
  return { path: { sessionId: call?.sessionId ?? "session-1" } };
}

export const twilio = { twilioAccountSID: "s", twilioAuthToken: "t", twilioSenderPhoneNumber: "+1555" };
export const sendGrid = {
  sendGridApiKey: "k",
  sendGridTemplateID: "t",
  sendGridUnsubscribeGroupID: "g",
  senderName: "n",
  senderEmail: "e@example.com",
  allowEmailReplies: true,
  senderEmailForReplies: "reply@example.com",
};
