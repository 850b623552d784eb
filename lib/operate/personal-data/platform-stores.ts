import { lazy } from "../../base/lazy.ts";
import type { Connection } from "../../chat/compose.ts";
import { composeOn } from "../../chat/compose.ts";
import { isChatApiError } from "../../chat/error-guards.ts";
import { authTokens } from "../../chat/resources/auth-tokens.ts";
import { blockedUsers } from "../../chat/resources/blocked-users.ts";
import { conversations } from "../../chat/resources/conversations.ts";
import { friends } from "../../chat/resources/friends.ts";
import { groups } from "../../chat/resources/groups.ts";
import { members } from "../../chat/resources/members.ts";
import { messages } from "../../chat/resources/messages.ts";
import { reactions } from "../../chat/resources/reactions.ts";
import { users } from "../../chat/resources/users.ts";
import type { Found, PersonalStore } from "./personal-store.ts";
import type { Person } from "./table-stores.ts";

const families = {
  ...{ authTokens, blockedUsers, conversations, friends, groups, members, messages, reactions, users },
};

/** Answers that mean that the thing, or the user, is not there. */
const goneCodes = new Set([
  "ERR_UID_NOT_FOUND",
  "ERR_GUID_NOT_FOUND",
  "ERR_MESSAGE_ID_NOT_FOUND",
  "ERR_NOT_A_MEMBER",
  "ERR_GROUP_NOT_JOINED",
]);

/**
 * Returns what the platform stores about a user, in the order of its deletion. The permanent deletion of the
 * user also deletes conversations, friendships and blocks.
 */
export function platformStores({ uid }: Person, connection: Connection): readonly PersonalStore[] {
  const chat = composeOn(connection, families);
  const actor = { onBehalfOf: uid };
  const pageSize = 100;

  const findReactions = async () => {
    const found: Found[] = [];
    for await (const { id, data } of chat.messages.list({ hasReactions: true, limit: pageSize }, actor)) {
      for (const { reaction, reactedByMe } of data?.reactions ?? []) {
        if (id === undefined || reaction === undefined || reactedByMe !== true) continue;
        const erase = () => unlessGone(() => chat.reactions.remove(id, reaction, actor));
        found.push({ id: `${id} ${reaction}`, content: { messageId: id, reaction }, erase });
      }
    }
    return found;
  };
  const findMessages = async () => {
    const found: Found[] = [];
    for await (const message of chat.messages.list({ sender: uid, withTags: true, limit: pageSize })) {
      const { id = "", category, deletedAt } = message;
      // The platform reports the deletion in the conversation, in the name of the one who deletes.
      const erase = async () => {
        const isDone = await unlessGone(() => chat.messages.delete(id, { permanent: true }, actor));
        if (isDone === undefined) await unlessGone(() => chat.messages.delete(id, { permanent: true }));
      };
      const goesWithUser = category === "action" || category === "call" || deletedAt !== undefined;
      found.push({ id, content: message, ...(!goesWithUser && { erase }) });
    }
    return found;
  };
  const findProfile = async () => {
    const user =
      (await unlessGone(() => chat.users.get(uid))) ??
      (await chat.users.list({ searchKey: uid, searchIn: ["uid"], withDeactivated: true }).page()).items.find(
        (one) => one.uid === uid,
      );
    const erase = () => unlessGone(() => chat.users.delete(uid, { permanent: true }));
    return user === undefined ? [] : [{ id: uid, content: user, erase }];
  };
  /** The group's message about the removal would keep a copy of the profile. */
  const clearProfile = lazy(() => {
    const empty = { name: "erased", statusMessage: "erased", tags: [] };
    return chat.users.update(uid, { ...empty, unset: ["avatar", "link", "metadata"] });
  });
  const deleteTokens = lazy(() => unlessGone(() => chat.authTokens.deleteAll(uid)));
  const ofUser: Readonly<Record<string, () => Promise<readonly Found[]>>> = {
    reactions: findReactions,
    messages: findMessages,
    memberships: () =>
      listed(chat.groups.list({ hasJoined: true }, actor), ({ guid, name, scope, joinedAt }) => ({
        id: guid,
        content: { guid, name, scope, joinedAt },
        erase: async () => {
          await unlessGone(clearProfile);
          await unlessGone(() => chat.members.remove(guid, uid));
        },
      })),
    tokens: () =>
      listed(chat.authTokens.list(uid), ({ createdAt, platform }, index) => ({
        id: String(index + 1),
        content: { createdAt, platform },
        erase: deleteTokens,
      })),
    conversations: () =>
      // The last message and the other user are another user's data.
      listed(
        chat.conversations.list({ withTags: true }, actor),
        ({ lastMessage: _, conversationWith: __, ...content }) => ({
          ...{ id: content.conversationId ?? "", content },
        }),
      ),
    friends: () =>
      listed(chat.friends.list(uid), ({ uid: id, name }) => ({ id, content: { uid: id, name } })),
    blocked: () =>
      listed(chat.blockedUsers.list(uid), ({ uid: id, name }) => ({ id, content: { uid: id, name } })),
    profile: findProfile,
  };
  return Object.entries(ofUser).map(([name, find]) => ({
    name: `platform ${name}`,
    find: async () => ({ found: (await unlessGone(find)) ?? [] }),
  }));
}

async function listed<Item>(
  items: AsyncIterable<Item>,
  toFound: (item: Item, index: number) => Found,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for await (const item of items) found.push(toFound(item, found.length));
  return found;
}

/** Returns undefined if the platform answers that it is not there. */
async function unlessGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isChatApiError(error) && goneCodes.has(error.code)) return undefined;
    throw error;
  }
}
