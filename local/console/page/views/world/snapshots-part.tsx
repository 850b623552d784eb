import { useState } from "preact/hooks";
import type { ShownSnapshot, SnapshotsAnswer } from "../../../api/world-snapshots.ts";
import { ConfirmButton, Form } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Badge, Empty, sizeOf } from "../../parts/texts.tsx";
import { Time } from "../../parts/time.tsx";
import { Card, Part, type PartResource, usePart } from "./part.tsx";

type Snapshots = PartResource<SnapshotsAnswer>;

export function SnapshotsPart() {
  const part: Snapshots = usePart("/api/world/snapshots");
  const { snapshots, areKept } = part.value ?? { snapshots: [], areKept: true };
  return (
    <Part
      title="Snapshots"
      says="The whole local stack by name: platform, queues, tables, secrets, flows and clock. Restoring a snapshot ends all running functions and turns every fault off."
      error={part.error}
    >
      <SaveCard part={part} taken={snapshots.map(({ name }) => name)} />
      {!areKept && (
        <p class="soft">
          Snapshots are in memory and end with the local stack. Start it with --data &lt;folder&gt; to keep
          them.
        </p>
      )}
      <Table
        label="Snapshots"
        rows={part.value?.snapshots}
        keyOf={({ name }) => name}
        columns={columnsOf(part)}
        empty={<Empty title="No snapshot yet">Save one above to return to this moment later.</Empty>}
      />
    </Part>
  );
}

function SaveCard({ part, taken }: { readonly part: Snapshots; readonly taken: readonly string[] }) {
  const [typed, setTyped] = useState("");
  const name = typed.trim();
  const replaces = taken.includes(name);
  const save = async () => {
    await part.change("POST", "", { name, replaces }, `Saved as ${name}.`);
    setTyped("");
  };
  return (
    <Card title="Save the current state">
      <Form
        isLine
        label={replaces ? "Replace" : "Save"}
        kind={replaces ? "danger" : "main"}
        act={save}
        isDisabled={name === ""}
      >
        <TextField label="Name" value={typed} onInput={setTyped} placeholder="before the refund" />
      </Form>
    </Card>
  );
}

function columnsOf({ change }: Snapshots): readonly Column<ShownSnapshot>[] {
  return [
    {
      title: "Name",
      cell: ({ name, fits }) => (
        <>
          <bdi>{name}</bdi> {!fits && <Badge tone="bad">of another version</Badge>}
        </>
      ),
    },
    { title: "Saved", class: "is-spare", cell: ({ savedAtMs }) => <Time ms={savedAtMs} format="moment" /> },
    {
      title: "Local stack’s time",
      class: "is-spare",
      cell: ({ worldMs }) => <Time ms={worldMs} format="moment" />,
    },
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
              act={() => change("POST", "/restore", { name })}
            />
          )}
          <ConfirmButton
            label="Remove"
            title={`Remove ${name}?`}
            says="The snapshot is deleted. The local stack does not change."
            done={`Removed ${name}.`}
            act={() => change("DELETE", `/${encodeURIComponent(name)}`)}
          />
        </span>
      ),
    },
  ];
}
