import * as z from "zod/mini";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import { currentTriggers } from "../../../local/platform/webhooks/trigger-table.ts";
import { callApp, manageApp } from "../../helpers/call-app.ts";
import { callSecrets, secretNow } from "../../helpers/cloud-data.ts";
import { findingSchema } from "../../helpers/finding-schema.ts";
import { copyProject, removeCopy } from "../../helpers/project-copy.ts";
import { createRunChat, type RunChatOptions } from "../../helpers/run-chat.ts";
import { settle } from "../../helpers/settle.ts";
import { startPatientWorld } from "../../helpers/start-patient-world.ts";
import { warmAndReset } from "../../helpers/warm-receiver.ts";

/** A set-up world with a canary, and the means to break and repair it. */
export type DrillWorld = Awaited<ReturnType<typeof startDrillWorld>>;

const [app] = defaultSeed.apps;
const users = { sender: "canary-a", receiver: "canary-b" };

/** Starts a healthy world. @param files of the project, by path */
export async function startDrillWorld(files: Readonly<Record<string, string>> = {}) {
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

  const readSecret = (name = "") => secretNow(world.cloud, `${secretId}${name}`);
  const call = (typed: string, body?: object, key: string = app.fullAccessKey) =>
    callApp(world, typed, body, { apikey: key });
  for (const uid of Object.values(users)) await call("POST /users", { uid, name: uid });

  const [secret, snapshot] = [await readSecret(), world.platform.snapshot()];
  const webhookSecret = await readSecret("/webhook");

  const look = async (...options: string[]) => {
    const { json } = await chat(["doctor --local --json", ...options]);
    return z.parse(z.object({ findings: z.array(findingSchema) }), json[0]).findings;
  };

  return {
    world,
    folder,
    chat,
    appId,
    /** Types a finding's remedy on a terminal; `secret` answers the first question, yes all others. */
    type: async (
      remedy: string,
      {
        more = [],
        secret,
        ...options
      }: RunChatOptions & { readonly more?: readonly string[]; readonly secret?: string } = {},
    ) => {
      const [, typed = ""] = /^npx cometchat-functions (.*)$/.exec(remedy) ?? [];
      const answers = [...(secret === undefined ? [] : [secret]), true, true, true, true];
      const words = typed.split(" ").map((word) => word.replace(/^'(.*)'$/, "$1"));
      return chat([...words, ...more], { answers, ...options });
    },
    manage: (typed: string, body?: object, engine?: "current" | "legacy") =>
      manageApp(world, typed, body, engine),
    call,
    look,
    wrongs: async (...options: string[]) =>
      (await look(...options)).filter(({ status }) => status === "wrong"),
    readSecret,
    /** Overwrites fields of the app's secret or its webhook secret; undefined removes one. */
    changeSecret: async (fields: Readonly<Record<string, string | undefined>>, name = "") => {
      const changed = { ...(await readSecret(name)), ...fields };
      await world.cloud.putSecret(`${secretId}${name}`, changed);
    },
    secretsManager: (operation: string, input: object) => callSecrets(world.cloud, operation, input),
    /** Restores the initial state. */
    restore: async () => {
      // Late deliveries would meet the next test's damage.
      await settle(world);
      // A process that is ended while it works has failed.
      await world.cloud.settled();
      world.platform.restore(snapshot);
      await world.cloud.putSecret(secretId, secret);
      await world.cloud.putSecret(`${secretId}/webhook`, webhookSecret);
      // Their memory holds the former state.
      for (const name of ["webhook", "processEvents"]) world.cloud.kill(name);
      await warmAndReset(world);
    },
    close: async () => {
      await world.close();
      removeCopy(folder);
    },
  };
}
