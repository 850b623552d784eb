import { onTestFinished } from "vitest";
import { composeChatClient } from "../../lib/chat/compose.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import type { DeploymentFacts } from "../../lib/operate/app-as-code/define-subject.ts";
import type { AppApis } from "../../lib/operate/app-as-code/thing.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../../local/platform/create-memory-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";

/** Answers in the platform's place, before it sees the request, or in place of what it answered. */
export interface OddNetwork {
  before?: (request: Request) => Promise<Response | undefined> | Response | undefined;
  after?: (request: Request, answer: Response) => Promise<Response | undefined> | Response | undefined;
}

export interface PlatformWithApps {
  readonly platform: MemoryPlatform;
  /** Every request that reached the network, as `PUT /roles/default`. */
  readonly requests: string[];
  /** Reaches one app; it is made if it is not there. */
  readonly apisOf: (appId: string, options?: { withManagement?: boolean }) => AppApis;
}

/** A fresh platform, and what reaches its apps through a network that may be odd. */
export function startApps(network: OddNetwork = {}): PlatformWithApps {
  const platform = createMemoryPlatform();
  onTestFinished(() => platform.close());
  const requests: string[] = [];
  const fetchThrough: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(`${request.method} ${new URL(request.url).pathname.replace(/^\/v3|^\/apps\/[^/]*/, "")}`);
    const early = await network.before?.(request.clone());
    if (early !== undefined) return early;
    const answer = await platform.fetch(request.clone());
    return (await network.after?.(request, answer)) ?? answer;
  };
  const quick = {
    fetch: fetchThrough,
    retry: { maxTries: 2, baseDelayMs: 0, maxDelayMs: 0 },
    sleep: async () => undefined,
  };
  const management = createManagementClient({ ...quick, credentials: defaultSeed.management });
  return {
    platform,
    requests,
    apisOf: (appId, { withManagement = true } = {}) => {
      platform.add({ appId });
      const chat = composeChatClient({ ...quick, appId, apiKey: platform.keys.fullAccessKey }, {});
      return { appId, chat, management: withManagement ? management : undefined, request: {} };
    },
  };
}

/** A fresh platform with one app. */
export function startApp(network: OddNetwork = {}) {
  const { apisOf, ...others } = startApps(network);
  return { ...others, apis: apisOf("one") };
}

/** A deployment's facts in tests. */
export const testFacts: DeploymentFacts = {
  appId: "local-app",
  webhookUrl: "https://functions.example.com/webhooks/local-app",
  neededTriggers: ["message_sent", "group_member_joined"],
};
