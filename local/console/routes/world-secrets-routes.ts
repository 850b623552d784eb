import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import type { ShownSecret, ShownVersion } from "../api/world-secrets.ts";
import type { ConsoleContext } from "../console-context.ts";
import { maskSecret } from "../mask.ts";
import { must, readInput } from "../read-input.ts";

const fieldSchema = z.strictObject({
  secret: z.string(),
  field: z.string().check(z.regex(/^[\w.-]{1,100}$/)),
  value: z.string().check(z.minLength(1), z.maxLength(10_000)),
});

/** `GET /api/world/secrets` returns no value; `PUT` writes one field as a new version. */
export function addWorldSecretsRoutes({ on, world }: ConsoleContext): void {
  const path = "/api/world/secrets";
  const { secrets } = world.cloud.stores;
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
    world.platform.services.redactor.refresh();
    return show();
  });
}

type Secret = ReturnType<ConsoleContext["world"]["cloud"]["stores"]["secrets"]["contents"]>[number];

function showSecret({ name, description, changedAtMs, deletedAtMs, versions }: Secret): ShownSecret {
  const shown = versions.map(({ id, stages, createdAtMs, value: { text = "" } }): ShownVersion => {
    const fields = fieldsOf(text);
    const masked = Object.entries(fields ?? {}).map(([field, value]) => {
      return { name: field, masked: maskSecret(typeof value === "string" ? value : JSON.stringify(value)) };
    });
    return {
      ...{ id, stages, createdAtMs, fields: fields && masked },
      masked: fields === undefined ? maskSecret(text) : undefined,
    };
  });
  return {
    ...{ name, description, changedAtMs, isDeleted: deletedAtMs !== undefined },
    versions: shown.toSorted((one, other) => other.createdAtMs - one.createdAtMs),
  };
}

function fieldsOf(text = ""): Record<string, unknown> | undefined {
  const fields = parseJson(text);
  return isRecord(fields) ? fields : undefined;
}
