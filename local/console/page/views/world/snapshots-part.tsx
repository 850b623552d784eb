import "./running/running.css";
import { useState } from "preact/hooks";
import type { ShownSnapshot, SnapshotsAnswer } from "../../../api/world-snapshots.ts";
import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextField } from "../../parts/field.tsx";
import { Time } from "../../parts/time.tsx";
import { tellDone } from "../../parts/toasts.tsx";
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
        says="The whole world by name: the platform, the queues, the tables, the secrets, the flows and the clock. What runs when one is restored is ended, and every fault is off."
      />
      <PartTrouble error={error} />
      <SaveForm
        taken={value?.snapshots.map(({ name }) => name) ?? []}
        save={(body) => act("POST", "", body)}
      />
      {value?.areKept === false && (
        <p class="soft">
          They are in memory and end with the world. Start it with --data &lt;folder&gt; to keep them.
        </p>
      )}
      {value?.snapshots.length === 0 && (
        <Empty title="No snapshot yet">
          Give one a name above: later you can go back to just this moment.
        </Empty>
      )}
      {value !== undefined && value.snapshots.length > 0 && (
        <div class="running-below">
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
    tellDone(`Saved as ${name.trim()}.`);
    setName("");
  };
  return (
    <Card title="Save the world as it is now">
      <div class="running-line">
        <TextField label="Name" value={name} onInput={setName} placeholder="before the refund" />
        <Button kind={replaces ? "danger" : "main"} act={submit} isDisabled={name.trim() === ""}>
          {replaces ? "Replace" : "Save"}
        </Button>
      </div>
    </Card>
  );
}

function SnapshotTable({
  snapshots,
  restore,
  remove,
}: {
  readonly snapshots: readonly ShownSnapshot[];
  readonly restore: (name: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}) {
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
        { title: "World time", isMinor: true, cell: ({ worldMs }) => <Time ms={worldMs} withDate /> },
        {
          title: "Holds",
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
            <span class="running-acts">
              {fits && (
                <ConfirmButton
                  label="Restore"
                  title={`Restore ${name}?`}
                  says="The world as it is now is lost, unless you save it first. What runs is ended."
                  done={`Restored ${name}.`}
                  act={() => restore(name)}
                />
              )}
              <ConfirmButton
                label="Remove"
                title={`Remove ${name}?`}
                says="The snapshot is lost; the world stays as it is."
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
