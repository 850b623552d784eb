import { deadLetters } from "../../lib/queue/dead-letter.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { quarantinedDeliveries } from "../../lib/queue/quarantined-delivery.ts";
import type { Selection, SetAside } from "../../lib/queue/set-aside.ts";
import type {
  DropOptions,
  DropReport,
  Found,
  LookOptions,
  ReplayOptions,
  ReplayReport,
} from "../../lib/queue/set-aside-queue.ts";

/** Dead letters and quarantine have the same commands. */
export interface SetAsideKind {
  readonly name: "dead-letters" | "quarantine";
  /** Behind `dead-letters list`. */
  readonly option: "" | " --quarantine";
  readonly one: string;
  readonly many: string;
  readonly queue: "deadLetters" | "quarantine";
  /** To be done before a replay. */
  readonly before: string;
  list(
    selection: Selection,
    services: OperatorServices,
    options: LookOptions,
  ): Promise<Found<SetAside & DeadLetterFacts>>;
  /** Undefined if it does not exist or another process has received it. */
  show(id: string, services: OperatorServices, options: LookOptions): Promise<Shown | undefined>;
  replay(options: ReplayOptions, services: OperatorServices): Promise<ReplayReport>;
  drop(options: DropOptions, services: OperatorServices): Promise<DropReport>;
}

export interface DeadLetterFacts {
  readonly origin?: string | undefined;
  readonly tries?: number | undefined;
  readonly finished?: readonly string[];
}

export interface Shown {
  readonly message: SetAside & DeadLetterFacts;
  /** May hold users' text. */
  readonly content: string;
}

export const deadLetterKind: SetAsideKind = {
  name: "dead-letters",
  option: "",
  one: "dead letter",
  many: "dead letters",
  queue: "deadLetters",
  before: "Fix the cause and deploy first, or they are dead-lettered again.",
  ...deadLetters,
};

export const quarantineKind: SetAsideKind = {
  name: "quarantine",
  option: " --quarantine",
  one: "quarantined delivery",
  many: "quarantined deliveries",
  queue: "quarantine",
  before: "Deliveries that still cannot be parsed stay in quarantine.",
  ...quarantinedDeliveries,
};

export function kindOf({ quarantine }: { readonly quarantine: boolean }): SetAsideKind {
  return quarantine ? quarantineKind : deadLetterKind;
}
