import { inspect } from "node:util";
import { createPlatform, type Platform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import type { FaultRule } from "../../../local/platform/faults/rules.ts";
import { openPeers, type Sent } from "./open-peers.ts";

const [{ fullAccessKey }] = defaultSeed.apps;

/** The clients, in the order of the comparison's columns. */
export const clients = ["own", "cometBackend", "cometchatApi"] as const;
export type ClientName = (typeof clients)[number];
export type PerClient<T> = Readonly<Record<ClientName, T>>;

/** How a client goes about one read of a user: what came back or was thrown, and what was sent. */
interface Course {
  readonly answer: unknown;
  readonly thrown: unknown;
  readonly sent: readonly Sent[];
}

/**
 * Reads a user with each client, on a platform with these faults that is closed before if `isDown`.
 * globalThis.fetch is in the hands of the clients meanwhile, and back afterwards.
 */
export async function readUser(
  uid: string,
  { faults = [], isDown = false }: { faults?: readonly FaultRule[]; isDown?: boolean } = {},
): Promise<PerClient<Course>> {
  const one = (client: ClientName) => readWith(client, uid, faults, isDown);
  return {
    own: await one("own"),
    cometBackend: await one("cometBackend"),
    cometchatApi: await one("cometchatApi"),
  };
}

/** Tells what a person who prints all they got gets to see, and whether the key is in it. */
export function showsKey({ answer, thrown }: Pick<Course, "answer" | "thrown">): boolean {
  return inspect([answer, thrown], { depth: 12 }).includes(fullAccessKey);
}

async function readWith(
  client: ClientName,
  uid: string,
  rules: readonly FaultRule[],
  isDown: boolean,
): Promise<Course> {
  const platform = await createPlatform({ faults: { rules: [...rules] } });
  const realFetch = globalThis.fetch;
  const sent: Sent[] = [];
  const peers = openPeers(platform, { send: realFetch, onSend: (one) => sent.push(one) });
  // What the README of cometchat-api tells to do for seeing an error at all.
  let seen: unknown;
  peers.cometchatApi.instance.interceptors.response.use(undefined, (error: unknown) => {
    seen = error;
    return Promise.reject(error);
  });
  if (isDown) await platform.close();
  globalThis.fetch = peers.ledFetch;
  try {
    const answer: unknown = await read(peers, client, uid);
    return { answer, thrown: seen, sent };
  } catch (thrown) {
    return { answer: undefined, thrown, sent };
  } finally {
    globalThis.fetch = realFetch;
    await close(platform);
  }
}

function read(peers: ReturnType<typeof openPeers>, client: ClientName, uid: string): Promise<unknown> {
  if (client === "own") return peers.own.users.get(uid);
  return client === "cometBackend" ? peers.cometBackend.users.getUser(uid) : peers.cometchatApi.getUser(uid);
}

async function close(platform: Platform): Promise<void> {
  await platform.close();
}
