import { type Load, usualLoad } from "./load.ts";

export interface Scenario {
  readonly name: string;
  readonly load: Load;
  /** Few enough to be modelled in every run of the tests. */
  readonly isQuick: boolean;
}

/** Each conversation has a message every twenty seconds, and each app at least ten conversations. */
function loadOf(webhooksPerSecond: number, apps: number, seconds: number, more: Partial<Load> = {}): Load {
  const conversations = Math.max(Math.round(20 * webhooksPerSecond), 10 * apps);
  return { ...usualLoad, webhooksPerSecond, apps, seconds, conversations, ...more };
}

const quick = (name: string, load: Load): Scenario => ({ name, load, isQuick: true });
const long = (name: string, load: Load): Scenario => ({ name, load, isQuick: false });

/** The loads that the model is held against the real code with. */
export const calibrations: readonly Scenario[] = [
  quick("1 webhook a second, 1 app", loadOf(1, 1, 600)),
  quick("100 webhooks a second, 1 app", loadOf(100, 1, 60)),
  long("100 webhooks a second, 10 apps", loadOf(100, 10, 60)),
];

const many = 30;

/** Ten executions at once, and what is set for that unless a stage says otherwise. */
const newAccount = { accountConcurrency: 10, maximumConcurrency: 2 } as const;
const slowPlatform = { ...newAccount, platformMs: 3_000 } as const;

export const scenarios: readonly Scenario[] = [
  quick("1/s, 1 app", loadOf(1, 1, 600)),
  quick("100/s, 1 app", loadOf(100, 1, 60)),
  quick("100/s, 1000 apps", loadOf(100, 1_000, 60)),
  long("10,000/s, 1 app", loadOf(10_000, 1, many)),
  long("10,000/s, 10 apps", loadOf(10_000, 10, many)),
  long(
    "10,000/s, 1,000 apps, 5,000 executions and 1,000 batches at once",
    loadOf(10_000, 1_000, many, { accountConcurrency: 5_000, maximumConcurrency: 1_000 }),
  ),
  long(
    "10,000/s, 1,000 apps, the same and a table warmed to 40,000 writes",
    loadOf(10_000, 1_000, many, {
      accountConcurrency: 5_000,
      maximumConcurrency: 1_000,
      tableWritesPerSecond: 40_000,
    }),
  ),
  quick("100/s in a new account", loadOf(100, 1, 60, newAccount)),
  quick("the same with 50 batches at once", loadOf(100, 1, 60, { ...newAccount, maximumConcurrency: 50 })),
  quick("50/s in a new account, answers of the platform take 3 s", loadOf(50, 1, 60, slowPlatform)),
  quick(
    "the same with 50 batches at once, which starve the receiver",
    loadOf(50, 1, 60, { ...slowPlatform, maximumConcurrency: 50 }),
  ),
  quick("one group, 5,000 messages a minute", loadOf(5_000 / 60, 1, 600, { conversations: 1 })),
  long("a million in ten minutes, 1 app", loadOf(1_000_000 / 600, 1, 600)),
  long("a million in ten minutes, 10 apps", loadOf(1_000_000 / 600, 10, 600)),
];
