import type { KeysAnswer, MaskedKey } from "../../../../api/world-keys.ts";
import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import { CopyButton } from "../../../parts/button.tsx";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { Form } from "../../../parts/form.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { Time } from "../../../parts/time.tsx";
import { notifyDone } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { ConfirmButton } from "../confirm.tsx";
import { Card, PartTrouble } from "../part-head.tsx";

const fields: readonly FormField[] = [
  { name: "name", label: "New API key", isRequired: true, placeholder: "Name" },
  {
    name: "scope",
    label: "Scope",
    kind: "choice",
    options: ["fullAccess", "authOnly"],
    hint: "authOnly can only log users in.",
  },
];

const keyColumns: readonly Column<MaskedKey>[] = [
  { title: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
  { title: "Key", cell: ({ masked }) => <code class="world-mask">{masked}</code> },
  { title: "Scope", cell: ({ scope }) => <Badge>{scope}</Badge> },
  {
    title: "Since",
    cell: ({ createdAt }) => <Time ms={createdAt * 1_000} withDate={true} />,
    isMinor: true,
  },
];

export function KeysCard({ appId }: { appId: string }) {
  const path = `/api/world/keys/${appId}`;
  const { value, error, reload } = useResource<KeysAnswer>(path, ["world"]);
  const columns: readonly Column<MaskedKey>[] = [
    ...keyColumns,
    {
      title: "Acts",
      cell: (key) => (
        <span class="world-acts">
          <CopyButton
            label={`Copy ${key.name}`}
            text={async () =>
              (await ask<{ value: string }>(`${path}/${key.id}/copy`, { method: "POST" })).value
            }
          />
          {key.isConsoles ? (
            <span class="soft" title="A key cannot delete itself.">
              the console's own
            </span>
          ) : (
            <ConfirmButton
              isQuiet={true}
              label="Delete"
              title={`Delete the key ${key.name}?`}
              says="Requests with this key are refused from now on (AUTH_ERR_APIKEY_NOT_FOUND)."
              done={`Deleted ${key.name}.`}
              act={async () => {
                await ask(`${path}/${key.id}`, { method: "DELETE" });
                reload();
              }}
            />
          )}
        </span>
      ),
    },
  ];
  return (
    <Card title="API keys">
      <PartTrouble error={error} />
      <DataTable label="API keys" columns={columns} rows={value?.keys ?? []} keyOf={({ id }) => id} />
      <Form
        label="New API key"
        fields={fields}
        kind="plain"
        submitLabel="Create key"
        submit={async (body) => {
          await ask(path, { method: "POST", body });
          reload();
          notifyDone(`Created the key ${body.name}.`);
        }}
      />
    </Card>
  );
}
