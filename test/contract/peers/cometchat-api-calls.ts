import type { useCometchatApi } from "cometchat-api";
import { expect } from "vitest";
import type { PeerCall } from "./peer-call.ts";

type CometchatApi = ReturnType<typeof useCometchatApi>;

const tokenOf = (uid: string) => ({ data: { uid, authToken: expect.stringMatching(/^alice_/) } });

/** Every method of cometchat-api 1.0.7, with the promises of its README and types. */
export const cometchatApiCalls: readonly PeerCall<CometchatApi>[] = [
  {
    says: "reads a user",
    method: "getUser",
    run: (api) => api.getUser("alice"),
    answers: { data: { uid: "alice", name: "Alice Nguyen" } },
  },
  {
    says: "answers null for a user that is not there",
    method: "getUser",
    run: (api) => api.getUser("nobody"),
    answers: null,
  },
  {
    says: "creates a user",
    method: "createUser",
    run: (api) => api.createUser({ uid: "zoe", name: "Zoë", tags: ["new"], withAuthToken: true }),
    answers: { data: { uid: "zoe", name: "Zoë", authToken: expect.stringMatching(/^zoe_/) } },
  },
  {
    says: "creates a user with metadata",
    method: "createUser",
    run: (api) => api.createUser({ uid: "zoe", name: "Zoë", metadata: '{"city":"Zürich"}' }),
    answers: null,
    fails: [
      "Its type takes metadata as a text; it is an object, and the refusal is swallowed.",
      "docs/internals/platform/users-and-groups.md#shape-of-a-user",
    ],
  },
  {
    says: "creates an auth token",
    method: "createToken",
    run: (api) => api.createToken("alice", { force: true }),
    answers: tokenOf("alice"),
  },
  {
    says: "lists a user's auth tokens",
    method: "getTokens",
    run: (api) => api.getTokens("alice"),
    answers: tokenOf("alice"),
    fails: [
      "It posts, which creates a token: its answer is that token, and no list.",
      "docs/internals/platform/addressing-and-keys.md#auth-tokens",
    ],
  },
];
