import { describe, expect, it } from "vitest";
import type { Effects } from "../../../lib/effects/effects.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";
import { letKitDecide } from "./kit-world.ts";

letKitDecide();

const hello = { receiver: "bob", receiverType: "user", onBehalfOf: "support", text: "hi" };

/** Runs a handler that calls `effects` against its types. */
async function play(name: keyof Effects, args: readonly unknown[], isAwaited = true) {
  const trigger = onTrigger("message_sent", async ({ effects }) => {
    const begun: unknown = Reflect.apply(effects[name], undefined, args);
    if (isAwaited) await begun;
  });
  return runTrigger(trigger, events.messageSent());
}

describe("a wrong call of an effect", () => {
  it.each<[string, keyof Effects, readonly unknown[], string]>([
    [
      "without a message",
      "sendText",
      ["hi"],
      'Cannot call sendText: "message" is missing; it must be of type object.',
    ],
    [
      "a misspelled field",
      "sendText",
      ["hi", { ...hello, txt: "hi" }],
      'Cannot call sendText: "message" must be without the unknown field txt.',
    ],
    [
      "a number for a user",
      "sendText",
      ["hi", { ...hello, receiver: 5 }],
      'Cannot call sendText: "receiver" must be of type string, not number.',
    ],
    [
      "a misspelled option",
      "sendText",
      ["hi", hello, { remembered: true }],
      'Cannot call sendText: "options" must be without the unknown field remembered.',
    ],
    [
      "no question",
      "answer",
      ["hi", hello],
      'Cannot call answer: "question" is missing; it must be of type object.',
    ],
    ["no work", "once", ["hi"], 'Cannot call once: "work" must be a function.'],
    [
      "no schema",
      "once",
      ["work", async () => 1, { schema: "id" }],
      'Cannot call once: "schema" must be a schema of zod.',
    ],
    [
      "no such option",
      "once",
      ["hi", async () => 1, { done: 1 }],
      'Cannot call once: "done" must be left out: there is no such option. It takes { alreadyDone, schema }.',
    ],
    [
      "what is no effect",
      "do",
      ["hi", "sendText"],
      'Cannot call do: "effect" must be an effect, such as sendText(…), or an operation of the client, such as groups.update.',
    ],
    [
      "no name",
      "do",
      [undefined, { kind: "x", stepsWith: () => ({}) }],
      'Cannot call an effect: "name" is missing; it must be a text.',
    ],
    [
      "no address",
      "request",
      ["hi", { method: "GET" }],
      'Cannot call request: "url" is missing; it must be of type string.',
    ],
    [
      "no flow",
      "start",
      [undefined, {}],
      'Cannot call startFlow: "flow" is missing; it must be what defineFlow made.',
    ],
    ["no message", "isOwn", [], 'Cannot call isOwn: "message" is missing; it must be of type object.'],
  ])("dead-letters its event immediately, with the cause: %s", async (_, name, args, cause) => {
    const { buried, failures, sent, log } = await play(name, args);

    expect([failures, sent]).toEqual([1, []]);
    expect(buried).toMatchObject({ reason: "permanent", cause: expect.stringContaining(cause) });
    expect(log.find(({ message }) => /^could not handle an event/.test(message))?.fields.step).toContain(
      "the-trigger",
    );
  });

  it("is also reported if the handler does not await it", async () => {
    const { buried } = await play("sendText", ["hi"], false);

    expect(buried).toMatchObject({ cause: expect.stringContaining("Cannot call sendText") });
  });
});
