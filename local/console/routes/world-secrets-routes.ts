import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import type { ShownSecret, ShownVersion } from "../api/world-secrets.ts";
import type { ConsoleContext } from "../console-context.ts";
import { maskSecret } from "../mask.ts";
import { readInput, WrongInputError } from "../read-input.ts";

const fieldSchema = z.strictObject({
  secret: z.string(),
  field: z.string().check(z.regex(/^[\w.-]{1,100}$/)),
  value: z.string().check(z.minLength(1), z.maxLength(10_000)),
});

/** `GET /api/world/secrets` returns no value; `PUT` writes one field as a new version. */
export function addWorldSecretsRoutes({ on, world }: ConsoleContext): void {
  const path = "/api/world/secrets";
  const { secrets } = world.cloud.stores;
  on.get(path, () => secrets.contents().map(showSecret));
  on.put(path, async (context) => {
    const { secret, field, value } = await readInput(context, fieldSchema);
    const found = secrets
      .contents()
      .find(({ name, deletedAtMs }) => name === secret && deletedAtMs === undefined);
    if (found === undefined) throw new WrongInputError(`There is no secret ${secret}.`, 404);
    const current = found.versions.find(({ stages }) => stages.includes("AWSCURRENT"));
    const fields = fieldsOf(current?.value.text);
    if (fields === undefined) {
      throw new WrongInputError(
        `The secret ${secret} is a text without fields, which only its function writes.`,
        409,
      );
    }
    secrets.put(secret, { ...fields, [field]: value });
    world.platform.services.redactor.refresh();
    return secrets.contents().map(showSecret);
  });
}

function showSecret(
  secret: ReturnType<ConsoleContext["world"]["cloud"]["stores"]["secrets"]["contents"]>[number],
): ShownSecret {
  const { name, description, changedAtMs, deletedAtMs, versions } = secret;
  return {
    ...{ name, description, changedAtMs, isDeleted: deletedAtMs !== undefined },
    versions: versions
      .map(({ id, stages, createdAtMs, value }): ShownVersion => {
        const fields = fieldsOf(value.text);
        const shown = Object.entries(fields ?? {}).map(([field, text]) => ({
          name: field,
          masked: maskSecret(typeof text === "string" ? text : JSON.stringify(text)),
        }));
        return {
          ...{ id, stages, createdAtMs },
          fields: fields === undefined ? undefined : shown,
          masked: fields === undefined ? maskSecret(value.text ?? "") : undefined,
        };
      })
      .toSorted((one, other) => other.createdAtMs - one.createdAtMs),
  };
}

function fieldsOf(text: string | undefined): Record<string, unknown> | undefined {
  const fields = parseJson(text ?? "");
  return isRecord(fields) ? fields : undefined;
}
