import { defaultSeed } from "../../../local/platform/default-seed.ts";
import { currentTriggers } from "../../../local/platform/webhooks/trigger-table.ts";
import type { LocalStack } from "../../../local/stack/local-stack.ts";
import { callSecrets, secretNow } from "../../helpers/cloud-data.ts";
import { copyProject, removeCopy } from "../../helpers/project-copy.ts";
import { createRunChat, type Ran, type RunChat, type RunChatOptions } from "../../helpers/run-chat.ts";
import { settle } from "../../helpers/settle.ts";
import { startPatientWorld } from "../../helpers/start-patient-world.ts";

/** A set-up world with a canary, and what breaks and mends it. */
export interface DrillWorld {
  readonly world: LocalStack;
  readonly folder: string;
  readonly chat: RunChat;
  readonly appId: string;
  /** Types a finding's remedy on a terminal; `secret` answers the first question, and yes all others. */
  type(
    remedy: string,
    options?: RunChatOptions & { readonly more?: readonly string[]; readonly secret?: string },
  ): Promise<Ran>;
  /** Calls the Management API. */
  manage(call: string, body?: object, engine?: "current" | "legacy"): Promise<Answered>;
  /** Calls the app's own API. */
  call(call: string, body?: object, key?: string): Promise<Answered>;
  readSecret(name?: string): Promise<Readonly<Record<string, string>>>;
  /** Writes fields over the app's secret or its webhook secret; undefined takes one away. */
  changeSecret(fields: Readonly<Record<string, string | undefined>>, name?: string): Promise<void>;
  secretsManager(operation: string, input: object): Promise<unknown>;
  /** Makes everything as it was in the beginning, whatever became of it. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

interface Answered {
  readonly status: number;
  readonly data: unknown;
}

const [app] = defaultSeed.apps;
const users = { sender: "canary-a", receiver: "canary-b" };

/** Starts it: everything as it should be. @param files of the project, by path */
export async function startDrillWorld(files: Readonly<Record<string, string>> = {}): Promise<DrillWorld> {
  const folder = copyProject({
    "config/canary.yml": `users: ${JSON.stringify(users)}\n`,
    "config/stages.yml": "local: { management: true }\ndev:\nprod:\n",
    ...files,
  });
  const world = await startPatientWorld({
    triggerIds: Object.keys(currentTriggers),
    cloud: { serviceFolder: folder },
  });
  world.platform.switches.webhookSettingsEchoed = true;
  const chat = createRunChat(folder, world.cloud, world.clock);
  const { appId } = app;
  const secretId = `${world.cloud.outputs.SecretPrefix}/${appId}`;

  const request = async (url: string, method: string, headers: Record<string, string>, body?: object) => {
    const response = await fetch(url, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, data: Object(await response.json()).data };
  };
  const parts = (call: string) => {
    const [method = "", path = ""] = call.split(" ");
    return { method, path };
  };
  const readSecret = (name = "") => secretNow(world.cloud, `${secretId}${name}`);
  const call: DrillWorld["call"] = (typed, body, key = app.fullAccessKey) => {
    const { method, path } = parts(typed);
    return request(`${world.platform.appUrl(appId)}${path}`, method, { apikey: key }, body);
  };
  for (const uid of Object.values(users)) await call("POST /users", { uid, name: uid });

  const [secret, snapshot] = [await readSecret(), world.platform.snapshot()];
  const webhookSecret = await readSecret("/webhook");

  return {
    world,
    folder,
    chat,
    appId,
    type: async (remedy, { more = [], secret, ...options } = {}) => {
      const [, typed = ""] = /^npx cometchat-functions (.*)$/.exec(remedy) ?? [];
      const answers = [...(secret === undefined ? [] : [secret]), true, true, true, true];
      const words = typed.split(" ").map((word) => word.replace(/^'(.*)'$/, "$1"));
      return chat([...words, ...more], { answers, ...options });
    },
    manage: (typed, body, engine = "current") => {
      const { method, path } = parts(typed);
      const headers = {
        ...defaultSeed.management,
        ...(engine === "current" && { "x-webhook-version": "2" }),
      };
      return request(`${world.platform.managementUrl}/apps/${appId}${path}`, method, headers, body);
    },
    call,
    readSecret,
    changeSecret: async (fields, name = "") => {
      const changed = { ...(await readSecret(name)), ...fields };
      await world.cloud.putSecret(`${secretId}${name}`, changed);
    },
    secretsManager: (operation, input) => callSecrets(world.cloud, operation, input),
    restore: async () => {
      // What comes late would meet the next test's damage.
      await settle(world);
      // A process that is ended while it works has failed.
      await world.cloud.settled();
      world.platform.restore(snapshot);
      await world.cloud.putSecret(secretId, secret);
      await world.cloud.putSecret(`${secretId}/webhook`, webhookSecret);
      await world.cloud.reset();
      // What they have in memory is of before.
      for (const name of ["webhook", "processEvents"]) world.cloud.kill(name);
    },
    close: async () => {
      await world.close();
      removeCopy(folder);
    },
  };
}
