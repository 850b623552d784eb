import { isRecord } from "../../../base/json.ts";
import { OwnError } from "../../../base/own-error.ts";
import { customEmail, customPush, customSms } from "../../../chat/notifications/custom-providers.ts";
import { sendGrid, twilio } from "../../../chat/notifications/mail-and-sms.ts";
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
  // Of custom ones.
  address: "webhookURL",
  hasSecrets: true,
  connect: ({ chat, request }) => {
    const calls: Readonly<Record<SingleProvider, ProviderCalls>> = chat.using(families);
    const find = async (id: string): Promise<FoundThing | undefined> => {
      const fields = toProvider(await calls[providerNamed(id)].get(request));
      return fields && { id, fields };
    };
    return {
      list: (ids) => findEach(ids === "all" ? singleProviders : ids, find),
      find,
      create: async (id, target) => calls[providerNamed(id)].save(target, request),
      change: async (id, target) => calls[providerNamed(id)].update(target, request),
    };
  },
};

const families = { twilio, sendGrid, customPush, customSms, customEmail };

/** Of each family; the client checks the inputs. */
interface ProviderCalls {
  get(options: AppApis["request"]): Promise<Fields>;
  save(input: object, options: AppApis["request"]): Promise<unknown>;
  update(input: object, options: AppApis["request"]): Promise<unknown>;
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
