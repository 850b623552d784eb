import type { Condition, Item, Table } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { joinFields } from "../events/identity.ts";
import type { Ledger } from "./ledger.ts";
import { isAbsent } from "./ledger-entry.ts";

/**
 * Remembers the automatic answers of each conversation: how many there were lately, which ends loops between machines, and
 * which messages they are, for webhooks that carry no marks. A message is entered before it is sent, and once however often
 * that is tried. All throw AwsCallError when the table cannot be reached; all may be repeated.
 */
export interface AnswerBook {
  /** Opens the page of a conversation. */
  open(appId: string, conversationId: string): Promise<AnswerPage>;
}

/** The answers of one conversation, as they were when the page was opened. */
export interface AnswerPage {
  /**
   * Tells whether a message is one of the answers. One whose id is not known, because nobody wrote down what became of it,
   * counts as any message of its sender: silence is better than a loop.
   */
  has(message: { readonly id: string; readonly sender: string }): Promise<boolean>;
  /**
   * Enters a message that is about to be sent. `full`: there were too many answers lately, this one must not be sent.
   * `busy`: others write in the conversation so fast that nothing could be entered.
   */
  enter(message: EnteredMessage): Promise<"entered" | "full" | "busy">;
}

export interface EnteredMessage {
  /** On the effects table. */
  readonly effectId: string;
  readonly sender: string;
  /** False for what is only to be known again: it is always entered, and does not count. */
  readonly isAnswer: boolean;
}

export interface AnswerBookOptions {
  /** Its key is `id`. */
  readonly table: Table;
  readonly ledger: Pick<Ledger, "read">;
  /** How many answers a conversation may get within the window, up to `mostAnswers`. */
  readonly limit: number;
  readonly windowMs: number;
  readonly now: () => number;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
}

/** An item of the table has room for twice as many (400 kB, at most 190 bytes each). */
export const mostAnswers = 1_000;
/**
 * How many are remembered that are no answers. A group in which everybody is welcomed may get hundreds a minute: they must
 * not push the answers out, nor make of each write one of a hundred kilobytes.
 */
const mostOthers = 200;
/** A webhook of an answer may come that much later, out of an outage: nothing older is answered, unless somebody asks for it. */
const leastRememberedMs = 70 * 60_000;
/** Each turn means that somebody else answered in the conversation meanwhile. */
const maxTurns = 10;

/** Keeps one small item for each conversation that was answered lately; messages of people do not touch it. */
export function createAnswerBook(options: AnswerBookOptions): AnswerBook {
  const { table, ledger, limit, windowMs, now, token } = options;
  const rememberedMs = Math.max(leastRememberedMs, windowMs);

  /** Gives what is there instead when somebody else was quicker, or when the answer to this very call was lost. */
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
  /** Undefined where nothing is there. */
  readonly version: string | undefined;
  /** The newest last. */
  readonly answers: readonly Answered[];
}

function newestOf(entered: readonly Answered[]): readonly Answered[] {
  const answers = entered.filter(({ isAnswer }) => isAnswer);
  const others = entered.filter(({ isAnswer }) => !isAnswer);
  const tooMany = new Set([...answers.slice(0, -mostAnswers), ...others.slice(0, -mostOthers)]);
  return entered.filter((one) => !tooMany.has(one));
}

/** As one text each: names of fields would be half of the item. */
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
