import type { Condition, Item, Table } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { joinFields } from "../events/identity.ts";
import { isAbsent, type Ledger } from "./ledger.ts";

/**
 * Counts the recent automatic answers of each conversation, to stop loops between bots, and remembers their
 * ids, to recognize them in webhooks without marks. An answer is entered before it is sent, once for all
 * attempts. All methods may be repeated.
 * @throws AwsCallError if the table cannot be reached
 */
export interface AnswerBook {
  open(appId: string, conversationId: string): Promise<AnswerPage>;
}

export interface AnswerPage {
  /**
   * Returns whether a message is one of the answers. An answer whose id was never recorded matches every
   * message of its sender: silence is better than a loop.
   */
  has(message: { readonly id: string; readonly sender: string }): Promise<boolean>;
  /**
   * Enters a message that is about to be sent. `full`: too many recent answers, the message must not be sent.
   * `busy`: concurrent writes in this conversation left no chance to enter it.
   */
  enter(message: EnteredMessage): Promise<"entered" | "full" | "busy">;
}

export interface EnteredMessage {
  readonly effectId: string;
  readonly sender: string;
  /** False if the message must only be recognized: it is always entered, and does not count as an answer. */
  readonly isAnswer: boolean;
}

export interface AnswerBookOptions {
  readonly table: Table;
  readonly ledger: Pick<Ledger, "read">;
  /** Maximum answers of a conversation within the window, up to `mostAnswers`. */
  readonly limit: number;
  readonly windowMs: number;
  readonly now: () => number;
  readonly token: () => string;
}

/** An item holds twice as many (400 kB, at most 190 bytes each). */
export const mostAnswers = 1_000;
/**
 * Maximum remembered messages that are not answers. A group with a welcome message may get hundreds a minute:
 * they must not displace the answers, or make each write 100 kB.
 */
const mostOthers = 200;
/**
 * After an outage, the webhook of an answer may arrive this much later. Older events are answered only on
 * request.
 */
const leastRememberedMs = 70 * 60_000;
/** Each turn means that another process wrote an answer in the meantime. */
const maxTurns = 10;

/** Keeps one small item per conversation that was answered recently. Messages of people do not touch it. */
export function createAnswerBook(options: AnswerBookOptions): AnswerBook {
  const { table, ledger, limit, windowMs, now, token } = options;
  const rememberedMs = Math.max(leastRememberedMs, windowMs);

  /** Returns the current item if another process wrote first, or if the response to this write was lost. */
  const write = async (id: string, { version }: Page, answers: readonly Answered[]) => {
    const expiration = Math.ceil((now() + rememberedMs) / 1000);
    const item = { id, version: token(), answers: answers.map(writeAnswer), expiration };
    const written = await table.put(item, isStill(version));
    return written.ok ? undefined : readPage(written.old);
  };

  return {
    open: async (appId, conversationId) => {
      const id = `answers#${sha256Hex(joinFields([appId, conversationId.toLowerCase()]))}`;
      let page = readPage(await table.get({ id }));
      return {
        has: async (message) => {
          for (const answer of page.answers.toReversed()) {
            if (answer.sender === message.sender.toLowerCase() && (await isIt(answer, message.id)))
              return true;
          }
          return false;
        },
        enter: async ({ effectId, sender, isAnswer }) => {
          for (let turn = 1; turn <= maxTurns; turn += 1) {
            const nowMs = now();
            if (page.answers.some((answer) => answer.effectId === effectId)) return "entered";
            const answers = page.answers.filter(({ atMs }) => nowMs - atMs < rememberedMs);
            const lately = answers.filter((answer) => answer.isAnswer && nowMs - answer.atMs < windowMs);
            if (isAnswer && lately.length >= limit) return "full";
            const entered = [...answers, { effectId, sender: sender.toLowerCase(), isAnswer, atMs: nowMs }];
            const other = await write(id, page, newestOf(entered));
            if (other === undefined) return "entered";
            page = other;
          }
          return "busy";
        },
      };
    },
  };

  async function isIt({ effectId }: Answered, messageId: string): Promise<boolean> {
    const known = await ledger.read(effectId);
    if (known.state !== "done") return known.state === "begun";
    return messageIdIn(known.result) === messageId;
  }
}

interface Answered extends EnteredMessage {
  readonly atMs: number;
}

interface Page {
  /** Undefined if there is no item. */
  readonly version: string | undefined;
  /** Newest last. */
  readonly answers: readonly Answered[];
}

function newestOf(entered: readonly Answered[]): readonly Answered[] {
  const answers = entered.filter(({ isAnswer }) => isAnswer);
  const others = entered.filter(({ isAnswer }) => !isAnswer);
  const tooMany = new Set([...answers.slice(0, -mostAnswers), ...others.slice(0, -mostOthers)]);
  return entered.filter((one) => !tooMany.has(one));
}

/** Stores each answer as one text: field names would take half of the item. */
function writeAnswer({ effectId, sender, isAnswer, atMs }: Answered): string {
  return `${isAnswer ? "answer" : "other"} ${atMs} ${effectId} ${sender}`;
}

function readPage(item: Item | undefined): Page {
  const { version, answers } = item ?? {};
  return {
    version: typeof version === "string" ? version : undefined,
    answers: Array.isArray(answers) ? answers.flatMap(readAnswer) : [],
  };
}

function readAnswer(text: unknown): Answered[] {
  const [, kind, atMs, effectId = "", sender = ""] = /^(\S+) (\d+) (\S+) (.*)$/s.exec(String(text)) ?? [];
  if (effectId === "") return [];
  return [{ effectId, sender, isAnswer: kind === "answer", atMs: Number(atMs) }];
}

function messageIdIn(result: string): unknown {
  const sent = parseJson(result);
  return isRecord(sent) ? sent.id : undefined;
}

function isStill(version: string | undefined): Condition {
  if (version === undefined) return isAbsent;
  const names = { "#version": "version" };
  return { expression: "#version = :version", names, values: { ":version": version } };
}
