import { CometBackend } from "comet-backend";
import { useCometchatApi } from "cometchat-api";
import { createChatClient } from "../../../lib/chat/client.ts";
import type { Platform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import { toPlatform } from "./to-platform.ts";

const [{ appId, fullAccessKey: apiKey, region }] = defaultSeed.apps;

/** A request as a client sent it: method and path below the version. */
export type Sent = readonly [method: string, path: string];

/**
 * Makes the three clients with the same key; those with a fixed host are led to the platform at the process's edge.
 * `send` takes the place of fetch, `onSend` hears of every request.
 */
export function openPeers(
  platform: Platform,
  { send, onSend }: { send: typeof fetch; onSend: (sent: Sent) => void },
) {
  const lead = (method: string | undefined, url: string): string => {
    const address = toPlatform(platform, url);
    onSend([method?.toUpperCase() ?? "GET", new URL(address).pathname.replace(/^\/[^/]+\/v3(?:\.0)?/, "")]);
    return address;
  };
  const ledFetch: typeof fetch = (input, init) => send(lead(init?.method, String(input)), init);
  const cometchatApi = useCometchatApi({ appId, region, apiKey });
  cometchatApi.instance.interceptors.request.use((config) => {
    const address = lead(config.method, `${config.baseURL}/${config.url}`);
    return { ...config, baseURL: "", url: address };
  });
  return {
    ledFetch,
    cometBackend: new CometBackend({ appId, region, apiKey }),
    cometchatApi,
    own: createChatClient({
      appId,
      region,
      apiKey,
      baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
      fetch: ledFetch,
      sleep: async () => undefined,
    }),
  };
}
