import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OutcomeName, outcomeNames, outcomes } from "../../lib/effects/outcomes.ts";
import type { JourneyDetail, JourneyList, Judgement } from "../../local/console/api/journeys.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { createProjectFolder, createRunChat, type RunChat } from "../helpers/run-chat.ts";
import { useConsole } from "../helpers/use-console.ts";
import { useWriters } from "../helpers/use-writers.ts";

const handler = (word: string, body: string) =>
  `onTrigger("message_sent", { where: { text: { words: ["${word}"] } } }, async ({ effects, event, explain }) => { ${body} })`;
const send = `await effects.sendText("greeting", { receiver: event.message.sender ?? "", receiverType: "user", onBehalfOf: "bob", text: "Hi!" });`;

const triggers = `import { PermanentError } from "../../lib/base/errors.ts";
import { onTrigger, type TriggerTable } from "../../lib/handle/on-trigger.ts";
import { listening } from "./flows.ts";

export const ownTriggers: TriggerTable = {
  acts: ${handler("act", send)},
  rests: ${handler("rest", send)},
  leaves: ${handler("leave", 'explain("nobody is on call");')},
  waits: ${handler("wait", 'throw Object.assign(new Error("no answer"), { $fault: "server" });')},
  breaks: ${handler("break", "await Promise.resolve(Object(undefined).prices.length);")},
  refuses: ${handler("refuse", 'throw new PermanentError("It can never be done.");')},
  listens: ${handler("listen", "await effects.start(listening, {});")},
};
`;

const flows = `import * as z from "zod/mini";
import { defineFlow } from "../../lib/flows/define-flow.ts";

export const listening = defineFlow("listening", { input: z.object({}), waitsFor: ["message_sent"] }, async (flow) =>
  (await flow.waitFor("message_sent", { where: { text: { words: ["hello"] } }, within: { hours: 1 } })) !== undefined);

export const ownFlows = [listening];
`;

const folder = copyProject({
  "functions/own/triggers.ts": triggers,
  "functions/own/flows.ts": flows,
  "config/triggers.yml": "local: auto-reply, acts, rests, leaves, waits, breaks, refuses, listens\n",
});
const lines: string[] = [];
const console = useConsole({
  triggerIds: ["message_sent", "message_edited"],
  log: (line) => lines.push(line),
  cloud: { serviceFolder: folder },
});
const project = createProjectFolder();
let chat: RunChat;
beforeAll(() => {
  chat = createRunChat(project.folder, console.world.cloud, console.world.clock);
});
afterAll(() => {
  removeCopy(folder);
  project.remove();
});

const { post, write } = useWriters(console, "bob");

/** An event that the platform does not send by itself. */
async function deliver(messageId: string, message: object) {
  const sentAt = Math.floor(Date.now() / 1_000);
  const sample = { receiver: "support", receiverType: "user", category: "message", type: "text", sentAt };
  const body = { id: messageId, ...sample, conversationId: `alice_user_support`, ...message };
  await console.ask("/api/try/send", {
    method: "POST",
    body: JSON.stringify({
      appId: "local-app",
      entry: "message_sent",
      signer: "right",
      times: 1,
      isBurst: false,
      isFresh: false,
      text: JSON.stringify({ trigger: "message_sent", appId: "local-app", data: { message: body } }),
    }),
  });
  return messageId;
}

async function journeysOf(messageId: string): Promise<readonly JourneyDetail[]> {
  const find = async (query: string) =>
    ((await console.ask(`/api/journeys?${query}`)).body as JourneyList).rows;
  const rows = await find(`message=${messageId}`);
  // An unreadable delivery has only a key.
  const found = rows.length > 0 ? rows : await find(`key=local-app|message_sent|${messageId}`);
  return Promise.all(
    found.map(async ({ id }) => (await console.ask(`/api/journeys/${id}`)).body as JourneyDetail),
  );
}

const attemptsOf = ({ handling }: JourneyDetail) => handling.flatMap(({ attempts }) => attempts);

const runsOf = (journey: JourneyDetail) => attemptsOf(journey).flatMap(({ runs }) => runs);

/** What log, `trace` and console show for a trigger ("": the event), once the console shows it. */
async function toldOf(messageId: string, trigger: string, outcome: OutcomeName, says = /./) {
  const { title } = outcomes[outcome];
  let why = "";
  await expect
    .poll(async () => {
      const all = await journeysOf(messageId);
      const found = all.flatMap((journey): readonly Judgement[] =>
        trigger === ""
          ? [journey.row, ...attemptsOf(journey)]
          : runsOf(journey).filter(({ handler: name }) => name === trigger),
      );
      why = found.findLast((one) => one.title === title)?.why ?? "";
      return why;
    })
    .toMatch(says);
  const logged = lines
    .map((line): Record<string, unknown> => (line.startsWith("{") ? JSON.parse(line) : {}))
    .filter(({ deliveryKey }) => String(deliveryKey).split("|").includes(messageId));
  const { stdout } = await chat(`trace ${messageId} --local`);
  return {
    why,
    inLog: logged.some((line) => line.outcome === outcome && line.why === why),
    inTrace: stdout.includes(trigger === "" ? why : `${trigger}: ${why}`),
  };
}

interface Case {
  readonly of: string;
  readonly says: RegExp;
  readonly make: () => Promise<string>;
}

async function handledAgain(messageId: string) {
  await toldOf(messageId, "acts", "acted");
  const [journey] = await journeysOf(messageId);
  // Its trigger may have ended while its message is still in the queue.
  const path = `/api/journeys/${journey?.row.id}/handle-again`;
  const said = async () => (await console.ask(path, { method: "POST" })).body;
  await expect.poll(said).toEqual({ message: "The event was sent to the queue again." });
  return messageId;
}

const cases: Readonly<Partial<Record<OutcomeName, Case>>> = {
  acted: { of: "acts", says: /^It acted: greeting \(made \d+\)\.$/, make: () => write("act") },
  "already-done": {
    of: "acts",
    says: /^Its effects were done before: greeting \(made \d+\)\.$/,
    make: async () => handledAgain(await write("act")),
  },
  "no-trigger": {
    of: "",
    says: /^No trigger of this stage handles such events\.$/,
    make: async () => {
      const id = await write("soon changed");
      await post(`/messages/${id}`, { data: { text: "changed" } }, undefined, "PUT");
      return id;
    },
  },
  quarantined: {
    of: "",
    says: /^It cannot be understood, and was put into quarantine: data\.message\.sender: .*, not missing\.$/,
    make: () => deliver("7002", { data: { text: "Who wrote this?" } }),
  },
  interrupted: {
    of: "",
    says: /^An attempt ended without a result, and it is handled again\.$/,
    make: async () => {
      const { faults } = console.world.cloud;
      const point = { service: "chat", nth: 1, when: "before" } as const;
      faults.set({ kills: [{ functionKey: "processEvents", point, chance: 1 }] });
      const id = await write("act");
      await expect.poll(() => faults.strikes().kills[0]).toBeGreaterThan(0);
      faults.set({});
      // It returns after the queue's visibility timeout.
      await console.world.clock?.advance(120_000);
      return id;
    },
  },
  waiting: { of: "waits", says: /^It waits until 20\S+Z: .*no answer/, make: () => write("wait") },
  failed: {
    of: "breaks",
    says: /^It failed at functions\/own\/triggers\.ts:\d+:\d+ \(try \d of 5\): TypeError/,
    make: () => write("break"),
  },
  "dead-lettered": {
    of: "",
    says: /^It was moved to the dead-letter queue: .*It can never be done\.$/,
    make: () => write("refuse"),
  },
  "no-action": {
    of: "leaves",
    says: /^It ran and did nothing: nobody is on call\.$/,
    make: () => write("leave"),
  },
  "started-flow": {
    of: "listens",
    says: /^It started the flow listening_\w+\.$/,
    make: () => write("listen"),
  },
  "woke-flow": { of: "", says: /^It woke the flow listening_\w+\.$/, make: () => write("hello") },
  // The last, because every later event waits for it.
  paused: {
    of: "rests",
    says: /^Its trigger is paused, and the event waits for the end of the pause\.$/,
    make: async () => {
      await chat("pause trigger:rests --local --yes");
      // Running functions read pauses every ten seconds.
      await console.world.clock?.advance(15_000);
      return write("rest");
    },
  },
};

describe("an outcome", () => {
  it.each(Object.entries(cases))("has the same sentence in log, trace and console: %s", async (name, one) => {
    const outcome = outcomeNames.find((known) => known === name) ?? "no-action";

    const told = await toldOf(await one.make(), one.of, outcome, one.says);

    expect(told).toMatchObject({ inLog: true, inTrace: true });
  });

  it("is reported by each shipped trigger that does not act", async () => {
    const told = await toldOf(await write("What is the price?"), "auto-reply", "no-action");

    expect(told.why).toBe("It ran and did nothing: config/replies.yml has no rule for the receiver.");
  });
});
