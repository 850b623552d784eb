import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { defineSubject, type FoundByKind } from "../define-subject.ts";
import { freeObject } from "../free-object.ts";
import { theApp } from "../per-app.ts";
import { noPlainSecret } from "../plain-secret.ts";
import type { Kind, WantedThing } from "../thing.ts";
import { notificationSettingsKind } from "./notification-settings-kind.ts";
import { apnsKind, fcmKind } from "./push-provider-kinds.ts";
import { singleProviderKind, singleProviders } from "./single-provider-kind.ts";

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
  wanted: toThings,
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

function toThings({
  settings,
  fcm = [],
  apns = [],
  providers = {},
}: NotificationsFile): readonly WantedThing[] {
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
