import { expect } from "vitest";
import {
  after,
  club,
  endedCall,
  importedMessage,
  message,
  newUser,
  type Sample,
  type World,
} from "../prepare.ts";
import { isListed, pluck, type Rows, succeeded } from "../row.ts";

const picture = {
  ...importedMessage,
  type: "image",
  data: {
    text: "hi",
    attachments: [
      { url: "https://example.com/a.png", name: "a.png", mimeType: "image/png", extension: "png", size: "7" },
    ],
  },
  deliveredAt: importedMessage.sentAt + 1,
  readAt: importedMessage.sentAt + 2,
};

/** A call with a transcript. */
async function transcribedCall(world: World): Promise<Sample> {
  const sample = await endedCall(world);
  await world.simulate("POST", `/calls/${sample.path?.sessionId}/transcription`, {});
  return sample;
}

export const callRows: Rows = {
  "list-calls": {
    given: after(endedCall),
    answers: [{ initiator: "alice", receiver: "bob", status: "ended" }],
  },
  "retrieve-call-details": {
    given: endedCall,
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
    given: { input: { messages: { m1: picture } } },
    answers: { m1: { ...succeeded, data: { ...picture, conversationId: "alice_user_bob" } } },
    leaves: [({ chat }) => pluck(chat.messages.list({ limit: 5 }), "sentAt"), [importedMessage.sentAt]],
  },
};
