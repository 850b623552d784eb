import { CometBackend } from "comet-backend";
import { useCometchatApi } from "cometchat-api";
import type { Platform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";

const [{ appId, fullAccessKey: apiKey, region }] = defaultSeed.apps;

/**
 * Creates the clients; both have a fixed host, which `ledFetch` redirects to the platform at the process's
 * edge.
 */
export function openPeers(platform: Platform, send: typeof fetch) {
  const ledFetch: typeof fetch = (input, init) => send(toPlatform(platform, String(input)), init);
  const cometchatApi = useCometchatApi({ appId, region, apiKey });
  cometchatApi.instance.interceptors.request.use((config) => {
    const url = toPlatform(platform, `${config.baseURL}/${config.url}`);
    return { ...config, baseURL: "", url };
  });
  return { ledFetch, cometBackend: new CometBackend({ appId, region, apiKey }), cometchatApi };
}

const hosted = /^https:\/\/([a-z0-9-]+\.(?:api|call)-[a-z]+)\.cometchat\.io(?=\/)/;

/**
 * Returns the emulated platform's address of a client's request to the hosted one; local addresses stay
 * unchanged. @throws Error for any other host: nothing leaves this machine
 */
function toPlatform(platform: Platform, url: string) {
  if (url.startsWith(`${platform.url}/`)) return url;
  const [base, host] = hosted.exec(url) ?? [];
  if (base === undefined) throw new Error(`A client tried to reach ${url}.`);
  return `${platform.url}/${host}${url.slice(base.length)}`;
}
