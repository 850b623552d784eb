import { type Table, when } from "../../aws/table.ts";
import { sha256Hex } from "../../base/digest.ts";
import { joinFields } from "../../events/identity.ts";
import { type CallReport, callReportSchema } from "./call-report.ts";

export interface CallId {
  readonly appId: string;
  readonly sessionId: string;
}

export type Claim = "call_missed" | "call_summary" | `call_summary ${number}`;

/** Stores one item per report: order and repetition do not matter. */
export type CallTable = ReturnType<typeof createCallTable>;

/** Events are handled for up to 30 days, and a dead-lettered reminder may be replayed later. */
const rememberedMs = 35 * 24 * 60 * 60_000;
const factPrefix = "fact ";

export function createCallTable(table: Table, now: () => number) {
  const callOf = ({ appId, sessionId }: CallId) => sha256Hex(joinFields([appId, sessionId]));
  const expiration = () => Math.ceil((now() + rememberedMs) / 1000);

  return {
    put: async (call: CallId, occurrenceKey: string, said: CallReport) => {
      const fact = factPrefix + sha256Hex(occurrenceKey);
      await table.put({ call: callOf(call), fact, app: call.appId, expiration: expiration(), said });
    },

    list: async (call: CallId) => {
      const items = await table.query({ call: callOf(call) }, { prefix: factPrefix });
      return items.map(({ said }) => callReportSchema.parse(said));
    },

    /**
     * Grants a claim to its first holder, also repeatedly. @param holder equal in every attempt at one
     * delivery
     */
    claim: async (call: CallId, what: Claim, holder: string) => {
      const key = { call: callOf(call), fact: `claim ${what}` };
      const claim = { ...key, app: call.appId, expiration: expiration(), holder };
      const isMine = when("attribute_not_exists(#fact) OR #holder = :holder", { holder });
      return (await table.put(claim, isMine)).ok;
    },
  };
}
