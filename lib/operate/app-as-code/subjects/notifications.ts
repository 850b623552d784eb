import * as z from "zod/mini";
import { isRecord } from "../../../base/json.ts";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { OwnError } from "../../../base/own-error.ts";
import { notificationSettings } from "../../../chat/notifications/preferences.ts";
import {
  customEmail,
  customPush,
  customSms,
  sendGrid,
  twilio,
} from "../../../chat/notifications/providers.ts";
import { apnsProviders, fcmProviders } from "../../../chat/notifications/push.ts";
import type { ApnsProvidersClient } from "../../../chat/types/apns-providers.ts";
import type { FcmProvidersClient } from "../../../chat/types/fcm-providers.ts";
import type { NotificationSettingsClient } from "../../../chat/types/notification-settings.ts";
import { defineSubject, type FoundByKind } from "../define-subject.ts";
import {
  type AppApis,
  callsPerApp,
  type Fields,
  type FoundResource,
  findEach,
  freeObject,
  type Kind,
  pickFields,
  theApp,
  type Unchecked,
  type WantedResource,
} from "../resource.ts";
import { noPlainSecret } from "../secret-reference.ts";

/** docs/internals/platform/notifications.md#app-settings */
const notificationSettingsKind: Kind = {
  name: "notification settings",
  connect: ({ chat, request }) => {
    const calls: Unchecked<NotificationSettingsClient> = chat.using({
      notificationSettings,
    }).notificationSettings;
    return callsPerApp(
      async () => pickFields(await calls.get(request), ["preferences", "sound", "templates"]),
      // Whether a change merges is not documented.
      (target, before) => calls.update(merged(pickFields(before, Object.keys(target)), target), request),
    );
  },
};

function merged(before: Fields, change: Fields): Fields {
  const changed = Object.entries(change).map(([name, value]) => {
    const known = before[name];
    return [name, isRecord(known) && isRecord(value) ? merged(known, value) : value];
  });
  return { ...before, ...Object.fromEntries(changed) };
}

/** docs/internals/platform/notifications.md#push-providers */
const fcmKind = pushKind("FCM provider", (chat) => chat.using({ fcmProviders }).fcmProviders);
const apnsKind = pushKind("APNs provider", (chat) => chat.using({ apnsProviders }).apnsProviders);

/** Inferred: a listed provider has its input's fields; a missing one proves nothing. */
function pushKind(
  name: string,
  callsOf: (chat: AppApis["chat"]) => Unchecked<FcmProvidersClient> | Unchecked<ApnsProvidersClient>,
): Kind {
  return {
    name,
    otherRule: { isSilent: true },
    hasSecrets: true,
    isWrittenWhole: true,
    connect: ({ chat, request }) => {
      const calls = callsOf(chat);
      const list = async (): Promise<readonly FoundResource[]> => {
        const { pushProviders = [] } = await calls.list(request);
        return pushProviders.flatMap(({ providerId, ...fields }) =>
          typeof providerId === "string" ? [{ id: providerId, fields }] : [],
        );
      };
      return {
        list,
        find: async (id) => (await list()).find((provider) => provider.id === id),
        write: async (providerId, { isDefault, ...target }, there) => {
          if (there === undefined) await calls.add({ ...target, providerId }, request);
          else if (Object.keys(target).length > 0) await calls.update({ ...target, providerId }, request);
          if (isDefault === true) await calls.makeDefault(providerId, request);
        },
      };
    },
  };
}

const singleProviders = ["twilio", "sendGrid", "customPush", "customSms", "customEmail"] as const;

type SingleProvider = (typeof singleProviders)[number];

/** E-mail, SMS, and custom webhooks. */
const singleProviderKind: Kind = {
  name: "notification provider",
  otherRule: { isSilent: true },
  // Of custom ones.
  address: "webhookURL",
  hasSecrets: true,
  isWrittenWhole: true,
  connect: ({ chat, request }) => {
    const calls: Readonly<Record<SingleProvider, ProviderCalls>> = chat.using(families);
    const find = async (id: string): Promise<FoundResource | undefined> => {
      const fields = toProvider(await calls[providerNamed(id)].get(request));
      return fields && { id, fields };
    };
    return {
      list: (ids) => findEach(ids === "all" ? singleProviders : ids, find),
      find,
      write: async (id, target, there) =>
        calls[providerNamed(id)][there === undefined ? "save" : "update"](target, request),
    };
  },
};

const families = { twilio, sendGrid, customPush, customSms, customEmail };

interface ProviderCalls {
  get(options: AppApis["request"]): Promise<Fields>;
  save(input: object, options: AppApis["request"]): Promise<unknown>;
  update(input: object, options: AppApis["request"]): Promise<unknown>;
}

function providerNamed(name: string): SingleProvider {
  const provider = singleProviders.find((known) => known === name);
  if (provider === undefined)
    throw new OwnError(`There is no provider ${name}. config/app/notifications.yml names one.`);
  return provider;
}

/** Empty without a provider; the webhook for push is in a list of one. `repliesWebhook` is the platform's. */
function toProvider(answer: Fields): Fields | undefined {
  const { pushProviders } = answer;
  const shown: unknown = Array.isArray(pushProviders) ? pushProviders[0] : answer;
  if (!isRecord(shown)) return undefined;
  const { repliesWebhook: _, ...fields } = shown;
  return Object.keys(fields).length === 0 ? undefined : fields;
}

const fields = freeObject();
const pushProviders = z.array(z.looseObject({ providerId: z.string().check(z.minLength(1)) }));
const alike = "another provider has the same id";

const shape = z.strictObject({
  /** docs/internals/platform/notifications.md#app-settings */
  settings: z.optional(
    z.strictObject({
      preferences: z.optional(fields),
      sound: z.optional(z.strictObject({ chat: z.optional(z.string()), call: z.optional(z.string()) })),
      templates: z.optional(fields),
    }),
  ),
  fcm: z.optional(pushProviders.check(noTwoAlike("providerId", alike))),
  apns: z.optional(pushProviders.check(noTwoAlike("providerId", alike))),
  /**
   * docs/internals/platform/notifications.md#e-mail-and-sms-providers,
   * docs/internals/platform/notifications.md#custom-providers
   */
  providers: z.optional(z.partialRecord(z.enum(singleProviders), fields)),
});
const fileSchema = shape.check(noPlainSecret(shape));

type NotificationsFile = z.infer<typeof fileSchema>;

const kinds: readonly Kind[] = [notificationSettingsKind, fcmKind, apnsKind, singleProviderKind];

export const notificationsSubject = defineSubject({
  name: "notifications",
  schema: fileSchema,
  kinds,
  wanted: toResources,
  absent: () => [],
  items: {
    fcm: { named: ["push", "fcm"], idField: "providerId" },
    apns: { named: ["push", "apns"], idField: "providerId" },
    providers: { named: [] },
  },
  write: (found) => ({
    ...settingsOf(found),
    ...providersOf(found, fcmKind, "fcm"),
    ...providersOf(found, apnsKind, "apns"),
    ...singlesOf(found),
  }),
});

function toResources({
  settings,
  fcm = [],
  apns = [],
  providers = {},
}: NotificationsFile): readonly WantedResource[] {
  const push = [...fcm.map((one) => [fcmKind, one] as const), ...apns.map((one) => [apnsKind, one] as const)];
  const singles: readonly (readonly [string, Readonly<Record<string, unknown>> | undefined])[] =
    Object.entries(providers);
  return [
    ...(settings === undefined || Object.keys(settings).length === 0
      ? []
      : [{ kind: notificationSettingsKind.name, id: theApp, fields: settings }]),
    ...push.map(([kind, { providerId, ...own }]) => ({ kind: kind.name, id: providerId, fields: own })),
    ...singles.map(([id, own]) => ({ kind: singleProviderKind.name, id, fields: own ?? {} })),
  ];
}

function settingsOf(found: FoundByKind) {
  const settings = found.get(notificationSettingsKind.name)?.[0]?.fields;
  return settings === undefined ? {} : { settings };
}

function providersOf(found: FoundByKind, { name }: Kind, key: string) {
  const providers = (found.get(name) ?? []).map(({ id, fields: own }) => ({
    providerId: id,
    ...own,
  }));
  return providers.length === 0 ? {} : { [key]: providers };
}

function singlesOf(found: FoundByKind) {
  const entries = (found.get(singleProviderKind.name) ?? []).map(({ id, fields: own }) => [id, own]);
  return entries.length === 0 ? {} : { providers: Object.fromEntries(entries) };
}
