import type { ChatClient } from "../../../lib/chat/client.ts";
import { importAll } from "../../../lib/chat/import-all.ts";

export async function createUserAndLogIn(chat: ChatClient) {
  // recipe: Create a user and log in
  const user = await chat.users.create({ uid: "zoe", name: "Zoë", tags: ["new"] });
  const { authToken } = await chat.authTokens.create(user.uid);
  // Hand the token to Zoë's device; it logs in with it. The API key stays here.
  // end
  return authToken;
}

export async function pageThroughMembers(chat: ChatClient) {
  // recipe: Page through members
  const names: string[] = [];
  for await (const member of chat.members.list("lobby", { scopes: ["participant"], perPage: 100 })) {
    names.push(member.name ?? member.uid);
  }
  const firstPage = await chat.members.list("lobby", { perPage: 2 }).page();
  // firstPage.items are two members; firstPage.next holds the fields that ask for the next two.
  // end
  return { names, firstPage };
}

export async function importUsers(chat: ChatClient, log: (line: string) => void) {
  // recipe: Import 1,000 users with progress
  const people = Array.from({ length: 1_000 }, (_, n) => ({ uid: `person-${n}`, name: `Person ${n}` }));
  const outcome = await importAll(people, {
    keyOf: (person) => person.uid,
    send: (users) => chat.dataImport.users({ users }),
    onProgress: ({ done, failed }) => log(`${done} of ${people.length}, ${failed} failed`),
  });
  for (const [uid, { code, message }] of Object.entries(outcome.failed)) log(`${uid}: ${code} ${message}`);
  // end
  return outcome;
}

export async function rotateKey(chat: ChatClient, useFromNowOn: (apiKey: string) => Promise<ChatClient>) {
  // recipe: Rotate an API key
  const fresh = await chat.apiKeys.create({ name: "backend 2026-11", scope: "fullAccess" });
  const next = await useFromNowOn(fresh.apiKey); // store it, wait until every caller has it
  for (const old of await next.apiKeys.list({ scope: "fullAccess" }).toArray({ limit: Infinity })) {
    // A key cannot delete itself, so the new one does it.
    if (old.apiKey !== fresh.apiKey) await next.apiKeys.delete(old.apiKey);
  }
  // end
  return next;
}
