import type { CountedCalls } from "./count-calls.ts";
import { accessLogBytes } from "./log-bytes.ts";

// Assumed list prices of us-east-1 in USD, without free tiers, as remembered in November 2026.

export const prices = {
  httpRequest: 1.0e-6,
  lambdaRequest: 0.2e-6,
  /** arm64. */
  gbSecond: 0.0000133,
  fifoRequest: 0.5e-6,
  tableWrite: 0.625e-6,
  tableRead: 0.125e-6,
  logGigabyte: 0.5,
  busEvent: 1.0e-6,
  secretMonth: 0.4,
  secretCall: 0.05 / 10_000,
  metricMonth: 0.3,
  /** For each metric that an alarm looks at. */
  alarmMonth: 0.1,
  dashboardMonth: 3,
} as const;

/** 512 MB. */
const functionGigabytes = 0.5;
/** One SendMessage within the region, 8 ms, and the receiver's own work at its share of a processor. */
export const receiverSeconds = 0.01;

/** The bill for a million webhooks, line by line, in USD. */
export interface Bill {
  readonly http: number;
  readonly lambdaRequests: number;
  readonly lambdaTime: number;
  readonly queue: number;
  readonly tableWrites: number;
  readonly tableReads: number;
  readonly log: number;
  readonly accessLog: number;
  readonly sum: number;
}

/** GB-seconds of both functions per million webhooks. */
function gbSeconds({ receiverCalls, consumerSeconds }: CountedCalls): number {
  return 1e6 * functionGigabytes * (receiverCalls * receiverSeconds + consumerSeconds);
}

/** Calculates the cost of a million webhooks. */
export function billOf(counted: CountedCalls): Bill {
  const million = 1e6;
  const parts = {
    http: million * counted.receiverCalls * prices.httpRequest,
    lambdaRequests: million * (counted.receiverCalls + counted.consumerCalls) * prices.lambdaRequest,
    lambdaTime: gbSeconds(counted) * prices.gbSecond,
    queue: million * counted.queueRequests * prices.fifoRequest,
    tableWrites: million * counted.tableWrites * prices.tableWrite,
    tableReads: million * (counted.healthReads + counted.laneReads + counted.otherReads) * prices.tableRead,
    // Lambda's own lines are not written at the default level.
    log: (counted.logBytes / 1_000) * prices.logGigabyte,
    accessLog: ((counted.receiverCalls * accessLogBytes) / 1_000) * prices.logGigabyte,
  };
  return { ...parts, sum: Object.values(parts).reduce((sum, part) => sum + part, 0) };
}

/** The fixed monthly cost, in USD, with that many receivers that are always warm. */
export function fixedOf(warmReceivers: number): {
  readonly secret: number;
  readonly polling: number;
  readonly secretCalls: number;
} {
  // Three mappings with five pollers each, which wait 20 s for messages; the mapping's maximum concurrency
  // keeps them at five.
  const polls = 3 * 5 * 3 * 60 * 24 * 30;
  // One version of the secret, twenty times an hour.
  const reads = 20 * 24 * 30 * warmReceivers;
  return {
    secret: prices.secretMonth,
    polling: polls * prices.fifoRequest,
    secretCalls: reads * prices.secretCall,
  };
}

/**
 * The scheduled doctor: every 15 minutes, some 3 s at 512 MB, one series of CloudWatch, and for each app five
 * readings of secrets.
 */
const doctorRuns = 4 * 24 * 30;
const doctorSeconds = 3;
const seriesRead = 0.01 / 1_000;

/** The function that ends overlaps: hourly, some 1 s, and per app up to four calls of Secrets Manager. */
const rotateRuns = 24 * 30;

/** The monthly cost of monitoring in USD: alarms and dashboard as shipped, the doctor for that many apps. */
export function watchingOf(alarmMetrics: number, apps: number) {
  return {
    alarms: alarmMetrics * prices.alarmMonth,
    dashboard: prices.dashboardMonth,
    doctor:
      doctorRuns * (prices.lambdaRequest + doctorSeconds * functionGigabytes * prices.gbSecond + seriesRead),
    doctorSecrets: doctorRuns * 5 * apps * prices.secretCall,
    rotations:
      rotateRuns *
      (prices.lambdaRequest + functionGigabytes * prices.gbSecond + 4 * apps * prices.secretCall),
    /** A message, and the consumer's work for it: some eight requests of tables, two of queues. */
    canary:
      doctorRuns *
      (8 * prices.tableWrite + 2 * prices.fifoRequest + prices.httpRequest + 2 * prices.lambdaRequest),
  };
}
