import { readRegion } from "../../lib/chat/address.ts";
import { type ChatClient, createChatClient } from "../../lib/chat/client.ts";
import { ChatApiError } from "../../lib/chat/errors.ts";

/** A platform's address, and a key of scope fullAccess for one of its apps. */
export interface Target {
  readonly appId: string;
  readonly region: string;
  readonly apiKey: string;
  /** Default: the real platform's. */
  readonly baseUrlTemplate?: string | undefined;
}

export interface Difference {
  readonly step: string;
  readonly one: readonly string[];
  readonly other: readonly string[];
}

/** Names in a step: unlikely to exist, and removed by the last steps. */
const uid = "contract-check-user";
const reasonId = "contract-check-reason";
const missing = "contract-check-nobody";

type Memory = Map<"messageId", string>;
type Step = readonly [name: string, act: (chat: ChatClient, memory: Memory) => Promise<unknown>];

// All steps together restore the app; none reads or changes other data.
const steps: readonly Step[] = [
  ["create a user", (chat) => chat.users.create({ uid, name: "Contract check" })],
  ["create it again", (chat) => chat.users.create({ uid, name: "Contract check" })],
  ["get a user", (chat) => chat.users.get(uid)],
  ["get a missing user", (chat) => chat.users.get(missing)],
  ["create an auth token", (chat) => chat.authTokens.create(uid)],
  ["create one for a missing user", (chat) => chat.authTokens.create(missing)],
  [
    "send a message on behalf of a user",
    async (chat, memory) => {
      const message = await chat.messages.send(
        { receiver: uid, receiverType: "user", type: "text", data: { text: "contract check" } },
        { onBehalfOf: uid },
      );
      memory.set("messageId", message.id);
      return message;
    },
  ],
  [
    "send a message with forged fields of the platform",
    async (chat) => {
      const forged = { entities: { sender: { entity: { uid, forged: 1 } } }, moderation: { forged: 1 } };
      const message = await chat.messages.send(
        { receiver: uid, receiverType: "user", type: "text", data: { text: "contract check", ...forged } },
        { onBehalfOf: uid },
      );
      await chat.messages.delete(message.id);
      return message;
    },
  ],
  ["get a message", (chat, memory) => chat.messages.get(memory.get("messageId") ?? "0")],
  ["get a missing message", (chat) => chat.messages.get("999999999")],
  ["list a user's messages", (chat) => chat.messages.list({ sender: uid, limit: 1 }).page()],
  ["create a reason", (chat) => chat.reasons.create({ id: reasonId, name: "Contract check" })],
  ["update a reason", (chat) => chat.reasons.update(reasonId, { name: "Contract check 2" })],
  ["get a missing reason", (chat) => chat.reasons.get(missing)],
  ["delete a reason", (chat) => chat.reasons.delete(reasonId)],
  ["delete a message", (chat, memory) => chat.messages.delete(memory.get("messageId") ?? "0")],
  ["delete a user", (chat) => chat.users.delete(uid, { permanent: true })],
];

/**
 * Runs the same steps on two platforms and lists where answers differ in shape, or refusals in status or
 * code.
 */
export async function comparePlatforms(one: Target, other: Target): Promise<readonly Difference[]> {
  const [first, second] = [await walk(one), await walk(other)];
  return steps.flatMap(([step]) => {
    const [onlyFirst, onlySecond] = [
      first.get(step) ?? new Set<string>(),
      second.get(step) ?? new Set<string>(),
    ];
    const difference = {
      step,
      one: [...onlyFirst].filter((fact) => !onlySecond.has(fact)),
      other: [...onlySecond].filter((fact) => !onlyFirst.has(fact)),
    };
    return difference.one.length + difference.other.length > 0 ? [difference] : [];
  });
}

async function walk({ appId, region, apiKey, baseUrlTemplate }: Target): Promise<Map<string, Set<string>>> {
  const chat = createChatClient({ appId, region: readRegion(region), apiKey, baseUrlTemplate });
  const memory: Memory = new Map();
  const facts = new Map<string, Set<string>>();
  for (const [name, act] of steps) {
    const outcome = await act(chat, memory).then(
      (answer) => shapeOf(answer),
      (error: unknown) => [
        error instanceof ChatApiError ? `refused with ${error.status} ${error.code}` : String(error),
      ],
    );
    facts.set(name, new Set(outcome));
  }
  return facts;
}

/** Each field of an answer as `path: kind`, without values, to print no secrets. */
function shapeOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => shapeOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null) {
    return value === undefined ? [] : [`${path || "answer"}: ${value === null ? "null" : typeof value}`];
  }
  return Object.entries(value).flatMap(([name, field]) => shapeOf(field, path ? `${path}.${name}` : name));
}
