import { sha256Hex } from "../base/digest.ts";
import type { ReplayMark } from "./enqueue.ts";
import type { HeldMessage, HeldQueue } from "./held-queue.ts";
import { type OperatorServices, openForOperator } from "./operator-services.ts";
import { maxAgeMs, payloadOf } from "./read-queued-event.ts";
import { passedOverReason, triggerOffReason } from "./send-dead-letter.ts";
import {
  type Counted,
  countSelected,
  isSelected,
  type Selection,
  type SelectionCounts,
  type SetAside,
  toCounted,
} from "./set-aside.ts";
import { waitForOthers } from "./wait-for-others.ts";
import { type WorkItem, type WorkOptions, type WorkOutcome, workOff } from "./work-off.ts";

export interface SetAsideKind<Facts extends SetAside> {
  readonly queue: "deadLetters" | "quarantine";
  read(message: HeldMessage): Facts;
  /** True if SQS hides later messages of its group until it is deleted. */
  mayHideOthers(facts: Facts): boolean;
  /** @returns undefined for an unreadable message, which stays */
  prepare(message: HeldMessage, facts: Facts, services: OperatorServices): ReplayItem | undefined;
}

export interface ReplayItem extends Pick<WorkItem, "lane"> {
  readonly finished?: string | undefined;
  send(mark: ReplayMark): Promise<void>;
}

export interface Found<Facts extends SetAside> extends Pick<WorkOutcome, "unseen"> {
  readonly found: readonly Facts[];
}

export interface LookOptions extends Omit<WorkOptions, "rehearse"> {
  /** Ends the look when it has a selected message. Default: false. */
  readonly firstOnly?: boolean;
}

export interface DropOptions extends WorkOptions {
  readonly selection?: Selection;
}

export interface DropReport extends SelectionCounts, WorkOutcome {
  readonly isRehearsal: boolean;
  readonly ids: readonly string[];
  readonly dropped: readonly string[];
}

export interface ReplayOptions extends DropOptions {
  /**
   * Includes events received more than 30 days ago, for a consumer with ACT_ON_OLD_EVENTS. Default: false.
   */
  readonly includesOld?: boolean;
  /** Includes events that were skipped as too old, and handles all regardless of age. Default: false. */
  readonly ignoresAge?: boolean;
  /** Includes events of a trigger that was off, which nothing handles until it is on. Default: false. */
  readonly includesOff?: boolean;
  /** Leaves messages sent to the queue since this rehearsal, except those that it saw. Default: none. */
  readonly counted?: { readonly ids: ReadonlySet<string>; readonly atMs: number } | undefined;
}

export interface ReplayReport extends SelectionCounts, WorkOutcome {
  readonly isRehearsal: boolean;
  /** Of all selected messages, also those that stay. */
  readonly ids: readonly string[];
  /** Messages that stay: received more than 30 days ago, they would be dead-lettered. */
  readonly tooOld: number;
  /** Messages that stay unless their age is ignored. */
  readonly passedOver: number;
  /** Messages that stay until their trigger is on again. */
  readonly triggerOff: number;
  /** Messages that stay: they cannot be parsed. */
  readonly unreadable: number;
  readonly replayable: number;
  readonly replayed: number;
  readonly note: string;
}

/**
 * An operator's work on the dead-letter or quarantine queue. Methods throw AwsCallError, and hide the
 * messages from other readers meanwhile.
 */
export function createSetAsideQueue<Facts extends SetAside>(kind: SetAsideKind<Facts>) {
  const { queue, read, mayHideOthers } = kind;

  const list = async (
    selection: Selection,
    services: OperatorServices,
    options?: LookOptions,
  ): Promise<Found<Facts>> => lookThrough(openForOperator(queue, services), read, selection, options);

  return {
    list,

    /**
     * Returns one message with the platform's payload, or the message itself if it is no delivery. May
     * contain users' texts.
     * @returns undefined if absent or hidden by another reader
     */
    show: async (id: string, services: OperatorServices, options?: LookOptions) => {
      let content = "";
      const note = (message: HeldMessage) => {
        if (message.id === id) content = payloadOf(message.body) ?? message.body;
        return read(message);
      };
      const held = openForOperator(queue, services);
      const [message] = (await lookThrough(held, note, { id }, { ...options, firstOnly: true })).found;
      return message && { message, content };
    },

    /**
     * Sends messages to their original queues with their finished steps, ordered by receipt, then by
     * dead-lettering, and deletes them. A message that is in both queues meanwhile is dropped by the second,
     * or the ledger stops its effects. Beyond 100,000 messages (a queue delivers 120,000) it continues in
     * rounds, each ordered by itself. Messages that SQS moved come ten per lane and round. Pass a
     * rehearsal's ids, to replay only what was counted, or `counted`, to replay also what waited behind it. A
     * failed send ends the run. Repeatable, also after a crash.
     * @throws QueueBusyError if another reader holds messages
     */
    replay: (options: ReplayOptions, services: OperatorServices) => replay(kind, options, services),

    /**
     * Deletes messages. Pass a rehearsal's ids, to spare later arrivals. A failed delete ends the run and is
     * reported. Repeatable, also after a crash.
     */
    drop: async (options: DropOptions, services: OperatorServices): Promise<DropReport> => {
      const ids: string[] = [];
      const toItem = (facts: Facts): WorkItem => {
        ids.push(facts.id);
        return { facts, lane: facts.id, mayHideOthers: mayHideOthers(facts) };
      };
      const held = openForOperator(queue, services);
      const { done, ...report } = await work(held, read, options, toItem);
      return { ...report, ids, dropped: done };
    },
  };
}

async function replay<Facts extends SetAside>(
  { queue, read, mayHideOthers, prepare }: SetAsideKind<Facts>,
  options: ReplayOptions,
  services: OperatorServices,
): Promise<ReplayReport> {
  const { rehearse = false, includesOld = false, ignoresAge = false, includesOff = false, counted } = options;
  const { now, sleep } = services;
  const held = openForOperator(queue, services);
  if (!rehearse) await waitForOthers(held, sleep);
  const startedAt = now();
  const ids: string[] = [];
  const counts = { replayable: 0, tooOld: 0, passedOver: 0, triggerOff: 0, unreadable: 0 };
  const toItem = (facts: Facts, message: HeldMessage): WorkItem | undefined => {
    ids.push(facts.id);
    const item = prepare(message, facts, services);
    const { reason, receivedAt = startedAt } = facts;
    const left =
      item === undefined
        ? "unreadable"
        : reason === passedOverReason && !ignoresAge
          ? "passedOver"
          : reason === triggerOffReason && !includesOff
            ? "triggerOff"
            : startedAt - receivedAt > maxAgeMs && !includesOld
              ? "tooOld"
              : undefined;
    if (item === undefined || left !== undefined) {
      counts[left ?? "unreadable"] += 1;
      return undefined;
    }
    counts.replayable += 1;
    const send = () => item.send(toReplayMark(facts, item.finished, ignoresAge, now()));
    return { facts, lane: item.lane, mayHideOthers: mayHideOthers(facts), send };
  };
  // A message that this run replayed may already be back.
  const isLater = ({ id, sentAt }: HeldMessage, isFirstRound: boolean) =>
    counted === undefined
      ? !isFirstRound && sentAt >= startedAt
      : sentAt > counted.atMs && !counted.ids.has(id);
  const { done, ...report } = await work(held, read, options, toItem, isLater);
  return { ...report, ...counts, ids, replayed: done.length, note: replayNote };
}

/** Reads all messages and returns them to the queue, even if it throws. @throws AwsCallError */
export async function lookThrough<Facts extends SetAside>(
  queue: HeldQueue,
  read: (message: HeldMessage) => Facts,
  selection: Selection,
  options: LookOptions = {},
): Promise<Found<Facts>> {
  const found: Facts[] = [];
  const note = (facts: Facts) => {
    found.push(facts);
    return undefined;
  };
  const { unseen } = await work(queue, read, { ...options, selection, rehearse: true }, note);
  return { found: found.toSorted((one, other) => one.setAsideAt - other.setAsideAt), unseen };
}

/** @param toItem returns undefined for a message that stays */
async function work<Facts extends SetAside>(
  queue: HeldQueue,
  read: (message: HeldMessage) => Facts,
  options: DropOptions & Pick<LookOptions, "firstOnly">,
  toItem: (facts: Facts, message: HeldMessage) => WorkItem | undefined,
  isLater: (message: HeldMessage, isFirstRound: boolean) => boolean = () => false,
) {
  const { selection = {}, rehearse: isRehearsal = false, firstOnly = false } = options;
  const missing = selection.ids && new Set(selection.ids);
  const selected: Counted[] = [];
  const select = (message: HeldMessage, isFirstRound: boolean) => {
    if (isLater(message, isFirstRound)) return undefined;
    const facts = read(message);
    if (!isSelected(facts, selection, message.body)) return undefined;
    selected.push(toCounted(facts, selection));
    missing?.delete(facts.id);
    return toItem(facts, message);
  };
  const isDone = () => (firstOnly && selected.length > 0) || missing?.size === 0;
  const outcome = await workOff(queue, select, options, isDone);
  return { isRehearsal, ...countSelected(selected), ...outcome };
}

function toReplayMark(
  { id, setAsideAt }: SetAside,
  finished: string | undefined,
  ignoresAge: boolean,
  atMs: number,
): ReplayMark {
  const text = (value: string) => ({ DataType: "String", StringValue: value });
  return {
    deduplicationId: sha256Hex(`replay ${id} ${setAsideAt}`),
    attributes: {
      ReplayedAt: text(String(atMs)),
      ...(finished !== undefined && finished !== "" && { Finished: text(finished) }),
      ...(ignoresAge && { IgnoresAge: text("yes") }),
    },
  };
}

const replayNote =
  "Replayed events keep their order among themselves, not with others: they are handled after all events of their conversation " +
  "that were handled meanwhile or are waiting already. Texts are sent unchanged, also those that mention a time " +
  '("within a few minutes"). Finished effects of an event are not repeated; what a trigger does without `effects` is.';
