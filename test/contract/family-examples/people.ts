import type { ChatClient } from "../../../lib/chat/client.ts";

export async function users(chat: ChatClient) {
  // example
  const zoe = await chat.users.create({ uid: "zoe", name: "Zoë", tags: ["new"] });
  await chat.users.update(zoe.uid, { statusMessage: "Back on Monday" });
  for await (const user of chat.users.list({ searchKey: "zo" })) console.log(user.name);
  // end
}

export async function authTokens(chat: ChatClient) {
  // example
  const { authToken } = await chat.authTokens.create("alice"); // Alice's device logs in with it
  await chat.authTokens.delete("alice", authToken); // and that device is logged out
  // end
}

export async function friends(chat: ChatClient) {
  // example
  const { accepted } = await chat.friends.add("alice", { accepted: ["bob"] });
  console.log(accepted?.bob?.success);
  const friendsOfAlice = await chat.friends.list("alice").page();
  // end
  return friendsOfAlice;
}

export async function blockedUsers(chat: ChatClient) {
  // example
  await chat.blockedUsers.block("alice", { blockedUids: ["bob"] });
  for await (const user of chat.blockedUsers.list("alice")) console.log(`${user.uid} cannot write to Alice.`);
  await chat.blockedUsers.unblock("alice", { blockedUids: ["bob"] });
  // end
}

export async function roles(chat: ChatClient) {
  // example
  await chat.roles.create({ role: "manager", name: "Manager" });
  await chat.users.update("alice", { role: "manager" });
  // end
}

export async function rolePermissions(chat: ChatClient) {
  // example
  await chat.rolePermissions.set("default", { permissions: { listUsers: "deny" } });
  await chat.rolePermissions.unset("default", "listUsers"); // back to what the platform has
  // end
}

export async function restrictedFeatures(chat: ChatClient) {
  // example
  await chat.restrictedFeatures.restrict("default", { featuresToRestrict: ["createGroup"] });
  for await (const { key } of chat.restrictedFeatures.list("default")) console.log(key);
  // end
}

export async function apiKeys(chat: ChatClient) {
  // example
  const { apiKey } = await chat.apiKeys.create({ name: "backend", scope: "fullAccess" });
  // Store it, let every caller take it, then delete the old one with it: a key cannot delete itself.
  // end
  return apiKey;
}

export async function metrics(chat: ChatClient) {
  // example
  const dayMs = 24 * 60 * 60 * 1_000;
  const { metrics } = await chat.metrics.usage({ fromDate: Date.now() - 30 * dayMs, toDate: Date.now() });
  console.log(metrics?.active_users);
  // end
}

export async function dataImport(chat: ChatClient) {
  // example
  const results = await chat.dataImport.users({ users: { zoe: { uid: "zoe", name: "Zoë" } } });
  for (const [uid, { success }] of Object.entries(results))
    if (!success) console.log(`${uid} is not imported.`);
  // end
}
