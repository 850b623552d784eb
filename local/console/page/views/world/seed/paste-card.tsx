import { useState } from "preact/hooks";
import { ask, messageOf } from "../../../parts/ask.ts";
import { Form } from "../../../parts/form.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { Card } from "../part-head.tsx";
import { readPaste } from "./read-paste.ts";

const fields: readonly FormField[] = [
  {
    name: "json",
    label: "Users and groups",
    kind: "long",
    isRequired: true,
    hint: '{"users": [{"uid": "ann", "name": "Ann"}], "groups": [{"guid": "den", "name": "Den", "members": {"ann": "admin"}}]}',
  },
];

interface Told {
  readonly done: number;
  readonly refused: readonly string[];
}

export function PasteCard({ appId, reload }: { appId: string; reload: () => void }) {
  const [told, setTold] = useState<Told>();
  const load = async ({ json }: Record<string, unknown>) => {
    const requests = readPaste(String(json));
    let so: Told = { done: 0, refused: [] };
    for (const { kind, entities } of requests) {
      const path = `/api/chat/${appId}/data_import/${kind}`;
      try {
        const { data } = await ask<{ data: Record<string, unknown> }>(path, {
          method: "POST",
          body: { [kind]: entities },
        });
        for (const [id, result] of Object.entries(data)) so = add(so, id, result);
      } catch (error) {
        so = { ...so, refused: [...so.refused, `${kind}: ${messageOf(error)}`] };
      }
      setTold(so);
    }
    reload();
  };
  return (
    <Card
      title="Import users and groups"
      says="Uses the platform's data import: 50 per request, 60 requests per minute. Existing ones are overwritten; no webhook fires."
    >
      <Form label="Import users and groups" fields={fields} submit={load} submitLabel="Import" kind="plain" />
      <div role="status">
        {told !== undefined && (
          <>
            <p>
              {told.done} imported, {told.refused.length} refused.
            </p>
            <ul class="world-refusals">
              {told.refused.slice(0, 50).map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Card>
  );
}

function add({ done, refused }: Told, id: string, result: unknown): Told {
  if (typeof result !== "object" || result === null || !("success" in result) || result.success === true) {
    return { done: done + 1, refused };
  }
  const error = "error" in result && typeof result.error === "object" ? result.error : undefined;
  const message =
    error !== null && error !== undefined && "message" in error ? String(error.message) : "refused";
  return { done, refused: [...refused, `${id}: ${message}`] };
}
