import { expect } from "vitest";
import { after, importedMessage, message, newUser, placedCall, type Sample, type World } from "../prepare.ts";
import { isListed, pluck, type Rows, succeeded } from "../row.ts";

const club = { guid: "club", name: "Club", type: "public" } as const;

/** A call with a transcript. */
async function transcribedCall(world: World): Promise<Sample> {
  const sample = await placedCall(world);
  const call = `/calls/${sample.path?.sessionId}`;
  await world.simulate("POST", `${call}/answer`, { uid: "bob" });
  await world.simulate("POST", `${call}/end`, {});
  await world.simulate("POST", `${call}/transcription`, {});
  return sample;
}

export const callRows: Rows = {
  "list-calls": {
    given: after(placedCall),
    answers: [{ initiator: "alice", receiver: "bob", status: "initiated" }],
  },
  "retrieve-call-details": {
    given: placedCall,
    answers: ({ path }) => ({
      sessionId: path("sessionId"),
      initiator: "alice",
      receiver: "bob",
      participants: [{ uid: "alice" }, { uid: "bob" }],
    }),
  },
  "retrieve-call-transcriptions": {
    given: transcribedCall,
    answers: ({ path }) => [{ roomName: expect.stringContaining(path("sessionId")) }],
  },
  "usage-metrics": {
    given: after(message, { input: { fromDate: 1_700_000_000_000, toDate: 4_000_000_000_000 } }),
    answers: ({ input }) => ({ metrics: { active_users: 1 }, time_range: input }),
  },
  "message-receipt-metrics": {
    answers: { appId: "local-app", dataPoints: Array.from({ length: 12 }, () => ({ messagesSent: 0 })) },
  },
};

export const importRows: Rows = {
  "import-users": {
    given: { input: { users: { zoe: newUser } } },
    answers: { zoe: { ...succeeded, data: newUser } },
    leaves: [({ chat }) => chat.users.get("zoe"), newUser],
  },
  "import-groups": {
    given: { input: { groups: { club } } },
    answers: { club: { ...succeeded, data: club } },
    leaves: [({ chat }) => chat.groups.get("club"), club],
  },
  "import-members": {
    given: after(({ chat }) => chat.users.create(newUser), {
      input: {
        members: { lobby_member_zoe: { memberId: "lobby_member_zoe", guid: "lobby", uid: "zoe" } },
      },
    }),
    answers: { lobby_member_zoe: { ...succeeded, data: { guid: "lobby", uid: "zoe" } } },
    leaves: [({ chat }) => isListed(chat.members.list("lobby"), "uid", "zoe"), "there"],
  },
  "import-messages": {
    given: { input: { messages: { m1: importedMessage } } },
    answers: { m1: { ...succeeded, data: { ...importedMessage, conversationId: "alice_user_bob" } } },
    leaves: [({ chat }) => pluck(chat.messages.list({ limit: 5 }), "sentAt"), [importedMessage.sentAt]],
  },
};
