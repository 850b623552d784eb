import { useState } from "preact/hooks";
import { ask } from "../../../parts/ask.ts";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { useResource } from "../../../parts/use-resource.ts";
import { ConfirmButton } from "../confirm.tsx";
import { NewButton } from "../new-button.tsx";
import { Card, PartTrouble } from "../part-head.tsx";
import type { WirePage } from "../wire.ts";
import { RolePermissions } from "./role-permissions.tsx";

interface Role {
  readonly role: string;
  readonly name: string;
  readonly description?: string;
}

const fields: readonly FormField[] = [
  { name: "role", label: "Role", isRequired: true, hint: "Its id: letters, digits, dashes and underscores." },
  { name: "name", label: "Name", isRequired: true },
  { name: "description", label: "Description" },
];

const roleColumns: readonly Column<Role>[] = [
  { title: "Role", cell: ({ role }) => <code>{role}</code> },
  { title: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
  { title: "Description", cell: ({ description }) => description, isMinor: true },
];

export function RolesCard({ appId }: { appId: string }) {
  const [open, setOpen] = useState<string>();
  const path = `/api/chat/${appId}/roles`;
  const { value, error, reload } = useResource<WirePage<Role>>(path, ["world"]);
  const columns: readonly Column<Role>[] = [
    ...roleColumns,
    {
      title: "Acts",
      cell: ({ role }) => (
        <RoleActs
          role={role}
          onOpen={() => setOpen(role)}
          remove={async () => {
            await ask(`${path}/${encodeURIComponent(role)}`, { method: "DELETE" });
            reload();
          }}
        />
      ),
    },
  ];
  return (
    <Card title="Roles">
      <PartTrouble error={error} />
      <DataTable label="Roles" columns={columns} rows={value?.data ?? []} keyOf={({ role }) => role} />
      <div class="buttons">
        <NewButton
          word="role"
          fields={fields}
          create={async (body) => {
            await ask(path, { method: "POST", body });
            reload();
            return `Created ${body.role}.`;
          }}
        />
      </div>
      {open !== undefined && (
        <Dialog title={`Permissions of ${open}`} onClose={() => setOpen(undefined)}>
          <RolePermissions
            path={`${path}/${encodeURIComponent(open)}/permissions`}
            appId={appId}
            role={open}
          />
        </Dialog>
      )}
    </Card>
  );
}

interface RoleActsProps {
  role: string;
  onOpen(): void;
  remove(): Promise<void>;
}

function RoleActs({ role, onOpen, remove }: RoleActsProps) {
  return (
    <span class="world-acts">
      <button type="button" class="quiet" aria-label={`Permissions of ${role}`} onClick={onOpen}>
        Permissions
      </button>
      {role !== "default" && (
        <ConfirmButton
          isQuiet={true}
          label="Delete"
          title={`Delete the role ${role}?`}
          says="Its users get the default role."
          done={`Deleted ${role}.`}
          act={remove}
        />
      )}
    </span>
  );
}
