import { useState } from "preact/hooks";
import type { ShownSnapshot, SnapshotsAnswer } from "../../../api/world-snapshots.ts";
import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextField } from "../../parts/field.tsx";
import { Time } from "../../parts/time.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { ConfirmButton } from "./confirm.tsx";
import { Card, PartHead, PartTrouble } from "./part-head.tsx";

const path = "/api/world/snapshots";

export function SnapshotsPart() {
  const { value, error, reload } = useResource<SnapshotsAnswer>(path, ["world"]);
  const act = async (method: "POST" | "DELETE", where: string, body?: object) => {
    await ask(`${path}${where}`, { method, body });
    reload();
  };
  return (
    <>
      <PartHead
        title="Snapshots"
        says="The whole local stack by name: platform, queues, tables, secrets, flows and clock. Restoring a snapshot ends all running functions and turns every fault off."
      />
      <PartTrouble error={error} />
      <SaveForm
        taken={value?.snapshots.map(({ name }) => name) ?? []}
        save={(body) => act("POST", "", body)}
      />
      {value?.areKept === false && (
        <p class="soft">
          Snapshots are in memory and end with the local stack. Start it with --data &lt;folder&gt; to keep
          them.
        </p>
      )}
      {value?.snapshots.length === 0 && (
        <Empty title="No snapshot yet">Save one above to return to this moment later.</Empty>
      )}
      {value !== undefined && value.snapshots.length > 0 && (
        <div>
          <SnapshotTable
            snapshots={value.snapshots}
            restore={(name) => act("POST", "/restore", { name })}
            remove={(name) => act("DELETE", `/${encodeURIComponent(name)}`)}
          />
        </div>
      )}
    </>
  );
}

function SaveForm({
  taken,
  save,
}: {
  readonly taken: readonly string[];
  readonly save: (body: { name: string; replaces: boolean }) => Promise<void>;
}) {
  const [name, setName] = useState("");
  const replaces = taken.includes(name.trim());
  const submit = async () => {
    await save({ name: name.trim(), replaces });
    notifyDone(`Saved as ${name.trim()}.`);
    setName("");
  };
  return (
    <Card title="Save the current state">
      <div class="line">
        <TextField label="Name" value={name} onInput={setName} placeholder="before the refund" />
        <Button kind={replaces ? "danger" : "main"} act={submit} isDisabled={name.trim() === ""}>
          {replaces ? "Replace" : "Save"}
        </Button>
      </div>
    </Card>
  );
}

interface SnapshotTableProps {
  readonly snapshots: readonly ShownSnapshot[];
  readonly restore: (name: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

function SnapshotTable({ snapshots, restore, remove }: SnapshotTableProps) {
  return (
    <DataTable
      label="Snapshots"
      rows={snapshots}
      keyOf={({ name }) => name}
      columns={[
        {
          title: "Name",
          cell: ({ name, fits }) => (
            <>
              <bdi>{name}</bdi> {!fits && <Badge tone="bad">of another version</Badge>}
            </>
          ),
        },
        { title: "Saved", isMinor: true, cell: ({ savedAtMs }) => <Time ms={savedAtMs} withDate /> },
        { title: "Local stack’s time", isMinor: true, cell: ({ worldMs }) => <Time ms={worldMs} withDate /> },
        {
          title: "Content",
          cell: ({ counts, bytes }) => (
            <>
              {counts.messages} messages, {counts.queued} queued, {counts.running} flows{" "}
              <span class="soft">({sizeOf(bytes)})</span>
            </>
          ),
        },
        {
          title: "Acts",
          cell: ({ name, fits }) => (
            <span class="buttons">
              {fits && (
                <ConfirmButton
                  label="Restore"
                  title={`Restore ${name}?`}
                  says="The current state is lost unless you save it first. Running functions are ended."
                  done={`Restored ${name}.`}
                  act={() => restore(name)}
                />
              )}
              <ConfirmButton
                label="Remove"
                title={`Remove ${name}?`}
                says="The snapshot is deleted. The local stack does not change."
                done={`Removed ${name}.`}
                act={() => remove(name)}
              />
            </span>
          ),
        },
      ]}
    />
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
