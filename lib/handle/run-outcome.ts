import { type EffectOutcome, isSuppressed } from "../effects/effect.ts";
import {
  type OutcomeFacts,
  type OutcomeFields,
  type OutcomeName,
  outcomeFields,
} from "../effects/outcomes.ts";

interface RunEffect {
  readonly name: string;
  readonly kind: string;
  readonly how: EffectOutcome | "shadow";
  readonly made?: unknown;
}

export class RunOutcome {
  readonly #effects: RunEffect[] = [];
  #hasSent = false;
  #left: OutcomeFields | undefined;

  noteEffect(effect: RunEffect): void {
    this.#effects.push(effect);
  }

  /** Called for an effect's request, too. */
  noteSent(): void {
    this.#hasSent = true;
  }

  leave(outcome: OutcomeName, facts?: OutcomeFacts): void {
    this.#left ??= outcomeFields(outcome, facts);
  }

  /** True if the handler ended by itself, and no rule kept it from acting. */
  isOwnEnd(): boolean {
    return this.#left === undefined && !this.#effects.some(({ how }) => isSuppressed(how));
  }

  fields(): OutcomeFields {
    // What was found on the platform was sent by an attempt of this event that did not see the response.
    const done = this.#effects.filter(({ how }) => how === "now" || how === "found");
    const flows = done.filter(({ kind }) => kind === "start-flow").map(({ made }) => String(made));
    if (done.length > 0 && flows.length === done.length) return outcomeFields("started-flow", { flows });
    if (done.length > 0 || this.#hasSent) return outcomeFields("acted", { effects: namesOf(done) });
    const shown = this.#effects.filter(({ how }) => how === "shadow");
    if (shown.length > 0) return outcomeFields("shadow", { effects: namesOf(shown) });
    const suppression = this.#effects.map(({ how }) => how).find(isSuppressed);
    if (suppression !== undefined) return outcomeFields(suppression);
    if (this.#left !== undefined) return this.#left;
    if (this.#effects.length > 0) return outcomeFields("already-done", { effects: namesOf(this.#effects) });
    return outcomeFields("no-action");
  }
}

function namesOf(effects: readonly RunEffect[]): readonly string[] {
  return effects.map(({ name, made }) => (made === undefined ? name : `${name} (made ${made})`));
}
