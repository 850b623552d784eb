import type { ChatClient } from "../../../lib/chat/client.ts";

export async function groups(chat: ChatClient) {
  // example
  await chat.groups.create({ guid: "club", name: "Club", type: "public", owner: "alice" });
  await chat.groups.update("club", { description: "Every Tuesday" });
  for await (const group of chat.groups.list({ searchKey: "clu" })) console.log(group.membersCount);
  // end
}

export async function members(chat: ChatClient) {
  // example
  await chat.groups.create({ guid: "club", name: "Club", type: "public" });
  const added = await chat.members.add("club", { admins: ["alice"], participants: ["bob"] });
  console.log(added.participants?.bob?.success); // each uid has a result of its own
  await chat.members.changeScope("club", "bob", { scope: "moderator" });
  // end
}

export async function bannedUsers(chat: ChatClient) {
  // example
  await chat.bannedUsers.ban("lobby", "bob");
  for await (const { uid } of chat.bannedUsers.list("lobby")) await chat.bannedUsers.unban("lobby", uid);
  // end
}

export async function scopePermissions(chat: ChatClient) {
  // example
  // Only moderators and admins write in the lobby:
  await chat.scopePermissions.set("lobby", "participant", { permissions: { sendMessage: "deny" } });
  // end
}

export async function groupConversations(chat: ChatClient) {
  // example
  const conversation = await chat.groupConversations.get("lobby", { onBehalfOf: "alice" });
  console.log(conversation.unreadMessageCount);
  await chat.groupConversations.markRead("lobby", {}, { onBehalfOf: "alice" });
  // end
}
