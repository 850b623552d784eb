import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { cloudFaultsSchema } from "../../cloud/faults/fault-settings.ts";
import { isOver, noFaults } from "../../platform/faults/control.ts";
import { readFaultSettings } from "../../platform/faults/rules.ts";
import { countLevels, ledgerKinds } from "../../platform/ledger/markdown.ts";
import { readLedger } from "../../platform/ledger/read-ledger.ts";
import type { FaultsAnswer, FidelityAnswer, ShownSecret, ShownVersion } from "../api/stack.ts";
import type { ConsoleContext } from "../console-context.ts";
import { must, readInput, WrongInputError } from "../read-input.ts";
import { pageOf } from "../rows.ts";
import { maskSecret } from "../secret-masks.ts";
import { addStackModerationRoutes, addStackSeedRoutes, addStackWebhooksRoutes } from "./stack-app-routes.ts";
import {
  addStackClockRoutes,
  addStackSnapshotsRoutes,
  addStackTimersRoutes,
} from "./stack-running-routes.ts";
import { addStackStateRoutes } from "./stack-state-routes.ts";

export function addStackRoutes(parts: ConsoleContext): void {
  const running = [addStackClockRoutes, addStackTimersRoutes, addStackSnapshotsRoutes, addStackFaultsRoutes];
  const ofApp = [addStackSeedRoutes, addStackWebhooksRoutes, addStackModerationRoutes];
  const kept = [addStackSecretsRoutes, addStackStateRoutes, addStackFidelityRoutes];
  for (const add of [...running, ...ofApp, ...kept]) add(parts);
}

const perPage = 100;

function addStackFidelityRoutes({ on }: ConsoleContext) {
  on.get("/api/stack/fidelity", (context) => {
    const known = readLedger();
    const { kind, level, search = "", page } = context.req.query();
    const words = search.toLowerCase();
    const found = known.filter(
      (row) =>
        (!kind || row.kind === kind) &&
        (!level || row.level === level) &&
        `${row.id} ${row.source} ${row.notes.join(" ")}`.toLowerCase().includes(words),
    );
    return {
      ...pageOf(found, Number(page) || 1, perPage, ({ coveredBy, ...row }) => {
        return { ...row, test: coveredBy?.test };
      }),
      kinds: ledgerKinds,
      levels: countLevels(known),
    } satisfies FidelityAnswer;
  });
}

const fieldSchema = z.strictObject({
  secret: z.string(),
  field: z.string().check(z.regex(/^[\w.-]{1,100}$/)),
  value: z.string().check(z.minLength(1), z.maxLength(10_000)),
});

/** `GET /api/stack/secrets` returns no value; `PUT` writes one field as a new version. */
function addStackSecretsRoutes({ on, localStack }: ConsoleContext) {
  const path = "/api/stack/secrets";
  const { secrets } = localStack.cloud.stores;
  const show = () => secrets.contents().map(showSecret);
  on.get(path, show);
  on.put(path, async (context) => {
    const { secret, field, value } = await readInput(context, fieldSchema);
    const all = secrets.contents().filter(({ deletedAtMs }) => deletedAtMs === undefined);
    const { versions } = must(
      all.find(({ name }) => name === secret),
      `There is no secret ${secret}.`,
    );
    const current = versions.find(({ stages }) => stages.includes("AWSCURRENT"));
    const alone = `The secret ${secret} is a text without fields, which only its function writes.`;
    secrets.put(secret, { ...must(fieldsOf(current?.value.text), alone, 409), [field]: value });
    localStack.platform.services.redactor.refresh();
    return show();
  });
}

type Secret = ReturnType<ConsoleContext["localStack"]["cloud"]["stores"]["secrets"]["contents"]>[number];

function showSecret({ name, description, deletedAtMs, versions }: Secret): ShownSecret {
  const shown = versions.map(({ id, stages, createdAtMs, value: { text = "" } }): ShownVersion => {
    const fields = fieldsOf(text);
    const masked = Object.entries(fields ?? {}).map(([field, value]) => {
      return { name: field, masked: maskSecret(typeof value === "string" ? value : JSON.stringify(value)) };
    });
    return {
      id,
      stages,
      createdAtMs,
      fields: fields && masked,
      masked: fields === undefined ? maskSecret(text) : undefined,
    };
  });
  return {
    name,
    description,
    isDeleted: deletedAtMs !== undefined,
    versions: shown.toSorted((one, other) => other.createdAtMs - one.createdAtMs),
  };
}

function fieldsOf(text = ""): Record<string, unknown> | undefined {
  const fields = parseJson(text);
  return isRecord(fields) ? fields : undefined;
}

function addStackFaultsRoutes({ on, localStack }: ConsoleContext) {
  const path = "/api/stack/faults";
  const { cloud, platform } = localStack;
  const show = () => showFaults(localStack);
  on.get(path, show);
  on.put(`${path}/cloud`, async (context) => {
    const settings = await readInput(context, cloudFaultsSchema);
    const named = [
      ...settings.kills.map(({ functionKey }) => functionKey),
      ...Object.keys(settings.concurrency),
    ];
    const unknown = named.find((key) => !cloud.functionKeys().includes(key));
    if (unknown !== undefined) throw new WrongInputError(`serverless.yml declares no function ${unknown}.`);
    cloud.faults.set(settings);
    return show();
  });
  on.put(`${path}/platform`, async (context) => {
    const given = await readInput(context, z.unknown());
    try {
      platform.faults.set(readFaultSettings(given));
    } catch (error) {
      throw error instanceof TypeError ? new WrongInputError(error.message) : error;
    }
    return show();
  });
  on.delete(path, () => {
    cloud.faults.set({});
    platform.faults.set(noFaults);
    return show();
  });
}

function showFaults({ cloud, platform }: ConsoleContext["localStack"]): FaultsAnswer {
  const settings = cloud.faults.settings();
  const rules = platform.faults.settings();
  const { services, doubled, kills, concurrency, untilMs } = settings;
  const isCloudOn =
    Object.values(services).some((one) => one.isDown || one.throttled > 0 || one.slowMs > 0) ||
    doubled > 0 ||
    kills.length + Object.keys(concurrency).length > 0;
  const never = Number.POSITIVE_INFINITY;
  const ends = rules.rules.flatMap((rule) => {
    return isOver(rule, platform.clock.now()) ? [] : [rule.untilMs ?? never];
  });
  if (isCloudOn) ends.push(untilMs ?? never);
  if (rules.clockSkewMs !== 0) ends.push(never);
  const lastMs = Math.max(...ends);
  return {
    cloud: settings,
    cloudStrikes: cloud.faults.strikes(),
    platform: rules,
    platformStrikes: platform.faults.strikes(),
    isAnyOn: ends.length > 0,
    untilMs: Number.isFinite(lastMs) ? lastMs : undefined,
  };
}
