import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { alarmDefinitionsSchema } from "../../build/alarms/alarm-schema.ts";
import { type CountedCalls, countCalls } from "./count-calls.ts";
import { count, toTable } from "./page.ts";
import { type Bill, billOf, fixedOf, prices, watchingOf } from "./prices.ts";

export const batches = [1, 2, 5, 10] as const;
/** Equal for every multiple of 20 webhooks: without faults nothing is random, except milliseconds. */
const webhooks = 200;

/** Counts at every batch size, for both shares of answers. */
export async function countAll(): Promise<{
  readonly quiet: readonly CountedCalls[];
  readonly answering: readonly CountedCalls[];
}> {
  const quiet: CountedCalls[] = [];
  const answering: CountedCalls[] = [];
  for (const batch of batches) {
    quiet.push(await countCalls({ batch, answered: 0, webhooks }));
    answering.push(await countCalls({ batch, answered: 0.5, webhooks }));
  }
  return { quiet, answering };
}

/** Makes the tables of docs/deploy.md. */
export async function makeCostTables(): Promise<Record<string, string>> {
  const { quiet, answering } = await countAll();
  return {
    bill: billTable(answering),
    "bill without answers": billTable(quiet),
    fixed: fixedTable(),
    loads: loadsTable(answering),
  };
}

const head = (title: string) => [title, ...batches.map((batch) => `b = ${batch}`)];

function billTable(counted: readonly CountedCalls[]) {
  const bills = counted.map((one) => billOf(one));
  const row = (name: string, part: keyof Bill) => [name, ...bills.map((bill) => count(bill[part], 2))];
  return toTable(head("USD per million"), [
    row("HTTP API", "http"),
    row("Lambda requests", "lambdaRequests"),
    row("Lambda time", "lambdaTime"),
    row("queue", "queue"),
    row("table, writes", "tableWrites"),
    row("table, reads", "tableReads"),
    row("log", "log"),
    row("access log", "accessLog"),
    ["**sum**", ...bills.map(({ sum }) => `**${count(sum, 2)}**`)],
  ]);
}

function fixedTable() {
  const { secret, polling, secretCalls } = fixedOf(1);
  const alarmMetrics = countAlarmMetrics();
  const { alarms, dashboard, doctor, doctorSecrets, rotations, canary } = watchingOf(alarmMetrics, 1);
  return toTable(
    ["Fixed", "USD a month"],
    [
      ["two secrets per app: its own and its webhooks'", count(2 * secret, 2)],
      ["the secret of the marks on automatic messages", count(secret, 2)],
      ["polling of three idle queues: 3 × 5 pollers × 3 a minute × 43,200 minutes", count(polling, 2)],
      [
        "secrets read by the receiver, one version 20 times an hour, for each environment that is always warm",
        count(secretCalls, 2),
      ],
      ["each metric and app that occurs in every hour of the month", count(prices.metricMonth, 2)],
      [`alarms: ${alarmMetrics} metrics are looked at (ten are free for an account)`, count(alarms, 2)],
      ["the dashboard (three are free for an account)", count(dashboard, 2)],
      ["the doctor, every 15 minutes", count(doctor, 2)],
      ["… and for each app", count(doctorSecrets, 2)],
      ["a canary with it, for each app that has one", count(canary, 2)],
      ["the ends of credentials' overlaps, every hour, for one app", count(rotations, 2)],
    ],
  );
}

const loads = [
  { webhooks: 100_000, batch: 1, warm: 1 },
  { webhooks: 10_000_000, batch: 2, warm: 10 },
  { webhooks: 500_000_000, batch: 5, warm: 50 },
] as const;

function loadsTable(counted: readonly CountedCalls[]) {
  const rows = loads.map(({ webhooks: monthly, batch, warm }) => {
    const one = counted[batches.indexOf(batch)];
    if (one === undefined) throw new Error(`Nothing was counted at b = ${batch}.`);
    const use = (monthly / 1e6) * billOf(one).sum;
    const { secret, polling, secretCalls } = fixedOf(warm);
    const { alarms, dashboard, doctor, doctorSecrets, rotations } = watchingOf(countAlarmMetrics(), 1);
    const watching = alarms + dashboard + doctor + doctorSecrets + rotations;
    const fixed = 3 * secret + polling + secretCalls + watching;
    return [
      count(monthly),
      count(monthly / (30 * 86_400), monthly < 1e7 ? 2 : 0),
      String(batch),
      count(use, 2),
      count(fixed, 2),
      `**${count(use + fixed, 2)}**`,
    ];
  });
  return toTable(["Webhooks a month", "a second", "b", "by use", "fixed", "USD a month"], rows, 0);
}

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Counts the metrics of a deployment's alarms as shipped: two for a share, one for each function. */
function countAlarmMetrics() {
  const functions = [...read("serverless.yml").matchAll(/^ {4}handler: /gm)].length;
  const alarms = alarmDefinitionsSchema.parse(parse(read("infrastructure/alarms.yml")));
  return Object.values(alarms).reduce((sum, { of, lasts }) => {
    if ("functions" in of) return sum + (of.in?.length ?? functions);
    return sum + ("api" in of || lasts ? 2 : 1);
  }, 0);
}
