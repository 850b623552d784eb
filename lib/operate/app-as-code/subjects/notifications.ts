import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/config-fields.ts";
import { isRecord } from "../../../base/json.ts";
import { notificationSettings } from "../../../chat/notifications/preferences.ts";
import {
  customEmail,
  customPush,
  customSms,
  sendGrid,
  twilio,
} from "../../../chat/notifications/providers.ts";
import { apnsProviders, fcmProviders } from "../../../chat/notifications/push.ts";
import { opt, strictObject } from "../../../chat/schema.ts";
import type { ApnsProvidersClient } from "../../../chat/types/apns-providers.ts";
import type { FcmProvidersClient } from "../../../chat/types/fcm-providers.ts";
import type { NotificationSettingsClient } from "../../../chat/types/notification-settings.ts";
import { defineSubject } from "../define-subject.ts";
import {
  type AppApis,
  callsPerApp,
  type Fields,
  type FoundResource,
  findEach,
  freeObject,
  type Kind,
  pickFields,
  someText,
  theApp,
  type Unchecked,
  withoutEmpty,
} from "../resource.ts";
import { noPlainSecret } from "../secret-reference.ts";

/** @see docs/internals/platform/notifications.md#app-settings */
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

/** @see docs/internals/platform/notifications.md#push-providers */
const fcmKind = pushKind("FCM provider", (chat) => chat.using({ fcmProviders }).fcmProviders);
const apnsKind = pushKind("APNs provider", (chat) => chat.using({ apnsProviders }).apnsProviders);

/** Assumes that a listed provider has the fields of its input. A missing field proves nothing. */
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

const families = { twilio, sendGrid, customPush, customSms, customEmail };

/** Covers e-mail, SMS, and custom webhooks. */
const singleProviderKind: Kind = {
  name: "notification provider",
  otherRule: { isSilent: true },
  // Only custom providers have an address.
  address: "webhookURL",
  hasSecrets: true,
  isWrittenWhole: true,
  connect: ({ chat, request }) => {
    const calls = new Map<string, ProviderCalls>(Object.entries(chat.using(families)));
    const find = async (id: string): Promise<FoundResource | undefined> => {
      const fields = toProvider((await calls.get(id)?.get(request)) ?? {});
      return fields && { id, fields };
    };
    return {
      list: (ids) => findEach(ids === "all" ? Object.keys(families) : ids, find),
      find,
      write: async (id, target, there) =>
        calls.get(id)?.[there === undefined ? "save" : "update"](target, request),
    };
  },
};

interface ProviderCalls {
  get(options: AppApis["request"]): Promise<Fields>;
  save(input: object, options: AppApis["request"]): Promise<unknown>;
  update(input: object, options: AppApis["request"]): Promise<unknown>;
}

/** The webhook for push is in a list of one. `repliesWebhook` is the platform's. */
function toProvider(answer: Fields): Fields | undefined {
  const { pushProviders } = answer;
  const shown: unknown = Array.isArray(pushProviders) ? pushProviders[0] : answer;
  if (!isRecord(shown)) return undefined;
  const { repliesWebhook: _, ...fields } = shown;
  return Object.keys(fields).length === 0 ? undefined : fields;
}

const fields = freeObject();
const pushProviders = z.array(z.looseObject({ providerId: someText() }));
const alike = "another provider has the same id";

const shape = strictObject({
  /** @see docs/internals/platform/notifications.md#app-settings */
  settings: opt(
    strictObject({
      preferences: opt(fields),
      sound: notificationSettings.update.input().shape.sound,
      templates: opt(fields),
    }),
  ),
  fcm: opt(pushProviders.check(noTwoAlike("providerId", alike))),
  apns: opt(pushProviders.check(noTwoAlike("providerId", alike))),
  /**
   * @see docs/internals/platform/notifications.md#e-mail-and-sms-providers
   * @see docs/internals/platform/notifications.md#custom-providers
   */
  providers: opt(z.partialRecord(z.enum(Object.keys(families)), fields)),
});
const fileSchema = shape.check(noPlainSecret(shape));

export const notificationsSubject = defineSubject({
  name: "notifications",
  schema: fileSchema,
  kinds: [notificationSettingsKind, fcmKind, apnsKind, singleProviderKind],
  wanted: ({ settings = {}, fcm = [], apns = [], providers = {} }) => [
    ...(Object.keys(settings).length === 0
      ? []
      : [{ kind: notificationSettingsKind.name, id: theApp, fields: settings }]),
    ...fcm.map((provider) => wantedPush(fcmKind, provider)),
    ...apns.map((provider) => wantedPush(apnsKind, provider)),
    ...Object.entries(providers).map(([id, own = {}]) => ({
      kind: singleProviderKind.name,
      id,
      fields: own,
    })),
  ],
  items: {
    fcm: ["push", "fcm"],
    apns: ["push", "apns"],
    providers: [],
  },
  write: (found) => {
    const ofKind = ({ name }: Kind) => found.get(name) ?? [];
    const pushOf = (kind: Kind) => ofKind(kind).map(({ id, fields: own }) => ({ providerId: id, ...own }));
    return withoutEmpty({
      settings: ofKind(notificationSettingsKind)[0]?.fields,
      fcm: pushOf(fcmKind),
      apns: pushOf(apnsKind),
      providers: Object.fromEntries(ofKind(singleProviderKind).map(({ id, fields: own }) => [id, own])),
    });
  },
});

function wantedPush({ name: kind }: Kind, { providerId: id, ...own }: z.infer<typeof pushProviders>[number]) {
  return { kind, id, fields: own };
}
