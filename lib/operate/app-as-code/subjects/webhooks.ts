import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/config-fields.ts";
import { OwnError } from "../../../base/errors.ts";
import { isCode, unlessMissing } from "../../../chat/is-code.ts";
import { bots } from "../../../chat/resources/bots.ts";
import { users } from "../../../chat/resources/users.ts";
import { opt, strictObject, words, yesNo } from "../../../chat/schema.ts";
import type { Bot, BotsClient } from "../../../chat/types/bots.ts";
import type { Webhook } from "../../../chat/types/webhooks.ts";
import { plainUrlOf } from "../../../receive/webhook-url.ts";
import { type DeploymentFacts, defineListSubject } from "../define-subject.ts";
import { notShown } from "../name-secrets.ts";
import {
  type Fields,
  type FoundResource,
  fitsAsSet,
  type Kind,
  memberChanges,
  pickFields,
  requireSuccesses,
  someText,
  type Unchecked,
} from "../resource.ts";
import { orSecret, secretReferenceSchema } from "../secret-reference.ts";

/** The emulation also calls local addresses. */
function calledUrl(maxLength: number) {
  const pattern = /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])\S+$/;
  const rule = "expected an address that begins with https:// (or with http://127.0.0.1, on the local stack)";
  return z.string().check(z.regex(pattern, rule), z.maxLength(maxLength));
}

export const urlOrSecret = (maxLength = 3_000) => orSecret(calledUrl(maxLength));

export const headersSchema = () => z.record(someText(), orSecret(z.string()));

const callerSchema = {
  url: opt(urlOrSecret(255)),
  credentials: opt(
    strictObject({
      username: orSecret(someText()),
      password: secretReferenceSchema,
    }),
  ),
};

interface DeclaredCaller {
  readonly url?: unknown;
  readonly credentials?: Fields | undefined;
}

/** @param family whose own credentials apply, if the app's secret has them */
function credentialsOf({ url, credentials }: DeclaredCaller, family: { unlessOwn?: "bot" } = {}): Fields {
  if (credentials !== undefined) return { useBasicAuth: true, ...credentials };
  if (url !== undefined) return {};
  return {
    useBasicAuth: true,
    username: { secret: "webhookUsername", ...family },
    password: { secret: "webhookPassword", ...family },
  };
}

function isOurs({ webhookURL }: Fields, { webhookUrl }: DeploymentFacts) {
  return webhookUrl !== undefined && plainUrlOf(String(webhookURL)) === plainUrlOf(webhookUrl);
}

function credentialsToWrite({ useBasicAuth, username, password = notShown }: Fields): Fields {
  if (useBasicAuth !== true || typeof username !== "string" || username === "") return {};
  return { credentials: { username, password } };
}

/** Limits: docs/internals/platform/management.md#webhooks. */
const webhookSchema = strictObject({
  id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,50}$/, "expected 1 to 50 letters, digits, - and _")),
  name: opt(words(50)),
  ...callerSchema,
  /** Default: `needed`, which adds at least those of the stage's triggers and flows. */
  triggers: opt(z.union([z.literal("needed"), z.array(someText())])),
  enabled: opt(yesNo),
  retryOnFailure: opt(yesNo),
});

const shownFields = [
  "name",
  "webhookURL",
  "enabled",
  "retryOnFailure",
  "useBasicAuth",
  "username",
  "password",
];

/**
 * It is not documented whether `enabled`, `retryOnFailure` and the credentials are returned
 * (docs/internals/platform/management.md#webhooks), and whether a change keeps what it leaves out.
 */
const webhookKind: Kind = {
  name: "webhook",
  rules: {
    enabled: { isSilent: true },
    retryOnFailure: { isSilent: true },
    useBasicAuth: { isSilent: true },
    username: { isSilent: true },
    password: { isSilent: true },
    triggers: { list: "members" },
  },
  required: ["webhookURL", "triggers"],
  address: "webhookURL",
  hasSecrets: true,
  connect: ({ management, appId, request }) => {
    if (management === undefined) return undefined;
    const calls = management.webhooks;
    const read = async (webhook: Webhook): Promise<FoundResource> => {
      const listed = await Array.fromAsync(calls.listTriggers(appId, webhook.id, request), ({ id }) => id);
      const triggers = listed.length === 0 ? {} : { triggers: listed.toSorted() };
      return { id: webhook.id, fields: { ...pickFields(webhook, shownFields), ...triggers } };
    };
    const subscribe = async (id: string, wanted: unknown, there: unknown) => {
      const { added, gone } = memberChanges(wanted, there);
      if (added.length > 0) {
        requireSuccesses("triggers", await calls.addTriggers(appId, id, { triggerIds: added }, request));
      }
      if (gone.length > 0) await calls.removeTriggers(appId, id, { triggerIds: gone }, request);
    };
    return {
      list: async () => {
        const found = await Array.fromAsync(calls.list(appId, { perPage: 1_000 }, request));
        return Promise.all(found.map(read));
      },
      find: async (id) => {
        const webhook = await unlessMissing("ERR_WEBHOOK_NOT_FOUND", calls.get(appId, id, request));
        return webhook && read(webhook);
      },
      // No operation creates a webhook with its triggers (docs/internals/platform/management.md#triggers).
      // Writes triggers last: only they are certain to be shown, so an interrupted creation is visible.
      write: async (id, { triggers, ...fields }, there) => {
        if (there === undefined) {
          const enabled = fields.enabled === true;
          await calls.create(appId, { name: id, ...fields, id, enabled }, request);
        } else if (Object.keys(fields).length > 0) {
          const kept = pickFields(there.fields, shownFields);
          await calls.update(appId, id, { ...kept, ...fields }, request);
        }
        if (triggers !== undefined) await subscribe(id, triggers, there?.fields.triggers);
      },
      remove: (id) => calls.delete(appId, id, request),
    };
  },
};

/** Declares webhooks of the current engine. */
export const webhooksSubject = defineListSubject({
  name: "webhooks",
  list: "webhooks",
  named: "webhook",
  items: z.array(webhookSchema).check(z.maxLength(25), noTwoAlike("id", "another webhook has the same id")),
  kinds: [webhookKind],
  wanted: (webhook, { webhookUrl, neededTriggers }) => {
    const { id, url = webhookUrl, triggers = "needed", enabled = true, retryOnFailure = true } = webhook;
    const subscribed = triggers === "needed" ? neededTriggers : triggers;
    const fields = {
      ...pickFields({ ...webhook, webhookURL: url }, ["name", "webhookURL"]),
      enabled,
      retryOnFailure,
      ...credentialsOf(webhook),
      ...(subscribed && { triggers: subscribed }),
    };
    return [{ kind: webhookKind.name, id, fields }];
  },
  write: ({ id, fields }, facts) => {
    const { webhookURL: url, triggers = [], name } = fields;
    const { neededTriggers } = facts;
    const isOwn = isOurs(fields, facts);
    const isNeeded = isOwn && neededTriggers !== undefined && fitsAsSet(neededTriggers, triggers);
    return {
      id,
      name,
      ...(isOwn ? {} : { url, ...credentialsToWrite(fields) }),
      triggers: isNeeded ? "needed" : triggers,
      ...pickFields(fields, ["enabled", "retryOnFailure"]),
    };
  },
});

/** Limits: docs/internals/platform/messages.md#bots. */
const botSchema = strictObject({
  uid: z.string().check(z.regex(/^[a-z0-9_-]{1,50}$/, "expected 1 to 50 of a-z 0-9 - _")),
  /** The name of its user, created with it. Default: the user must exist. */
  name: opt(words(100)),
  ...callerSchema,
  groupChatSetting: bots.create.input().shape.groupChatSetting,
  /** Default: true. */
  enabled: opt(yesNo),
});

/**
 * Creates the bot's user first, which remains. Answers omit false, empty or `none`, and contain the password
 * (docs/internals/platform/messages.md#bots).
 */
const botKind: Kind = {
  name: "bot",
  required: ["webhookURL"],
  address: "webhookURL",
  hasSecrets: true,
  connect: ({ chat, request }) => {
    const clients = chat.using({ bots, users });
    const calls: Unchecked<BotsClient> = clients.bots;
    const readUser = (uid: string) => unlessMissing("ERR_UID_NOT_FOUND", clients.users.get(uid, request));
    const read = async (bot: Bot): Promise<FoundResource> => {
      const { uid, groupChatSetting = "none", enabled = false, useBasicAuth = false } = bot;
      const all = { ...bot, name: (await readUser(uid))?.name };
      const shown = pickFields(all, ["name", "webhookURL", "username", "password"]);
      // A bot without an address comes from the emulation's seed and is not declared.
      const isUntouched = shown.webhookURL === undefined;
      return { id: uid, fields: { ...shown, groupChatSetting, enabled, useBasicAuth }, isUntouched };
    };
    const nameUser = async (uid: string, name: unknown) => {
      if (typeof name !== "string") return;
      const user = await readUser(uid);
      if (user === undefined) await clients.users.create({ uid, name }, request).catch(blameDeactivation);
      else if (user.name !== name) await clients.users.update(uid, { name }, request);
    };
    return {
      list: async () => {
        const found = await Array.fromAsync(calls.list({ perPage: 1_000 }, request));
        return Promise.all(found.map(read));
      },
      find: async (uid) => {
        const bot = await unlessMissing("ERR_BOT_NOT_FOUND", calls.get(uid, request));
        return bot && read(bot);
      },
      write: async (uid, { name, ...fields }, there) => {
        await nameUser(uid, name);
        if (there === undefined) await calls.create({ uid, ...fields }, request);
        else if (Object.keys(fields).length > 0) await calls.update(uid, fields, request);
      },
      remove: (uid) => calls.delete(uid, request),
    };
  },
};

function blameDeactivation(error: unknown): never {
  if (!isCode(error, "ERR_UID_ALREADY_EXISTS")) throw error;
  throw new UserDeactivatedError("The bot's user is deactivated. Reactivate the user, then run this again.");
}

class UserDeactivatedError extends OwnError {
  override readonly name = "UserDeactivatedError";
}

export const botsSubject = defineListSubject({
  name: "bots",
  list: "bots",
  named: "bot",
  idField: "uid",
  items: z.array(botSchema).check(z.maxLength(25), noTwoAlike("uid", "another bot has the same uid")),
  kinds: [botKind],
  wanted: (bot, { webhookUrl }) => {
    const { uid, url = webhookUrl, groupChatSetting = "none", enabled = true } = bot;
    const fields = {
      ...pickFields({ ...bot, webhookURL: url }, ["name", "webhookURL"]),
      groupChatSetting,
      enabled,
      useBasicAuth: false,
      ...credentialsOf(bot, { unlessOwn: "bot" }),
    };
    return [{ kind: botKind.name, id: uid, fields }];
  },
  write: ({ id: uid, fields }, facts) => {
    const { webhookURL: url } = fields;
    return {
      uid,
      ...pickFields(fields, ["name"]),
      ...(isOurs(fields, facts) ? {} : { url, ...credentialsToWrite(fields) }),
      ...pickFields(fields, ["groupChatSetting", "enabled"]),
    };
  },
});
