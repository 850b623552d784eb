import type { Blow } from "../../../local/testing/simulated/process.ts";
import { between, type Random } from "../../../local/testing/simulated/random.ts";
import type { ChatRequest, Reception } from "../world/chat-platform.ts";
import { drawFate, type Shares } from "../world/faults.ts";
import type { Verdict } from "../world/judge.ts";
import { answer, play, upTo, well } from "../world/play.ts";

/** The intensity of failures, as shares from 0 to 1. */
export interface Profile {
  /** Of requests to the platform that send. */
  readonly sends?: Partial<Record<SendTrouble, number>>;
  /** Of requests to the platform that read. */
  readonly reads?: number;
  /** Of requests to the tables. */
  readonly tables?: Shares;
  /** Of requests to the queues. */
  readonly queues?: Shares;
  /** Of the edges at which a process is killed or stands still. */
  readonly strikes?: Partial<Record<Exclude<Blow, "none">, number>>;
  /** Of batches whose deletion is lost, so that handled events return. */
  readonly lostDeletions?: number;
  readonly listLagMs?: number;
}

export type SendTrouble =
  | "failed"
  | "answer lost"
  | "answer cut"
  | "carried out late"
  | "silence"
  | "no connection";

const receptions: Readonly<Record<SendTrouble, Reception>> = {
  failed: answer(500),
  "answer lost": { kind: "answer lost" },
  "answer cut": { kind: "answer cut" },
  "carried out late": { kind: "carried out late" },
  silence: { kind: "silence" },
  "no connection": { kind: "no connection" },
};

/** Every profile of faults in use. */
export const profiles = {
  "killed processes": {
    strikes: { "killed before": 0.003, "killed after": 0.003 },
    lostDeletions: 0.02,
  },
  "processes that stand still": { strikes: { "frozen before": 0.002, "frozen after": 0.002 } },
  "lost answers of the platform": {
    sends: { failed: 0.04, "answer lost": 0.05, "answer cut": 0.02, silence: 0.01, "no connection": 0.03 },
    reads: 0.05,
  },
  "sends carried out late, and lists that lag": { sends: { "carried out late": 0.1 }, listLagMs: 5_000 },
  "lost answers of the table": { tables: { "answer lost": 0.1 } },
  "a table and queues that fail": {
    tables: {
      "not connected": 0.01,
      lost: 0.02,
      "answer lost": 0.03,
      silence: 0.005,
      "carried out in silence": 0.005,
      throttled: 0.05,
      failed: 0.03,
    },
    queues: { "not connected": 0.01, lost: 0.02, "answer lost": 0.03, throttled: 0.05, failed: 0.03 },
    lostDeletions: 0.02,
  },
  "a platform in a brown-out": { sends: { failed: 0.25, silence: 0.05, "answer lost": 0.2 }, reads: 0.5 },
  "everything at once": {
    sends: {
      failed: 0.03,
      "answer lost": 0.04,
      "answer cut": 0.02,
      "carried out late": 0.03,
      "no connection": 0.02,
    },
    reads: 0.05,
    tables: { lost: 0.01, "answer lost": 0.03, throttled: 0.02, failed: 0.01 },
    queues: { "answer lost": 0.02, throttled: 0.02, failed: 0.01 },
    strikes: {
      "killed before": 0.001,
      "killed after": 0.001,
      "frozen before": 0.0005,
      "frozen after": 0.0005,
    },
    lostDeletions: 0.01,
    listLagMs: 5_000,
  },
} as const satisfies Record<string, Profile>;

export interface StormOptions {
  readonly seed: number;
  readonly profile: Profile;
  readonly messages: number;
  readonly conversations: number;
  /** What handlers do with some messages (handlers.ts). Default: a third decides differently at each try. */
  readonly texts?: readonly string[];
  /** Default: only `reply`. */
  readonly enabledTriggers?: string;
}

/** Messages of many conversations, delivered one to three times, through one or two webhooks, with faults. */
export async function runStorm({
  seed,
  profile,
  messages,
  conversations,
  texts,
  enabledTriggers = "reply",
}: StormOptions): Promise<StormFigures> {
  const { world, verdict } = await play({
    seed,
    facts: ({ random }) =>
      upTo(messages, (n) => ({
        id: `m${n}`,
        conversation: `g${between(random, 1, conversations)}`,
        atMs: n * 200,
        copies: between(random, 1, 3),
        text: texts?.[n % texts.length] ?? (random() < 0.3 ? "fickle" : "hello"),
      })),
    listLagMs: profile.listLagMs ?? 0,
    enabledTriggers,
    receptionOf: (request, _, random) => receptionIn(profile, request, random),
    fateOf: (operation, _, __, random) => {
      if (operation.startsWith("dynamodb.")) return drawFate(profile.tables ?? {}, random);
      return operation.startsWith("sqs.") ? drawFate(profile.queues ?? {}, random) : "answered";
    },
    strikeAt: (operation, _, random) =>
      operation === "sleep" ? "none" : draw<Blow>({ ...profile.strikes }, random, "none"),
    losesDeletion: (random) => random() < (profile.lostDeletions ?? 0),
  });
  return {
    ...verdict,
    processDeaths: world.lambda.deaths(),
    audited: world.diary.audited.size,
  };
}

export interface StormFigures extends Verdict {
  readonly processDeaths: number;
  /** Messages that the trigger `audit` recorded. */
  readonly audited: number;
}

function receptionIn(profile: Profile, { method }: ChatRequest, random: Random): Reception {
  if (method === "GET") {
    return random() < (profile.reads ?? 0) ? answer(500) : well;
  }
  const trouble = draw<SendTrouble | "none">({ ...profile.sends }, random, "none");
  return trouble === "none" ? well : receptions[trouble];
}

/** Draws one of several with their shares. */
function draw<Name extends string>(
  shares: Partial<Record<Name, number>>,
  random: Random,
  otherwise: Name,
): Name {
  let rest = random();
  for (const name of namesOf(shares)) {
    rest -= shares[name] ?? 0;
    if (rest < 0) return name;
  }
  return otherwise;
}

function namesOf<Name extends string>(shares: Partial<Record<Name, number>>): Name[] {
  return Object.keys(shares) as Name[];
}
