import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildService } from "../../local/cloud/build/build-service.ts";
import { digestOfFiles } from "../../tools/digest-of-files.ts";
import { makeOnce } from "./make-once.ts";
import { addressesOfChat, blocksOf, copied, writeCopy } from "./project-copy.ts";

/** A trigger with an error, which also logs what it should not and uses `console`. */
export const faultyTrigger = `import { onTrigger } from "../../lib/handle/on-trigger.ts";

export const faulty = onTrigger("message_sent", { where: { text: { words: ["falter"] } } }, async ({ event, log }) => {
  log.info("about to fail", { messageId: event.message.id, note: event.message.data.text, text: "what she wrote" });
  console.log("said to the console");
  const found: { name?: string } = {};
  console.log(found.name!.length);
});
`;

/** A custom function that uses effects and starts flows (docs/functions.md). */
export const rightsOfTell = [
  ...["readSecrets", "readLoopGuard", "rememberEffects", "announceFlows", "startFlows"],
];

/**
 * A user's possible additions: triggers and a flow with all their features, a decision, a function, files of
 * configuration, and overrides for a stage and an app.
 */
const ownFiles: Readonly<Record<string, string>> = {
  ...blocksOf("docs/recipes/login-endpoint.md"),
  "config/users.yml": blocksOf("docs/functions.md")["config/users.yml"] ?? "",
  "config/forward.yml": "enabled: true\ntriggers: [message_sent]\n",
  "config/rotation.yml": "rotate: [api-key]\neveryDays: 30\noverlap: 5min\n",
  "config/stages.yml": "local: { reconcile: rehearse }\ndev:\nprod:\n",
  "config/triggers.yml":
    "local: auto-reply, welcome, escalate, forward, listen, bury, stumble, sumUp, faulty\n",
  "functions/own/faulty.ts": faultyTrigger,
  "functions/own/listen.ts": `
    import * as z from "zod/mini";
    import { sendText } from "../../lib/effects/messages/send-text.ts";
    import { defineFlow } from "../../lib/flows/define-flow.ts";
    export const listen = defineFlow("listen", { input: z.object({ uid: z.string() }), waitsFor: ["message_sent"] }, async (flow, { uid }) => {
      await flow.do("hear", sendText({ receiver: uid, receiverType: "user", onBehalfOf: "support", text: "I listen." }));
      const next = await flow.waitFor("message_sent", { where: { sender: uid }, within: { minutes: 10 } });
      return next?.message.data.text ?? "nothing";
    });`,
  "functions/own/flows.ts": `
    import { listen } from "./listen.ts";
    export const ownFlows = [listen];`,
  "functions/own/triggers.ts": `
    import * as z from "zod/mini";
    import { defineState } from "../../lib/effects/state/define-state.ts";
    import { onTrigger } from "../../lib/handle/on-trigger.ts";
    import { PermanentError } from "../../lib/base/errors.ts";
    import { faulty } from "./faulty.ts";
    import { listen } from "./listen.ts";
    const count = defineState("count", z.number(), { per: "user", keepFor: "2d" });
    export const ownTriggers = {
      faulty,
      listen: onTrigger("message_sent", { where: { text: { words: ["listen"] } } }, async ({ event, effects, state }) => {
        await state(count, event.message.sender).update((known = 0) => known + 1);
        await effects.start(listen, { uid: event.message.sender ?? "" });
      }),
      bury: onTrigger("message_sent", { where: { text: { words: ["bury"] } } }, async () => {
        throw new PermanentError("It cannot be done.");
      }),
      stumble: onTrigger("message_sent", { where: { text: { words: ["stumble"] } } }, async ({ effects }) => {
        const to = { receiver: "nobody-of-this-name", receiverType: "user", onBehalfOf: "support" } as const;
        await effects.sendText("a text", { ...to, text: "Hello" }).catch(() => {});
        throw new Error("a fault");
      }),
      sumUp: onTrigger("call_summary", async () => {}),
    };`,
  "functions/own/decisions.ts": `
    import type { Decide } from "../../lib/endpoints/questions/answer-question.ts";
    import type { BeforeMessageAnswer } from "../../lib/endpoints/questions/before-message-answer.ts";
    import { match, type ModerationAnswer } from "../../lib/endpoints/questions/moderation-answer.ts";
    export const ownBeforeMessage: Decide<BeforeMessageAnswer> | undefined = undefined;
    export const ownModeration: Decide<ModerationAnswer> = async () => {
      void Promise.reject(new Error("of a second request"));
      await new Promise(setImmediate);
      return match({ confidence: 0.123, reason: "Our own." });
    };`,
  "functions/own/on-call-schema.ts": `
    import * as z from "zod/mini";
    export const onCallSchema = z.strictObject({ uid: z.string(), escalateTo: z._default(z.string(), "nobody") });`,
  "functions/own/config-schemas.ts": `
    import { onCallSchema } from "./on-call-schema.ts";
    export const ownConfigSchemas = { "on-call.yml": onCallSchema };`,
  "functions/own/who-is-on-call.ts": `
    import onCallFile from "../../config/on-call.yml";
    import { settingsFrom } from "../../lib/chat/settings-from.ts";
    import { onCallSchema } from "./on-call-schema.ts";
    const settings = settingsFrom(onCallFile, onCallSchema);
    export async function handler({ appId }: { appId: string }) {
      return { ...settings.of(appId), table: process.env.TABLE };
    }`,
  "functions/own/tell.ts": `
    import { sendText } from "../../lib/effects/messages/send-text.ts";
    import { effectsOf } from "../../lib/endpoints/own/effects-of.ts";
    import { onRequest } from "../../lib/endpoints/own/on-request.ts";
    import { listen } from "./listen.ts";
    export const handler = onRequest({ auth: "none" }, async (context) => {
      const effects = effectsOf(context, "told");
      const to = { receiver: "bob", receiverType: "user", onBehalfOf: "support" } as const;
      const { id } = await effects.sendText("news", { ...to, text: "News" });
      await effects.sendText("nobody", { ...to, receiver: "nobody-of-this-name", text: "News" }).catch(() => {});
      await effects.start(listen, { uid: "bob" });
      return { id };
    });`,
  "functions/own/functions.yml": `
tell:
  handler: functions/own/tell.handler
  rights: [${rightsOfTell.join(", ")}]
  events:
    - httpApi: POST /tell/{appId}
  environment: \${self:custom.acting}
whoIsOnCall:
  handler: functions/own/who-is-on-call.handler
  rights: [readSecrets]
  environment: { TABLE: !Ref EffectsTable }`,
  "config/on-call.yml": "uid: ann",
  "config/stages/local/on-call.yml": "escalateTo: chief",
  "config/apps/local-app/on-call.yml": "uid: bela",
  "config/stages/local/moderation.yml": "dropFrom: 0.1",
  "config/apps/local-app/app/moderation-reasons.yml": "reasons: [{ id: own, name: Of this app }]",
};

/**
 * Returns a copy of the project with these files, which all tests share: it is built once. The caller that
 * starts it names the platform's addresses first among the variables, as `deployCopy` does, and no variable
 * that serverless.yml reads.
 */
export async function ownProject(): Promise<string> {
  const sources = copied.flatMap((name) => [name, `${name}/**/*`]);
  const folder = join(root, ".build/own-project", digestOfFiles(sources, JSON.stringify(ownFiles)));
  const ready = `${folder}.ready`;
  await makeOnce(ready, async () => {
    if (existsSync(folder)) rmSync(folder, { recursive: true }); // a run ended while it wrote it
    mkdirSync(folder);
    writeCopy(folder, ownFiles);
    const url = "http://127.0.0.1:1";
    const environment = addressesOfChat({ url, managementUrl: `${url}/apimgmt` });
    const built = await buildService({ serviceFolder: folder, environment, log: () => {} });
    await built.close();
    writeFileSync(ready, "");
  });
  return folder;
}

const root = join(import.meta.dirname, "../..");
