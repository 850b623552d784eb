import { shareCopy } from "./project-copy.ts";

/** A copy of the project with flows that wait, listen, fail, and have many steps. */
export function copyWithFlows(more: Readonly<Record<string, string>> = {}): Promise<string> {
  return shareCopy({ ...files, ...more });
}

/** Pass it to `startWorld` to run the copy's code and its trigger. */
export function flowsCloud(serviceFolder: string) {
  return { serviceFolder, environment: { ENABLED_TRIGGERS: "remind" } };
}

const files: Readonly<Record<string, string>> = {
  "functions/own/remind.ts": `
    import * as z from "zod/mini";
    import { sendText } from "../../lib/effects/messages/send-text.ts";
    import { defineFlow } from "../../lib/flows/define-flow.ts";
    const text = (receiver, text) => sendText({ receiver, receiverType: "user", onBehalfOf: "support", text });
    export const remind = defineFlow(
      "remind",
      { input: z.object({ uid: z.string(), what: z.string() }), waitsFor: ["message_sent"] },
      async (flow, { uid, what }) => {
        await flow.do("greet", text(uid, "I shall remind you of " + what));
        await flow.wait({ days: 3 });
        const answer = await flow.waitFor("message_sent", { where: { sender: uid, text: { words: ["stop"] } }, within: { hours: 2 } });
        if (answer === undefined) await flow.do("remind", text(uid, what));
        return { isAnswered: answer !== undefined };
      },
    );
    export const breaks = defineFlow("breaks", z.object({ count: z.number() }), async (flow, { count }) => {
      await flow.now();
      return nothingThere(undefined, count);
    });
    function nothingThere(value, count) {
      return value.length + count;
    }
    export const slips = defineFlow("slips", z.object({ uid: z.string() }), async (flow, { uid }) => {
      await flow.do("greet", text(uid, "I greet you once"));
      if (uid === "bob") await new Promise(() => {});
      return nothingThere(undefined, 1);
    });
    export const insists = defineFlow("insists", z.object({}), async (flow) => {
      await flow.do("reach nobody", text("nobody-at-all", "hello"));
    });
    export const long = defineFlow("long", z.object({ steps: z.number() }), async (flow, { steps }) => {
      for (let step = 0; step < steps; step += 1) await flow.now();
      await flow.do("large", { kind: "large", stepsWith: () => ({ act: async () => "x".repeat(200_000) }) });
      await flow.any([(way) => way.wait({ days: 30 }), (way) => way.cancelled]);
      return "tidied up";
    });`,
  "functions/own/flows.ts": `
    import { breaks, insists, long, remind, slips } from "./remind.ts";
    export const ownFlows = [remind, breaks, insists, long, slips];`,
  "functions/own/triggers.ts": `
    import { onTrigger } from "../../lib/handle/on-trigger.ts";
    import { remind } from "./remind.ts";
    export const ownTriggers = {
      remind: onTrigger("message_sent", { where: { text: { words: ["remind me"] } } }, async ({ event, effects }) => {
        await effects.start(remind, { uid: event.message.sender ?? "", what: "tea" });
      }),
    };`,
};
