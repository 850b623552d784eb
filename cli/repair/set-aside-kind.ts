import { deadLetters } from "../../lib/queue/dead-letter.ts";
import { quarantinedDeliveries } from "../../lib/queue/quarantined-delivery.ts";

export const deadLetterKind = {
  name: "dead-letters",
  /** Behind `dead-letters list`. */
  option: "",
  one: "dead letter",
  many: "dead letters",
  queue: "deadLetters",
  /** To be done before a replay. */
  before: "Fix the cause and deploy first, or they are dead-lettered again.",
  ...deadLetters,
} as const;

export const quarantineKind = {
  name: "quarantine",
  option: " --quarantine",
  one: "quarantined delivery",
  many: "quarantined deliveries",
  queue: "quarantine",
  before: "Deliveries that still cannot be parsed stay in quarantine.",
  ...quarantinedDeliveries,
} as const;

/** Dead letters and quarantine have the same commands. */
export type SetAsideKind = typeof deadLetterKind | typeof quarantineKind;

export function kindOf({ quarantine }: { readonly quarantine: boolean }): SetAsideKind {
  return quarantine ? quarantineKind : deadLetterKind;
}
