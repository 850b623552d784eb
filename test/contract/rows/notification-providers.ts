import {
  after,
  apns,
  fcm,
  provider,
  type Sample,
  sendGrid,
  twilio,
  type World,
  withInput,
} from "../prepare.ts";
import { type Expected, type Rows, succeeded } from "../row.ts";

export const providerRows: Rows = {
  ...several({
    list: "notifications-push-list-fcm-providers",
    one: (verb) => `notifications-push-${verb}-fcm-provider`,
    first: fcm,
    change: { serviceAccountCreds: { private_key: "k2" } },
    service: ({ chat }) => chat.fcmProviders,
    addAnswers: () => succeeded,
  }),
  ...several({
    list: "notifications-push-list-apns-providers",
    one: (verb) => `notifications-push-${verb}-apns-provider`,
    first: apns,
    change: { keyId: "k2" },
    service: ({ chat }) => chat.apnsProviders,
    addAnswers: (...providers) => ({ pushProviders: providers }),
  }),
  ...single({
    id: (verb) => `notifications-sms-${verb}-twilio-details`,
    whole: twilio,
    change: { twilioAuthToken: "other" },
    get: ({ chat }) => chat.twilio.get(),
    save: ({ chat }) => chat.twilio.save(twilio),
  }),
  ...single({
    id: (verb) => `notifications-email-${verb}-sendgrid-details`,
    whole: sendGrid,
    change: { senderName: "Other" },
    get: ({ chat }) => chat.sendGrid.get(),
    save: ({ chat }) => chat.sendGrid.save(sendGrid),
  }),
  ...single({
    id: (verb) => `notifications-${verb}-push-custom-provider`,
    whole: provider,
    get: ({ chat }) => chat.customPush.get(),
    save: ({ chat }) => chat.customPush.save(provider),
    isListed: true,
  }),
  ...single({
    id: (verb) => `notifications-${verb}-sms-custom-provider`,
    whole: { ...provider, useStoredPhNo: true },
    get: ({ chat }) => chat.customSms.get(),
    save: ({ chat }) => chat.customSms.save({ ...provider, useStoredPhNo: true }),
  }),
  ...single({
    id: (verb) => `notifications-${verb}-email-custom-provider`,
    whole: { ...provider, useStoredEmailID: true },
    get: ({ chat }) => chat.customEmail.get(),
    save: ({ chat }) => chat.customEmail.save({ ...provider, useStoredEmailID: true }),
  }),
};

interface Several<Provider> {
  readonly list: string;
  readonly one: (verb: "add" | "update" | "delete" | "default") => string;
  readonly first: Provider;
  readonly change: object;
  readonly service: (world: World) => { add(provider: Provider): unknown; list(): unknown };
  readonly addAnswers: (...providers: object[]) => Expected;
}

/** The rows of a push service: an app can have several providers and one default. */
function several<Provider extends { providerId: string }>(push: Several<Provider>): Rows {
  const { first, change, service } = push;
  const second = { ...first, providerId: "second" };
  const shows = (...providers: object[]) =>
    [(world: World) => service(world).list(), { pushProviders: providers }] as const;
  const both = async (world: World): Promise<Sample> => {
    await service(world).add(first);
    await service(world).add(second);
    return { path: { providerId: "second" } };
  };
  return {
    [push.list]: {
      given: both,
      answers: {
        pushProviders: [
          { ...first, isDefault: true },
          { ...second, isDefault: false },
        ],
      },
    },
    [push.one("add")]: {
      given: { input: first },
      answers: push.addAnswers(first),
      leaves: shows({ ...first, isDefault: true }),
    },
    [push.one("update")]: {
      given: after(both, { input: { providerId: "second", ...change } }),
      answers: succeeded,
      leaves: shows(first, { ...second, ...change }),
    },
    [push.one("delete")]: { given: both, answers: succeeded, leaves: shows(first) },
    [push.one("default")]: {
      given: both,
      answers: succeeded,
      leaves: shows({ ...first, isDefault: false }, { ...second, isDefault: true }),
    },
  };
}

interface Single {
  readonly id: (verb: "list" | "save" | "update" | "delete") => string;
  readonly whole: object;
  /** Default: it is disabled. */
  readonly change?: object;
  readonly get: (world: World) => Promise<unknown>;
  readonly save: (world: World) => Promise<unknown>;
  /** Answers contain it as a list of one. */
  readonly isListed?: true;
}

/** The rows of a provider that an app has once. */
function single({ id, whole, change = { isEnabled: false }, get, save, isListed }: Single): Rows {
  const shown = (provider: object) => (isListed ? { pushProviders: [provider] } : provider);
  const saved = async (world: World): Promise<Sample> => {
    await save(world);
    return {};
  };
  const changed = shown({ ...whole, ...change });
  return {
    [id("list")]: { given: saved, answers: shown(whole) },
    [id("save")]: { given: { input: whole }, answers: shown(whole), leaves: [get, shown(whole)] },
    [id("update")]: {
      given: withInput(saved, change),
      answers: changed,
      leaves: [get, changed],
    },
    [id("delete")]: {
      given: saved,
      answers: succeeded,
      leaves: [async (world) => JSON.stringify(await get(world)), isListed ? '{"pushProviders":[]}' : "{}"],
    },
  };
}
