import { acting, after, newToken, provider, type Sample, text, type World } from "../prepare.ts";
import { type Called, type Rows, succeeded } from "../row.ts";

const ofAlice = { uid: "alice" };
const muted = { id: "bob", type: "oneOnOne", until: 4_000_000_000_000 } as const;
const contact = { email: "a@example.com", phno: "+15550100" };
const device = { platform: "fcm_android", providerId: "fcm-1" } as const;
const quiet = { oneOnOnePreferences: { oneOnOneMessages: 1 } };
const isQuiet = (setting: number) => ({ preferences: { oneOnOne: { messagesSetting: setting } } });

async function mutedBob({ chat }: World): Promise<Sample> {
  await chat.notificationPreferences.mute({ ...ofAlice, conversations: [muted] });
  return { input: ofAlice };
}

async function registered(world: World): Promise<Sample> {
  const authToken = (await newToken(world)).path?.authToken ?? "";
  await world.chat.pushTokens.register({ ...device, authToken, fcmToken: "token-1" });
  return { path: { pushToken: "token-1" }, input: { authToken } };
}

async function withContact({ chat }: World): Promise<Sample> {
  await chat.contactDetails.update(contact, acting);
  return acting;
}

/** A message to bob, with a custom provider without a listening server. */
async function notified({ chat }: World): Promise<Sample> {
  await chat.customPush.save({ ...provider, webhookURL: "http://127.0.0.1:9/" });
  await chat.messages.send(text, acting);
  return {};
}

const mutedOf = ({ chat }: World) => chat.notificationPreferences.listMuted(ofAlice);
const preferencesOf = ({ chat }: World) => chat.notificationPreferences.get(ofAlice);
const contactOf = ({ chat }: World) => chat.contactDetails.get(acting);
const tokensOf = ({ chat }: World, { input }: Called) =>
  chat.pushTokens.list({ authToken: "authToken" in input ? String(input.authToken) : "" });

export const notificationRows: Rows = {
  "notifications-push-list-settings": {
    answers: { preferences: { group: { messagesSetting: 2 } }, sound: { chat: "default" } },
  },
  "notifications-push-update-settings": {
    given: { input: { sound: { chat: "ding" } } },
    answers: succeeded,
    leaves: [({ chat }) => chat.notificationSettings.get(), { sound: { chat: "ding", call: "default" } }],
  },
  "notifications-push-reset-settings": {
    given: after(({ chat }) => chat.notificationSettings.update({ sound: { chat: "ding" } })),
    answers: succeeded,
    leaves: [({ chat }) => chat.notificationSettings.get(), { sound: { chat: "default" } }],
  },
  "notifications-push-list-preferences": {
    given: after(({ chat }) => chat.notificationPreferences.update({ ...ofAlice, ...quiet }), {
      input: ofAlice,
    }),
    answers: isQuiet(1),
  },
  "notifications-push-update-preferences": {
    given: { input: { ...ofAlice, ...quiet } },
    answers: isQuiet(1),
    leaves: [preferencesOf, isQuiet(1)],
  },
  "notifications-push-reset-preferences": {
    given: after(({ chat }) => chat.notificationPreferences.update({ ...ofAlice, ...quiet }), {
      input: ofAlice,
    }),
    answers: { oneOnOnePreferences: { oneOnOneMessages: 2 } },
    leaves: [preferencesOf, isQuiet(2)],
  },
  "notifications-push-list-muted": { given: mutedBob, answers: { mutedConversations: [muted] } },
  "notifications-push-mute-conversations": {
    given: { input: { ...ofAlice, conversations: [muted] } },
    answers: succeeded,
    leaves: [mutedOf, { mutedConversations: [muted] }],
  },
  "notifications-push-unmute-conversations": {
    given: after(mutedBob, { input: { ...ofAlice, conversations: [{ id: muted.id, type: muted.type }] } }),
    answers: succeeded,
    leaves: [mutedOf, { mutedConversations: [] }],
  },
  "notifications-get-timezone": {
    given: after(
      ({ chat }) => chat.notificationPreferences.setTimezone({ ...ofAlice, timezone: "Asia/Tokyo" }),
      { input: ofAlice },
    ),
    answers: { timezone: "Asia/Tokyo" },
  },
  "notifications-update-timezone": {
    given: { input: { ...ofAlice, timezone: "Europe/Berlin" } },
    answers: { timezone: "Europe/Berlin" },
    leaves: [({ chat }) => chat.notificationPreferences.getTimezone(ofAlice), { timezone: "Europe/Berlin" }],
  },
  "notifications-push-register-token": {
    given: async (world) => {
      const authToken = (await newToken(world)).path?.authToken ?? "";
      return { input: { ...device, authToken, fcmToken: "token-1" } };
    },
    answers: succeeded,
    leaves: [tokensOf, { pushTokens: [{ ...device, ...ofAlice, pushToken: "token-1" }] }],
  },
  "notifications-push-list-tokens": {
    given: registered,
    answers: { pushTokens: [{ ...device, ...ofAlice, pushToken: "token-1" }] },
  },
  "notifications-push-unregister-tokens": {
    given: registered,
    answers: { pushTokens: [] },
    leaves: [tokensOf, { pushTokens: [] }],
  },
  "notifications-push-delete-token": {
    given: registered,
    answers: { pushTokens: [] },
    leaves: [tokensOf, { pushTokens: [] }],
  },
  "notifications-get-contact-details": { given: withContact, answers: contact },
  "notifications-update-contact-details": {
    given: { input: contact, ...acting },
    answers: contact,
    leaves: [contactOf, contact],
  },
  "notifications-delete-contact-details": {
    given: withContact,
    answers: succeeded,
    leaves: [async (world) => (await contactOf(world)).email ?? "none", "none"],
  },
  "notifications-logs": {
    given: notified,
    answers: [
      {
        channel: "push",
        provider: "custom",
        sender: "alice",
        receiver: "bob",
        member: "bob",
        notificationTriggered: true,
      },
    ],
  },
};
