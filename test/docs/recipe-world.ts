import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import timers from "node:timers/promises";
import type { World } from "../../local/world.ts";
import { createSelfSigned } from "../helpers/self-signed.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";

/** A request that a function made of another host. */
export interface OutsideRequest {
  readonly host: string | undefined;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Other hosts, which speak TLS on this machine under their own names. */
export interface OtherHosts {
  readonly port: number;
  readonly requests: readonly OutsideRequest[];
  /** What functions are started with, so that they find these hosts and trust them. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts hosts of example.com that answer as `answer` says. */
export async function startOtherHosts(
  names: readonly string[],
  answer: (request: OutsideRequest) => object,
): Promise<OtherHosts> {
  const requests: OutsideRequest[] = [];
  const certificate = createSelfSigned(names);
  const folder = mkdtempSync(join(tmpdir(), "other-hosts-"));
  writeFileSync(join(folder, "ca.pem"), certificate.cert);
  const server: Server = createServer(certificate, async (request, response) => {
    const { headers, url: path } = request;
    const asked = { host: headers.host, path, headers, body: await json(request) };
    requests.push(asked);
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer(asked)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    environment: {
      NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
      NODE_OPTIONS: `--import data:text/javascript;base64,${btoa(findHere)}`,
      REQUEST_PRIVATE_NETWORKS: "127.0.0.0/8",
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stands for DNS in the functions' processes: every name of example.com is this machine's. */
const findHere = `
  import dns from "node:dns";
  import promises from "node:dns/promises";
  const isOurs = (name) => name.endsWith(".example.com");
  const here = { address: "127.0.0.1", family: 4 };
  const { lookup } = dns;
  dns.lookup = (name, options, callback = options) => {
    if (!isOurs(name)) return lookup(name, options, callback);
    if (options.all) callback(null, [here]);
    else callback(null, here.address, here.family);
  };
  const { lookup: find } = promises;
  promises.lookup = async (name, options) =>
    isOurs(name) ? (options?.all ? [here] : here) : find(name, options);
`;

export interface RecipeWorld extends World {
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
