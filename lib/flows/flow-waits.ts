import type { Condition, Item, Table } from "../aws/table.ts";
import { sha256Hex } from "../digest.ts";
import { parseJson } from "../json.ts";
import type { KeptEvent } from "./flow-marks.ts";

/** A flow's open question for an event. */
export interface OpenWait {
  readonly appId: string;
  readonly trigger: string;
  readonly flowId: string;
  /** Lambda's: completing it wakes the flow. */
  readonly callbackId: string;
  /** Which events of the name. */
  readonly where: unknown;
  /** Received from then on, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** And until then. */
  readonly untilMs: number;
  /** Facts that the flow was given before, or was started for. */
  readonly knownKeys: readonly string[];
}

/** What became of a question, for good. */
export type WaitOutcome = { readonly kind: "event"; readonly event: KeptEvent } | { readonly kind: "over" };

/**
 * Flows' open questions on the flows table, and what became of them: whoever writes an outcome first has decided.
 * All throw AwsCallError when the table cannot be reached; all may be repeated.
 */
export interface FlowWaits {
  open(wait: OpenWait): Promise<void>;
  /** Gives the open questions for an event's name. */
  list(appId: string, trigger: string): Promise<readonly OpenWait[]>;
  /** Decides what becomes of a question, unless that is decided: gives what holds. */
  decide(callbackId: string, outcome: WaitOutcome): Promise<WaitOutcome>;
  close(wait: Pick<OpenWait, "appId" | "trigger" | "callbackId">): Promise<void>;
}

/** An outcome is read within a day of trouble; a question's item goes when nobody can answer it any more. */
const rememberedSeconds = 7 * 24 * 60 * 60;

/** Keeps them on a table whose key is `waits` and `flow`. */
export function createFlowWaits(table: Table, now: () => number): FlowWaits {
  const partitionOf = (appId: string, trigger: string) => ({ waits: `${appId} ${trigger} waiting` });
  const idOf = (callbackId: string) => sha256Hex(callbackId).slice(0, 32);

  return {
    open: async (wait) => {
      const { appId, trigger, where, knownKeys, untilMs, ...facts } = wait;
      await table.put({
        ...partitionOf(appId, trigger),
        flow: idOf(wait.callbackId),
        ...facts,
        untilMs,
        knownKeys: [...knownKeys],
        where: JSON.stringify(where ?? {}),
        expiration: Math.ceil(untilMs / 1000) + rememberedSeconds,
      });
    },
    list: async (appId, trigger) => {
      const items = await table.query(partitionOf(appId, trigger));
      return items.flatMap((item) => readWait(item, { appId, trigger }));
    },
    decide: async (callbackId, outcome) => {
      const key = { waits: `outcome ${idOf(callbackId)}`, flow: "outcome" };
      const event = outcome.kind === "event" ? { ...outcome.event } : {};
      const expiration = Math.ceil(now() / 1000) + rememberedSeconds;
      const written = await table.put({ ...key, kind: outcome.kind, ...event, expiration }, isUndecided);
      if (written.ok) return outcome;
      return readOutcome(written.old ?? {});
    },
    close: async ({ appId, trigger, callbackId }) => {
      await table.delete({ ...partitionOf(appId, trigger), flow: idOf(callbackId) });
    },
  };
}

const isUndecided: Condition = {
  expression: "attribute_not_exists(#kind)",
  names: { "#kind": "kind" },
};

function readWait(item: Item, of: { readonly appId: string; readonly trigger: string }): OpenWait[] {
  const { flowId, callbackId, where, sinceMs, untilMs, knownKeys } = item;
  if (typeof flowId !== "string" || typeof callbackId !== "string" || typeof where !== "string") return [];
  if (typeof sinceMs !== "number" || typeof untilMs !== "number" || !Array.isArray(knownKeys)) return [];
  const facts = { flowId, callbackId, sinceMs, untilMs };
  return [{ ...of, ...facts, where: parseJson(where), knownKeys: knownKeys.map(String) }];
}

function readOutcome({ kind, key, receivedAt, text }: Item): WaitOutcome {
  const isEvent = kind === "event" && typeof key === "string" && typeof receivedAt === "number";
  if (isEvent && typeof text === "string") return { kind: "event", event: { key, receivedAt, text } };
  return { kind: "over" };
}
