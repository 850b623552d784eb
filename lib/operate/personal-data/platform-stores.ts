import { OwnError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { lazy } from "../../base/lazy.ts";
import { isChatApiError } from "../../chat/error-guards.ts";
import { lacksFeature } from "../../chat/lacks-feature.ts";
import type { Call } from "../../chat/types/calls.ts";
import type { ChatFamilies } from "../../chat/types/families.ts";
import type { User } from "../../chat/types/users.ts";
import { type Found, isRefusal, type Mentions, type PersonalStore } from "./personal-store.ts";
import type { Person } from "./table-stores.ts";

/** The platform ignored the sender in a list: all users' messages would be exported or erased. */
class OtherSenderError extends OwnError {
  override readonly name = "OtherSenderError";

  constructor(id: string, uid: string) {
    super(
      `The platform lists the message ${id} of another sender among the messages of ${uid}. None of them is ` +
        "exported or erased. Check whether a proxy changes requests to the platform.",
    );
  }
}

/**
 * In the order of deletion. Deleting the user permanently also deletes conversations, friendships and blocks.
 */
export function platformStores(person: Person, chat: ChatFamilies): readonly PersonalStore[] {
  const finders = { ...findersOfMessages(person, chat), ...findersOfUser(person, chat) };
  return Object.entries(finders).map(([name, find]) => ({
    name: `platform ${name}`,
    find: () => unlessGone(find(), name === "profile"),
    // The other stores find nothing without the user.
    ...(name === "profile" && { isLast: true as const }),
  }));
}

type Finders = Readonly<Record<string, () => AsyncIterable<Found>>>;

const permanent = { permanent: true };

function findersOfMessages({ uid, mentions }: Person, chat: ChatFamilies): Finders {
  const actor = { onBehalfOf: uid };
  // Lists backwards: it is not documented with which messages a list by `append` begins
  // (docs/internals/platform/unknown.md#rest).
  const page = { affix: "prepend", limit: 100 } as const;
  /** Runs first: the group's message about the removal would copy the profile. */
  const clearProfile = lazy(() => {
    const empty = { name: "erased", statusMessage: "erased", tags: [] };
    return chat.users.update(uid, { ...empty, unset: ["avatar", "link", "metadata"] }).catch(ignoreGone);
  });
  return {
    reactions: () =>
      each([chat.messages.list({ hasReactions: true, ...page }, actor)], ({ id, data }) =>
        (data?.reactions ?? []).flatMap(({ reaction = "", reactedByMe }) => {
          const erase = () => chat.reactions.remove(id, reaction, actor).catch(ignoreGone);
          return reactedByMe === true ? { id: `${id} ${reaction}`, content: { reaction }, erase } : [];
        }),
      ),
    messages: () =>
      each([chat.messages.list({ sender: uid, withTags: true, ...page })], (message) => {
        const { id, category = "", sender } = message;
        if (sender?.toLowerCase() !== uid) throw new OtherSenderError(id, uid);
        /** Retries without the user, who may have left the group. */
        const asApp = (error: unknown) => {
          if (!isRefusal(error)) throw error;
          return chat.messages.delete(id, permanent).catch(ignoreGone);
        };
        // The conversation gets a note by its actor with a copy of the message. A note by the app would stay.
        const erase = () => chat.messages.delete(id, permanent, actor).catch(asApp);
        const goesWithUser = ["action", "call"].includes(category);
        return [{ id, content: message, ...(!goesWithUser && { erase }) }];
      }),
    /** Notes about members and messages that others changed contain their profile and text. */
    notes: () =>
      each([chat.messages.list({ ...page, category: "action", limit: 1000 })], (message) => {
        if (message.sender === uid || !mentions(message)) return [];
        // ERR_MESSAGE_ACTION_NOT_ALLOWED: docs/internals/platform/messages.md#messages
        const stays = "the platform deletes no note about members and messages";
        return [{ id: message.id, content: message, stays }];
      }),
    memberships: () =>
      each([chat.groups.list({ hasJoined: true }, actor)], ({ guid, name, scope, joinedAt }) => {
        const erase = async () => {
          await clearProfile();
          await chat.members.remove(guid, uid).catch(ignoreGone);
        };
        return [{ id: guid, content: { name, scope, joinedAt }, erase }];
      }),
  };
}

function findersOfUser({ uid, mentions }: Person, chat: ChatFamilies): Finders {
  const actor = { onBehalfOf: uid };
  const deleteTokens = lazy(() => chat.authTokens.deleteAll(uid).catch(ignoreGone));
  const { flaggedMessages } = chat;
  const reviewed = () => flaggedMessages.listReviewed(mostListed);
  return {
    flags: () =>
      each([flaggedMessages.list(mostListed), reviewed()], (message) =>
        flagsOf(message)
          .filter((flag) => flag.uid === uid)
          .map((flag) => ({
            id: String(flag.flaggedAt),
            content: flag,
            // docs/internals/platform/moderation.md#flagged-and-reviewed-messages
            stays: "no operation deletes a flag, with its remark and the user's name",
          })),
      ),
    moderation: () =>
      each([chat.blockedMessages.list(), reviewed()], ({ message }) => {
        if (!mentions(message)) return [];
        const { id = "", sender, receiver } = message ?? {};
        // A message that moderation withheld from the user is another user's data.
        const content = sender === uid ? message : { sender, receiver };
        // docs/internals/platform/moderation.md#blocked-messages
        const stays = "no operation deletes a record of moderation, with uid, name and avatar";
        return [{ id, content, stays }];
      }),
    calls: () => findCalls(mentions, chat.calls.list({ uid, perPage: 1_000 })),
    "contact details": async function* () {
      const content = await chat.contactDetails.get(actor);
      const erase = () => chat.contactDetails.delete(actor).catch(ignoreGone);
      if (Object.keys(content).length > 0) yield { id: uid, content, erase };
    },
    devices: () => findDevices(chat, uid),
    tokens: () =>
      each([chat.authTokens.list(uid)], ({ createdAt, platform }) => [
        { id: String(createdAt), content: { createdAt, platform }, erase: deleteTokens },
      ]),
    // The last message and the other user are another user's data.
    conversations: () =>
      each([chat.conversations.list({ withTags: true }, actor)], ({ conversationId: id = "", tags }) => [
        { id, content: { tags } },
      ]),
    friends: () => each([chat.friends.list(uid)], nameOf),
    blocked: () => each([chat.blockedUsers.list(uid)], nameOf),
    profile: async function* () {
      const search = { searchKey: uid, searchIn: ["uid" as const], withDeactivated: true };
      const erase = () => chat.users.delete(uid, permanent).catch(ignoreGone);
      const user = await chat.users.get(uid).catch(ignoreGone);
      const found = user === undefined ? chat.users.list(search) : [user];
      for await (const content of found) if (content.uid === uid) yield { id: uid, content, erase };
    },
  };
}

function nameOf({ uid: id, name }: User) {
  return [{ id, content: { name } }];
}

async function* each<Item>(lists: readonly AsyncIterable<Item>[], toFound: (item: Item) => readonly Found[]) {
  for (const list of lists) for await (const item of list) yield* toFound(item);
}

function findCalls(mentions: Mentions, calls: AsyncIterable<Call>) {
  const stays = "no operation deletes a call's record, with its recordings and transcripts";
  return each([calls], (call) => (mentions(call) ? [{ id: call.sessionId, content: call, stays }] : []));
}

/** Each is found by any token of its user. */
async function* findDevices(chat: ChatFamilies, uid: string) {
  for await (const { authToken } of chat.authTokens.list(uid)) {
    const all = { authToken, all: true };
    const erase = () => chat.pushTokens.unregister(all).catch(ignoreGone);
    const { pushTokens } = await chat.pushTokens.list(all);
    for (const { authToken: _secret, ...device } of pushTokens ?? [])
      yield { id: device.pushToken ?? "", content: device, erase };
    return;
  }
}

function flagsOf(message: object) {
  const flaggedBy: unknown = Reflect.get(message, "flaggedBy");
  return Array.isArray(flaggedBy) ? flaggedBy.filter(isRecord) : [];
}

const mostListed = { limit: 1_000 };

/** A refused feature stores nothing. Every plan has users. */
async function* unlessGone(found: AsyncIterable<Found>, isCore: boolean) {
  try {
    yield* found;
  } catch (error) {
    if (isCore || !lacksFeature(error)) ignoreGone(error);
  }
}

function ignoreGone(error: unknown): undefined {
  if (!isChatApiError(error) || !goneCode.test(error.code)) throw error;
}

/** A key or an app that is not found has other codes. */
const goneCode = /^ERR_((UID|GUID|MESSAGE_ID|AUTH_TOKEN)_NOT_FOUND|NOT_A_MEMBER)$/;
