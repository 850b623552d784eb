import { readFile } from "node:fs/promises";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { type Identity, identify } from "../../lib/events/identity.ts";
import { wrongUse } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";

/** A delivery from the caller. */
export interface GivenDelivery {
  readonly body: Readonly<Record<string, unknown>>;
  readonly appId: string | undefined;
}

/**
 * Reads a delivery's JSON from a file, or from standard input for `-`; undefined if neither is meant.
 * @throws CliError
 */
export async function readGivenDelivery(
  typed: string,
  { readStdin }: Pick<CliEdges, "readStdin">,
): Promise<GivenDelivery | undefined> {
  const isFile = typed.endsWith(".json");
  if (typed !== "-" && !isFile) return undefined;
  const text = isFile ? await readFile(typed, "utf8").catch(() => undefined) : await readStdin();
  if (text === undefined) throw wrongUse(`The file ${typed} cannot be read.`);
  const body = parseJson(text);
  if (!isRecord(body)) {
    throw wrongUse(`What ${isFile ? typed : "comes on standard input"} is not a delivery.`, deliveryHint);
  }
  return { body, appId: typeof body.appId === "string" ? body.appId : undefined };
}

/** Returns the identity of a delivery's event. @throws CliError if the delivery has none */
export function nameGiven({ body }: GivenDelivery, appId: string): Identity {
  const identity = identify(body, appId);
  if (identity !== undefined) return identity;
  throw wrongUse("The delivery names no event, and would be quarantined.", deliveryHint);
}

const deliveryHint =
  'A delivery is JSON as the platform sends it: {"trigger": "message_sent", "data": {…}, …}.';
