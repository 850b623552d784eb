import { isRecord } from "../../../base/json.ts";
import { OwnError } from "../../../base/own-error.ts";
import { customEmail, customPush, customSms } from "../../../chat/notifications/custom-providers.ts";
import { sendGrid, twilio } from "../../../chat/notifications/mail-and-sms.ts";
import { inputOf } from "../input-of.ts";
import { findEach } from "../members.ts";
import type { AppApis, Fields, FoundThing, Kind } from "../thing.ts";

/** One each per app. */
export const singleProviders = ["twilio", "sendGrid", "customPush", "customSms", "customEmail"] as const;

export type SingleProvider = (typeof singleProviders)[number];

/** E-mail, SMS, and custom webhooks. */
export const singleProviderKind: Kind = {
  name: "notification provider",
  rules: {},
  otherRule: { isSilent: true },
  hasSecrets: true,
  connect: (apis) => {
    const calls = callsByProvider(apis);
    const find = async (id: string): Promise<FoundThing | undefined> => {
      const fields = toProvider(await calls[providerNamed(id)].read());
      return fields && { id, fields };
    };
    return {
      list: (ids) => findEach(ids === "all" ? singleProviders : ids, find),
      find,
      create: async (id, target) => {
        await calls[providerNamed(id)].save(target);
      },
      change: async (id, target) => {
        await calls[providerNamed(id)].change(target);
      },
    };
  },
};

interface ProviderCalls {
  readonly read: () => Promise<Fields>;
  readonly save: (fields: Fields) => Promise<unknown>;
  readonly change: (fields: Fields) => Promise<unknown>;
}

function callsByProvider({
  chat: { call },
  request,
}: AppApis): Readonly<Record<SingleProvider, ProviderCalls>> {
  return {
    twilio: {
      read: () => call(twilio.get, request),
      save: (fields) => call(twilio.save, inputOf(twilio.save, fields), request),
      change: (fields) => call(twilio.update, inputOf(twilio.update, fields), request),
    },
    sendGrid: {
      read: () => call(sendGrid.get, request),
      save: (fields) => call(sendGrid.save, inputOf(sendGrid.save, fields), request),
      change: (fields) => call(sendGrid.update, inputOf(sendGrid.update, fields), request),
    },
    customPush: {
      read: () => call(customPush.get, request),
      save: (fields) => call(customPush.save, inputOf(customPush.save, fields), request),
      change: (fields) => call(customPush.update, inputOf(customPush.update, fields), request),
    },
    customSms: {
      read: () => call(customSms.get, request),
      save: (fields) => call(customSms.save, inputOf(customSms.save, fields), request),
      change: (fields) => call(customSms.update, inputOf(customSms.update, fields), request),
    },
    customEmail: {
      read: () => call(customEmail.get, request),
      save: (fields) => call(customEmail.save, inputOf(customEmail.save, fields), request),
      change: (fields) => call(customEmail.update, inputOf(customEmail.update, fields), request),
    },
  };
}

/** @throws Error for an unknown provider; the file's schema knows the names */
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
