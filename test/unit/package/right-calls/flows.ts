import * as z from "zod/mini";
import { members } from "../../../../lib/chat/resources/members.ts";
import { sendText } from "../../../../lib/effects/messages/send-text.ts";
import { defineFlow } from "../../../../lib/flows/define-flow.ts";
import { runFlow } from "../../../../local/testing/run-flow.ts";
import type { RightCall, RightCalls } from "../right-call.ts";

const remind = defineFlow("remind", z.object({ uid: z.string() }), async () => {});
/** Runs a flow that makes one call, and returns its error. */
const inFlow =
  (name: string): NonNullable<RightCall["call"]> =>
  async (...args) => {
    let failure: { readonly error: unknown } | undefined;
    const flow = defineFlow("caller", { input: z.object({}), waitsFor: ["message_sent"] }, async (given) => {
      try {
        await Reflect.apply(Reflect.get(given, name), undefined, args);
      } catch (error) {
        failure = { error };
      }
    });
    await runFlow(flow, {});
    if (failure !== undefined) throw failure.error;
  };
const hello = () => sendText({ receiver: "bob", receiverType: "user", onBehalfOf: "alice", text: "hi" });

export const flowCalls: RightCalls = {
  defineFlow: {
    args: ["remind", { input: z.object({}), waitsFor: ["message_sent"] }, async () => {}],
    whole: ["1.input"],
  },
  startFlow: {
    args: [remind, { uid: "alice" }],
    whole: ["0"],
    free: ["1"],
  },
  "defineFlow, do": {
    args: ["hello", hello()],
    call: inFlow("do"),
    whole: ["1"],
  },
  "defineFlow, list": {
    args: ["members", { limit: 1 }, members.list, "lobby"],
    call: inFlow("list"),
    whole: ["2"],
  },
  "defineFlow, run": {
    args: ["own", async () => 1],
    call: inFlow("run"),
  },
  "defineFlow, waitUntil": {
    args: [new Date(1_760_000_000_000)],
    call: inFlow("waitUntil"),
  },
  "defineFlow, wait": {
    args: [{ days: 1, hours: 1, minutes: 1, seconds: 1 }],
    call: inFlow("wait"),
  },
  "defineFlow, waitFor": {
    args: ["message_sent", { where: { sender: "bob" }, within: { days: 1 } }],
    call: inFlow("waitFor"),
  },
  "defineFlow, all": {
    args: [[async () => 1]],
    call: inFlow("all"),
  },
  "defineFlow, any": {
    args: [[async () => 1]],
    call: inFlow("any"),
  },
};
