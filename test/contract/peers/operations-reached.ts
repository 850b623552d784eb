import { createPlatform } from "../../../local/platform/create-platform.ts";
import { allOperations } from "../catalogue.ts";
import { cometBackendCalls } from "./comet-backend-calls.ts";
import { cometchatApiCalls } from "./cometchat-api-calls.ts";
import { openPeers, type Sent } from "./open-peers.ts";
import type { PeerCall } from "./peer-call.ts";

const patterns = allOperations().map(
  ({ id, method, path }) => [id, method, new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`)] as const,
);

/** Lists the platform's operations that the two other clients carry out, by those of their calls that do what they say. */
export async function operationsReached(): Promise<{ cometBackend: string[]; cometchatApi: string[] }> {
  const platform = await createPlatform();
  const realFetch = globalThis.fetch;
  const reached = async <Client>(
    calls: readonly PeerCall<Client>[],
    choose: (peers: ReturnType<typeof openPeers>) => Client,
  ): Promise<string[]> => {
    const ids = new Set<string>();
    for (const call of calls.filter(({ fails }) => fails === undefined)) {
      await platform.reset();
      const sent: Sent[] = [];
      const peers = openPeers(platform, { send: realFetch, onSend: (one) => sent.push(one) });
      globalThis.fetch = peers.ledFetch;
      await call.before?.(choose(peers));
      sent.length = 0;
      await call.run(choose(peers));
      for (const id of sent.flatMap(operationOf)) ids.add(id);
    }
    return [...ids].toSorted();
  };
  try {
    return {
      cometBackend: await reached(cometBackendCalls, (peers) => peers.cometBackend),
      cometchatApi: await reached(cometchatApiCalls, (peers) => peers.cometchatApi),
    };
  } finally {
    globalThis.fetch = realFetch;
    await platform.close();
  }
}

function operationOf([method, path]: Sent): string[] {
  return patterns.flatMap(([id, verb, pattern]) => (verb === method && pattern.test(path) ? [id] : []));
}
