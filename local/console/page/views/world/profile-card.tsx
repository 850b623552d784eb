import { ask } from "../../parts/ask.ts";
import { Form } from "../../parts/form.tsx";
import type { FormField } from "../../parts/form-values.ts";
import { notifyDone } from "../../parts/toasts.tsx";
import { Card } from "./part-head.tsx";

/** The fields of a user or a group; only changed ones are written. */
export function ProfileCard({
  path,
  fields,
  entity,
  unsettable,
  reload,
}: {
  readonly path: string;
  readonly fields: readonly FormField[];
  readonly entity: object;
  readonly unsettable: readonly string[];
  readonly reload: () => void;
}) {
  return (
    <Card title="Profile">
      <Form
        label="Profile"
        fields={fields}
        entity={entity}
        changes={{ unsettable }}
        submitLabel="Save"
        submit={async (body) => {
          if (Object.keys(body).length === 0) return notifyDone("Nothing has changed.");
          await ask(path, { method: "PUT", body });
          reload();
          notifyDone("Saved.");
        }}
      />
    </Card>
  );
}
