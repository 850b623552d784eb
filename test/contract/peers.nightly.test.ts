import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { cometBackendCalls } from "./peers/comet-backend-calls.ts";
import { cometchatApiCalls } from "./peers/cometchat-api-calls.ts";
import { openPeers } from "./peers/open-peers.ts";
import type { PeerCall } from "./peers/peer-call.ts";

const realFetch = globalThis.fetch;
let platform: Platform;
let peers: ReturnType<typeof openPeers>;

beforeAll(async () => {
  platform = await createPlatform();
});
beforeEach(async () => {
  await platform.reset();
  peers = openPeers(platform, realFetch);
  vi.spyOn(globalThis, "fetch").mockImplementation(peers.ledFetch);
});
afterAll(() => platform.close());

describe("comet-backend on the emulated platform", () => {
  it.each(cometBackendCalls.map((call) => [nameOf(call), call] as const))("%s", (_, call) =>
    expectOf(call, peers.cometBackend),
  );

  it("is called here with every method", () => {
    const { users, messages, groups, notifications } = peers.cometBackend;
    const offered = Object.entries({ users, messages, groups, notifications }).flatMap(([family, api]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(api))
        .filter((name) => name !== "constructor")
        .map((name) => `${family}.${name}`),
    );

    expect(new Set(cometBackendCalls.map(({ method }) => method))).toEqual(new Set(offered));
  });
});

describe("cometchat-api on the emulated platform", () => {
  it.each(cometchatApiCalls.map((call) => [nameOf(call), call] as const))("%s", (_, call) =>
    expectOf(call, peers.cometchatApi),
  );

  it("is called here with every method", () => {
    const offered = Object.keys(peers.cometchatApi).filter((name) => name !== "instance");

    expect(new Set(cometchatApiCalls.map(({ method }) => method))).toEqual(new Set(offered));
  });
});

function nameOf({ says, fails }: Pick<PeerCall<never>, "says" | "fails">) {
  return fails === undefined ? says : `says that it ${says}, and does not: ${fails[0]}`;
}

/** Calls, and reads afterwards if the call says what. */
async function expectOf<Client>(call: PeerCall<Client>, client: Client) {
  const [look, shown] = call.leaves ?? [async () => ({}), {}];
  await call.before?.(client);

  const answer = await call.run(client);

  expect({ answer, left: await look(client) }).toMatchObject({ answer: call.answers, left: shown });
}
