import { queueNames, tableNames } from "../../../local/testing/simulated/aws.ts";
import { epochMs } from "../../../local/testing/simulated/clock.ts";
import { answerTo } from "./handlers.ts";
import { factIdIn, type World } from "./world.ts";

/** The result of a run. Lists contain ids of occurrences. */
export interface Verdict {
  readonly facts: number;
  readonly answered: number;
  /** Queued or answered with 200, and then neither acted on nor dead-lettered. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** Answered before an earlier one of the same conversation. */
  readonly outOfOrder: readonly string[];
  readonly dead: readonly DeadLetter[];
  /** Never accepted by the receiver, so that nothing was promised. */
  readonly refused: readonly string[];
  /** Lanes that are still parked, with a ticket. */
  readonly stranded: readonly string[];
  /** From the queue to the answer, in milliseconds, ascending. */
  readonly latenciesMs: readonly number[];
}

export interface DeadLetter {
  readonly factId: string;
  readonly reason: string;
  readonly cause: string;
  readonly tries: number;
  /** Milliseconds since the start. */
  readonly atMs: number;
}

/** Compares what happened with what was promised; `isMine` selects the occurrences. */
export function judge(world: World, isMine: (factId: string) => boolean = () => true): Verdict {
  const { delivered, enqueued, platform } = world;
  const answers = new Map<string, number[]>();
  const places = new Map<string, number>();
  for (const [place, { text, storedAtMs }] of platform.messages.entries()) {
    const id = factIdOfAnswer(text);
    answers.set(id, [...(answers.get(id) ?? []), storedAtMs]);
    if (!places.has(id)) places.set(id, place);
  }
  const dead = deadLetters(world).filter(({ factId }) => isMine(factId));
  const deadIds = new Set(dead.map(({ factId }) => factId));
  const facts = [...delivered.values()].filter(({ id }) => isMine(id));
  const promised = facts.filter(({ id, acceptedAtMs }) => acceptedAtMs !== undefined || enqueued.has(id));

  const lastPlace = new Map<string, number>();
  const outOfOrder: string[] = [];
  for (const id of enqueued.keys()) {
    const fact = delivered.get(id);
    const place = places.get(id);
    if (fact === undefined || place === undefined || !isMine(id)) continue;
    const lane = `${fact.appId} ${fact.conversation}`;
    if (place < (lastPlace.get(lane) ?? -1)) outOfOrder.push(id);
    else lastPlace.set(lane, place);
  }
  const answered = promised.filter(({ id }) => answers.has(id));
  return {
    facts: facts.length,
    answered: answered.length,
    lost: promised.filter(({ id }) => !answers.has(id) && !deadIds.has(id)).map(({ id }) => id),
    doubled: answered.filter(({ id }) => (answers.get(id)?.length ?? 0) > 1).map(({ id }) => id),
    outOfOrder,
    dead,
    refused: facts.filter((fact) => !promised.includes(fact)).map(({ id }) => id),
    stranded: parkedLanes(world),
    latenciesMs: answered
      .map(({ id }) => (answers.get(id)?.[0] ?? 0) - (enqueued.get(id) ?? 0))
      .toSorted((one, other) => one - other),
  };
}

/** The moment of each answer, in milliseconds since the start, by occurrence. */
export function answerTimes(world: World): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { text, storedAtMs } of world.platform.messages) {
    const id = factIdOfAnswer(text);
    if (!times.has(id)) times.set(id, storedAtMs - epochMs);
  }
  return times;
}

/** Returns the value below which this share of a sorted list lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const answerPrefix = answerTo("");

function factIdOfAnswer(text: string): string {
  return text.slice(answerPrefix.length).split(" ")[0] ?? "";
}

function deadLetters({ aws }: World): readonly DeadLetter[] {
  return aws.queues
    .get(queueNames.deadLetters)
    .queue.peek()
    .map(({ body, attributes, sentAtMs }) => {
      const textOf = (name: string) => attributes[name]?.StringValue ?? "";
      return {
        factId: factIdIn(body) ?? "",
        reason: textOf("Reason"),
        cause: textOf("Cause"),
        tries: Number(textOf("Tries")),
        atMs: sentAtMs - epochMs,
      };
    });
}

/**
 * Lanes that had a ticket. One that a process parked late, when its successor was done with the lane,
 * has none: its next event wakes it, and its contents are answered, or else count as lost.
 */
function parkedLanes({ aws }: World): readonly string[] {
  const items = aws.tables.get(tableNames.lanes).table.all();
  return items.flatMap(({ lane, item, owner }) => {
    const isState = item !== undefined && "S" in item && item.S === "state";
    return isState && owner !== undefined && lane !== undefined && "S" in lane ? [String(lane.S)] : [];
  });
}
