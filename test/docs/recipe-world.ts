import timers from "node:timers/promises";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";

export interface RecipeWorld extends LocalStack {
  /** Asks the platform, as its app does. @throws Error for an answer that is no success */
  api(method: string, path: string, body?: object, onBehalfOf?: string): Promise<unknown>;
  /** Writes a text as a person. */
  say(from: string, to: { readonly user: string } | { readonly group: string }, text: string): Promise<void>;
  /** The texts that a conversation has, oldest first, once there are so many. */
  heard(conversation: string, count: number): Promise<readonly string[]>;
  /** Lets time pass once a flow waits for nearly that long. */
  pass(ms: number): Promise<void>;
}

/** Deploys a copy of the project on this machine. */
export async function createRecipeWorld(
  serviceFolder: string,
  secret: Readonly<Record<string, string>>,
  triggerIds: readonly string[],
  environment: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<RecipeWorld> {
  let movedMs = 0;
  const now = () => Date.now() + movedMs;
  const world = await startPatientWorld({
    triggerIds,
    log,
    cloud: { serviceFolder, now, environment: { ...environment } },
  });
  const { app, cloud, platform, webhook } = world;
  await cloud.putAppSecret({
    appId: app.appId,
    region: app.region,
    apiKey: app.fullAccessKey,
    webhookUsername: webhook.username,
    webhookPassword: webhook.password,
    ...secret,
  });
  const api = async (method: string, path: string, body?: object, onBehalfOf?: string): Promise<unknown> => {
    const answer = await fetch(`${platform.appUrl(app.appId)}${path}`, {
      method,
      headers: {
        apikey: app.fullAccessKey,
        "content-type": "application/json",
        ...(onBehalfOf !== undefined && { onBehalfOf }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text).data;
  };
  return {
    ...world,
    api,
    say: async (from, to, text) => {
      const [receiverType, receiver] = "user" in to ? ["user", to.user] : ["group", to.group];
      await api(
        "POST",
        "/messages",
        { receiverType, receiver, category: "message", type: "text", data: { text } },
        from,
      );
    },
    heard: (conversation, count) =>
      eventually(async () => {
        const path = `/${conversation}/messages?category=message&limit=100`;
        const all = (await api("GET", path)) as { id: string; data: { text?: string } }[];
        const texts = all
          .toSorted((one, other) => Number(one.id) - Number(other.id))
          .map(({ data }) => data.text ?? "");
        return texts.length >= count ? texts : undefined;
      }),
    pass: async (ms) => {
      await eventually(async () => {
        const atMs = cloud.durable.nextWakeAt();
        const inMs = (atMs ?? 0) - now();
        return (inMs > ms / 2 && inMs <= ms) || undefined;
      });
      await cloud.drained(); // what a queue has handed out would come back
      movedMs += ms;
    },
  };
}

/** Looks until there is something. @throws Error when a minute is over */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await timers.setTimeout(25);
  }
  throw new Error("What was waited for did not happen.");
}
