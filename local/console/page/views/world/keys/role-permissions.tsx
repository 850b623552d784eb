import type { RolePermission } from "../../../../api/world-roles.ts";
import { ask } from "../../../parts/ask.ts";
import { Form } from "../../../parts/form.tsx";
import { type FormField, splitWords } from "../../../parts/form-values.ts";
import { notifyDone } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { PartTrouble } from "../part-head.tsx";
import { requireAll } from "../wire.ts";

/** An unset permission limits nothing. `path` is that of the role's permissions. */
export function RolePermissions({ path, appId, role }: { path: string; appId: string; role: string }) {
  const { value, error, reload } = useResource<{ permissions: readonly RolePermission[] }>(
    `/api/world/roles/${appId}/${encodeURIComponent(role)}`,
    [],
  );
  if (value === undefined) return <PartTrouble error={error} />;
  const { permissions } = value;
  const entity = Object.fromEntries(permissions.map((one) => [one.id, one.value]));
  const save = async (body: Record<string, unknown>) => {
    const set: Record<string, unknown> = {};
    for (const [id, typed] of Object.entries(body)) {
      const isList = permissions.find((one) => one.id === id)?.isList;
      if (typed === "") await ask(`${path}/${encodeURIComponent(id)}`, { method: "DELETE" });
      else set[id] = isList === true ? splitWords(String(typed)) : typed;
    }
    if (Object.keys(set).length > 0) {
      const { data } = await ask<{ data: Record<string, unknown> }>(path, {
        method: "PUT",
        body: { permissions: set },
      });
      const { permissions: _all, ...results } = data;
      reload();
      requireAll(results);
    }
    reload();
    notifyDone("Saved.");
  };
  return (
    <Form
      label={`Permissions of ${role}`}
      fields={permissions.map(toField)}
      entity={entity}
      changes={{ unsettable: [] }}
      submitLabel="Save permissions"
      submit={save}
    />
  );
}

function toField({ id, isList, values }: RolePermission): FormField {
  if (!isList) {
    return { name: id, label: id, kind: "choice", options: [["", "not set"], ...values] };
  }
  const hint = values.length === 0 ? "Any texts, separated by commas." : `Allowed: ${values.join(", ")}.`;
  return { name: id, label: id, hint, placeholder: "not limited" };
}
