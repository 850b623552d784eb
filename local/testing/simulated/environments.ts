import type { Clock } from "./clock.ts";
import type { Process } from "./process.ts";

export interface Environment<Handler> {
  readonly process: Process;
  readonly handler: Handler;
  isBusy: boolean;
}

export function createEnvironments<Handler>(
  start: (number: number) => { readonly process: Process; readonly handler: Handler },
) {
  const all = new Set<Environment<Handler>>();
  let started = 0;
  return {
    all,
    take: (): { readonly used: Environment<Handler>; readonly isNew: boolean } => {
      const idle = [...all].find(({ isBusy }) => !isBusy);
      if (idle !== undefined) {
        idle.isBusy = true;
        return { used: idle, isNew: false };
      }
      started += 1;
      const used = { ...start(started), isBusy: true };
      all.add(used);
      used.process.onDeath(() => all.delete(used));
      return { used, isNew: true };
    },
  };
}

/** An invocation ends at most once. */
export type Ending<Answer> =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "died" };

/** Runs until the handler ends, the process dies, or time is up. @param onTimeUp may kill the process */
export function runInvocation<Answer>(
  { process, work }: { readonly process: Process; readonly work: () => Promise<Answer> },
  clock: Clock,
  endsAtMs: number,
  onTimeUp: () => void,
): Promise<Ending<Answer>> {
  return new Promise((resolve) => {
    const settle = (ending: Ending<Answer>) => {
      callOff();
      forget();
      resolve(ending);
    };
    const callOff = clock.at(endsAtMs, () => {
      onTimeUp();
      settle({ kind: "died" });
    });
    const forget = process.onDeath(() => settle({ kind: "died" }));
    work().then(
      (answer) => {
        if (process.isAlive()) settle({ kind: "answered", answer });
      },
      (error: unknown) => settle({ kind: "failed", error }),
    );
  });
}
