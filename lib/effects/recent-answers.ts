import { type Condition, type Item, type Table, when } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { parseJson, readPath } from "../base/json.ts";
import { joinFields } from "../events/identity.ts";
import { ifNew, type Ledger } from "./ledger.ts";

export type RecentAnswers = ReturnType<typeof createRecentAnswers>;

export interface EnteredMessage {
  readonly effectId: string;
  readonly sender: string;
  /** Answered uid; stored as a digest. */
  readonly asker?: string | undefined;
  /** When the answered event happened; milliseconds since 1970. Undefined: the message is not counted. */
  readonly askedAtMs?: number | undefined;
}

export interface RecentAnswersOptions {
  readonly table: Table;
  readonly ledger: Ledger;
  readonly limit: number;
  readonly windowMs: number;
  readonly now: () => number;
  readonly token: () => string;
}

/** An item could hold twice as many (400 kB, at most 200 bytes each). */
export const mostAnswers = 1_000;
/** Such as welcomes: hundreds a minute must not displace answers or make each write 100 kB. */
const mostOthers = 200;
/** The webhook of an answer may be this late. Older events are answered only on request. */
const leastRememberedMs = 70 * 60_000;
const maxTurns = 10;

/**
 * Counts each conversation's recent automatic answers, against loops between bots. Repeatable. Throws
 * AwsCallError.
 */
export function createRecentAnswers(options: RecentAnswersOptions) {
  const { table, ledger, limit, windowMs, now, token } = options;
  const rememberedMs = Math.max(leastRememberedMs, windowMs);

  /** Returns the current item if another process wrote first, or the response was lost. */
  const write = async (key: Item, { version }: Page, answers: readonly Answered[]) => {
    const expiration = Math.ceil((now() + rememberedMs) / 1000);
    const item = { version: token(), answers: answers.map(writeAnswer), expiration };
    const written = await table.put({ ...key, ...item }, isStill(version));
    return written.ok ? undefined : readPage(written.old);
  };

  return {
    open: async (appId: string, conversationId: string) => {
      const id = `answers#${sha256Hex(joinFields([appId, conversationId.toLowerCase()]))}`;
      let page = readPage(await table.get({ id }));
      return {
        /**
         * Returns whether a message is such an answer. One without a known id matches every message of its
         * sender: silence is better than a loop.
         */
        has: async (message: { readonly id: string; readonly sender: string }) => {
          for (const answer of page.answers.toReversed()) {
            if (answer.sender === message.sender.toLowerCase() && (await isIt(answer, message.id)))
              return true;
          }
          return false;
        },
        /**
         * `full`: too many recent answers, by the events' times: a backlog after an outage is no loop.
         * `busy`: too many concurrent writes.
         */
        enter: async ({ effectId, sender, asker = "", askedAtMs }: EnteredMessage) => {
          const { digest, isTheirs } = readAsker(asker.toLowerCase());
          for (let turn = 1; turn <= maxTurns; turn += 1) {
            const nowMs = now();
            if (page.answers.some((answer) => answer.effectId === effectId)) return "entered";
            const answers = page.answers.filter(({ atMs }) => nowMs - atMs < rememberedMs);
            // NaN, for a missing time, is never near.
            const isNear = (one: Answered) => Math.abs(Number(one.askedAtMs) - Number(askedAtMs)) < windowMs;
            const lately = answers.filter(isNear);
            const most = Math.min(5 * limit, mostAnswers);
            if (lately.length >= most || lately.filter(isTheirs).length >= limit) return "full";
            const from = { sender: sender.toLowerCase(), asker: asker && digest };
            const entered = [...answers, { effectId, ...from, askedAtMs, atMs: nowMs }];
            const other = await write(
              { id, app: appId },
              page,
              newestOf(entered, Math.max(most, mostOthers)),
            );
            if (other === undefined) return "entered";
            page = other;
          }
          return "busy";
        },
      };
    },
  };

  async function isIt({ effectId }: Answered, messageId: string): Promise<boolean> {
    const known = await ledger.readById(effectId);
    if (known.state !== "done") return known.state === "begun";
    return readPath(parseJson(known.result), "id") === messageId;
  }
}

interface Answered extends EnteredMessage {
  readonly atMs: number;
}

interface Page {
  readonly version: string | undefined;
  readonly answers: readonly Answered[];
}

function readAsker(who: string) {
  const digest = sha256Hex(who).slice(0, 8);
  /** Two bots that answer each other count together. */
  const isTheirs = (one: Answered) => !one.asker || one.asker === digest || one.sender === who;
  return { digest, isTheirs };
}

function newestOf(entered: readonly Answered[], most: number): readonly Answered[] {
  const answers = entered.filter(({ askedAtMs }) => askedAtMs !== undefined);
  const others = entered.filter(({ askedAtMs }) => askedAtMs === undefined);
  const tooMany = new Set([...answers.slice(0, -most), ...others.slice(0, -mostOthers)]);
  return entered.filter((one) => !tooMany.has(one));
}

/** A text, because field names would take half of the item. */
function writeAnswer({ effectId, sender, asker, askedAtMs, atMs }: Answered): string {
  return `${askedAtMs ?? "-"} ${atMs} ${effectId} ${asker || "-"} ${sender}`;
}

function readPage(item: Item | undefined): Page {
  const { version, answers } = item ?? {};
  return {
    version: typeof version === "string" ? version : undefined,
    answers: Array.isArray(answers) ? answers.flatMap(readAnswer) : [],
  };
}

function readAnswer(text: unknown): Answered[] {
  const found = /^(\S+) (\d+) (\S+) (\S+) (.*)$/s.exec(String(text));
  if (found === null) return [];
  const [, asked, at, effectId = "", asker = "", sender = ""] = found;
  const askedAtMs = asked === "-" ? undefined : Number(asked);
  return [{ effectId, sender, asker: asker === "-" ? "" : asker, askedAtMs, atMs: Number(at) }];
}

export function isStill(version: string | undefined): Condition {
  return version === undefined ? ifNew : when("#version = :version", { version });
}
