import { isRecord } from "../../base/json.ts";
import { lazy } from "../../base/lazy.ts";
import { isChatApiError } from "../../chat/error-guards.ts";
import { lacksFeature } from "../../chat/lacks-feature.ts";
import type { ChatFamilies } from "../../chat/types/families.ts";
import { type Found, isRefusal, type PersonalStore } from "./personal-store.ts";
import type { Person } from "./table-stores.ts";

/**
 * Returns what the platform stores about a user, in the order of its deletion. The permanent deletion of the
 * user also deletes conversations, friendships and blocks.
 */
export function platformStores({ uid, mentions }: Person, chat: ChatFamilies): readonly PersonalStore[] {
  const actor = { onBehalfOf: uid };
  const page = { limit: 100 };
  const permanent = { permanent: true };
  const deleteTokens = lazy(() => chat.authTokens.deleteAll(uid).catch(ignoreGone));
  /** The group's message about the removal would keep a copy of the profile. */
  const clearProfile = lazy(() => {
    const empty = { name: "erased", statusMessage: "erased", tags: [] };
    return chat.users.update(uid, { ...empty, unset: ["avatar", "link", "metadata"] }).catch(ignoreGone);
  });
  const finders: Readonly<Record<string, () => AsyncIterable<Found>>> = {
    reactions: async function* () {
      for await (const { id, data } of chat.messages.list({ hasReactions: true, ...page }, actor)) {
        for (const { reaction = "", reactedByMe } of data?.reactions ?? []) {
          const erase = () => chat.reactions.remove(id, reaction, actor).catch(ignoreGone);
          if (reactedByMe === true) yield { id: `${id} ${reaction}`, content: { reaction }, erase };
        }
      }
    },
    messages: async function* () {
      for await (const message of chat.messages.list({ sender: uid, withTags: true, ...page })) {
        const { id, category = "" } = message;
        /** In a group that the user has left, the user may not. */
        const asApp = (error: unknown) => {
          if (!isRefusal(error)) throw error;
          return chat.messages.delete(id, permanent).catch(ignoreGone);
        };
        // The conversation gets a note by its actor with a copy of the message: one by the app would stay.
        const erase = () => chat.messages.delete(id, permanent, actor).catch(ignoreGone).catch(asApp);
        const goesWithUser = ["action", "call"].includes(category);
        yield { id, content: message, ...(!goesWithUser && { erase }) };
      }
    },
    /** About members and messages that others added, changed or removed: with their profile and text. */
    notes: async function* () {
      for await (const message of chat.messages.list({ category: "action", limit: 1000 })) {
        const { id, sender } = message;
        if (sender !== uid && mentions(message)) yield { id, content: message, stays: notesStay };
      }
    },
    memberships: async function* () {
      for await (const { guid, name, scope, joinedAt } of chat.groups.list({ hasJoined: true }, actor)) {
        const erase = async () => {
          await clearProfile();
          await chat.members.remove(guid, uid).catch(ignoreGone);
        };
        yield { id: guid, content: { name, scope, joinedAt }, erase };
      }
    },
    flags: () => findFlags(chat, uid),
    moderation: async function* () {
      for (const list of [chat.blockedMessages.list(), chat.flaggedMessages.listReviewed(mostListed)])
        for await (const { message } of list) {
          if (!mentions(message)) continue;
          const { id = "", sender, receiver } = message ?? {};
          // What moderation withheld from the user is another user's data.
          yield { id, content: sender === uid ? message : { sender, receiver }, stays: recordsStay };
        }
    },
    "contact details": async function* () {
      const content = await chat.contactDetails.get(actor);
      const erase = () => chat.contactDetails.delete(actor).catch(ignoreGone);
      if (Object.keys(content).length > 0) yield { id: uid, content, erase };
    },
    devices: () => findDevices(chat, uid),
    tokens: async function* () {
      for await (const { createdAt, platform } of chat.authTokens.list(uid))
        yield { id: String(createdAt), content: { createdAt, platform }, erase: deleteTokens };
    },
    conversations: async function* () {
      // The last message and the other user are another user's data.
      const all = chat.conversations.list({ withTags: true }, actor);
      for await (const { conversationId: id = "", tags } of all) yield { id, content: { tags } };
    },
    friends: async function* () {
      for await (const { uid: id, name } of chat.friends.list(uid)) yield { id, content: { name } };
    },
    blocked: async function* () {
      for await (const { uid: id, name } of chat.blockedUsers.list(uid)) yield { id, content: { name } };
    },
    profile: async function* () {
      const search = { searchKey: uid, searchIn: ["uid" as const], withDeactivated: true };
      const erase = () => chat.users.delete(uid, permanent).catch(ignoreGone);
      const user = await chat.users.get(uid).catch(ignoreGone);
      if (user !== undefined) return yield { id: uid, content: user, erase };
      for await (const content of chat.users.list(search))
        if (content.uid === uid) yield { id: uid, content, erase };
    },
  };
  return Object.entries(finders).map(([name, find]) => ({
    name: `platform ${name}`,
    find: () => unlessGone(find(), name === "profile"),
    // Of a user who is gone, the other stores find nothing.
    ...(name === "profile" && { isLast: true as const }),
  }));
}

/** Each is found by any token of its user. */
async function* findDevices(chat: ChatFamilies, uid: string): AsyncIterable<Found> {
  for await (const { authToken } of chat.authTokens.list(uid)) {
    const all = { authToken, all: true };
    const erase = () => chat.pushTokens.unregister(all).catch(ignoreGone);
    const { pushTokens } = await chat.pushTokens.list(all);
    for (const { authToken: _secret, ...device } of pushTokens ?? [])
      yield { id: device.pushToken ?? "", content: device, erase };
    return;
  }
}

async function* findFlags(chat: ChatFamilies, uid: string): AsyncIterable<Found> {
  for (const list of [chat.flaggedMessages.list(mostListed), chat.flaggedMessages.listReviewed(mostListed)])
    for await (const message of list)
      for (const flag of flagsOf(message))
        if (flag.uid === uid) yield { id: String(flag.flaggedAt), content: flag, stays: flagsStay };
}

function flagsOf(message: object): readonly Record<string, unknown>[] {
  const flaggedBy: unknown = Reflect.get(message, "flaggedBy");
  return Array.isArray(flaggedBy) ? flaggedBy.filter(isRecord) : [];
}

/** ERR_MESSAGE_ACTION_NOT_ALLOWED: docs/internals/platform/messages.md#messages */
const notesStay = "the platform deletes no note about members and messages";

/** docs/internals/platform/moderation.md#flagged-and-reviewed-messages */
const flagsStay = "no operation deletes a flag, with its remark and the user's name";

/** docs/internals/platform/moderation.md#blocked-messages */
const recordsStay = "no operation deletes a record of moderation, with uid, name and avatar";

const mostListed = { limit: 1_000 };

/** A feature that the platform refuses stores nothing. No plan lacks users. */
async function* unlessGone(found: AsyncIterable<Found>, isCore: boolean) {
  try {
    yield* found;
  } catch (error) {
    if (isCore || !lacksFeature(error)) ignoreGone(error);
  }
}

/** @throws the error, unless it says that a thing or the user is not there */
function ignoreGone(error: unknown): undefined {
  if (!isChatApiError(error) || !goneCode.test(error.code)) throw error;
}

/** A key or an app that is not found has other codes. */
const goneCode = /^ERR_((UID|GUID|MESSAGE_ID|AUTH_TOKEN)_NOT_FOUND|NOT_A_MEMBER)$/;
