import { useEffect, useState } from "preact/hooks";
import type { SeedAnswer, ShownSnapshot, SnapshotsAnswer } from "../../../api/stack.ts";
import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton, Form } from "../../parts/dialog.tsx";
import { useAppId } from "../../parts/facts.tsx";
import { TextField } from "../../parts/field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Badge, counted, Empty, sizeOf, spanOf, Time } from "../../parts/texts.tsx";
import { Card, Part, type PartResource, usePart } from "./part.tsx";

type Snapshots = PartResource<SnapshotsAnswer>;

export function SnapshotsPart() {
  const part: Snapshots = usePart("/api/stack/snapshots");
  const { snapshots, areKept } = part.value ?? { snapshots: [], areKept: true };
  return (
    <Part
      title="Snapshots"
      description="The whole local stack by name: platform, queues, tables, secrets, flows and clock. Restoring a snapshot ends all running functions and turns every fault off."
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
      cell: ({ name, isCompatible }) => (
        <>
          <bdi>{name}</bdi> {!isCompatible && <Badge tone="bad">of another version</Badge>}
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
      cell: ({ name, isCompatible }) => (
        <span class="buttons">
          {isCompatible && (
            <ConfirmButton
              label="Restore"
              title={`Restore ${name}?`}
              description="The current state is lost unless you save it first. Running functions are ended."
              done={`Restored ${name}.`}
              act={() => change("POST", "/restore", { name })}
            />
          )}
          <ConfirmButton
            label="Remove"
            title={`Remove ${name}?`}
            description="The snapshot is deleted. The local stack does not change."
            done={`Removed ${name}.`}
            act={() => change("DELETE", `/${encodeURIComponent(name)}`)}
          />
        </span>
      ),
    },
  ];
}

const shown = ["users", "groups", "members", "conversations", "messages", "deliveries"] as const;
const progressMs = 300;

export function SeedPart() {
  const appId = useAppId();
  const part = usePart<SeedAnswer>(appId && `/api/stack/seed/${appId}`, "chat", "journeys");
  const { value, reload } = part;
  const isRunning = value?.load.isRunning === true;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(reload, progressMs);
    return () => clearInterval(timer);
  }, [isRunning, reload]);
  return (
    <Part
      title="Seed & reset"
      description="The contents of this app: count, fill and reset them."
      error={part.error}
      acts={
        <ConfirmButton
          label="Reset the local stack"
          title="Reset the local stack?"
          description="Every app returns to its seed. Users, groups, messages, settings, rules and webhooks that were created are deleted; queues, tables, flows, faults and timers are cleared. Secrets stay. Only a snapshot can undo this."
          done="The local stack is reset."
          act={() => send("POST", "/api/stack/reset").then(reload)}
        />
      }
    >
      <dl class="tiles">
        {shown.map((name) => (
          <div key={name} class="card">
            <dt class="soft">{name}</dt>
            <dd class="huge number">{value?.contents[name].toLocaleString() ?? "…"}</dd>
          </div>
        ))}
      </dl>
      {value && <LoadCard part={part} {...value.load} />}
    </Part>
  );
}

type LoadProps = SeedAnswer["load"] & { readonly part: PartResource<SeedAnswer> };

function LoadCard({ part, isRunning, made, wanted, tookMs, error }: LoadProps) {
  const sum = wanted.users + wanted.messages;
  const took = `${counted(made.users, "user")} and ${counted(made.messages, "message")} created in ${spanOf(tookMs)}`;
  return (
    <Card
      title="Load"
      description="Creates users, a group for every twenty of them, and messages between them, like an import: no webhook fires."
    >
      {isRunning ? (
        <>
          <progress aria-label="Created so far" max={sum} value={made.users + made.messages} />
          <div class="buttons">
            <Button act={() => part.change("DELETE", "/load")}>Stop</Button>
          </div>
        </>
      ) : (
        <LoadForm part={part} />
      )}
      {sum > 0 && (
        <p role="status">
          {took}. {error}
        </p>
      )}
    </Card>
  );
}

function LoadForm({ part }: Pick<LoadProps, "part">) {
  return (
    <Form
      label="Create"
      kind="plain"
      act={(get) => {
        const wanted = { users: Number(get("users")), messages: Number(get("messages")) };
        return part.change("POST", "/load", wanted);
      }}
    >
      <TextField
        type="number"
        label="Users"
        hint="1 to 10,000: load-0001, load-0002, …"
        name="users"
        value="1000"
      />
      <TextField
        type="number"
        label="Messages"
        hint="0 to 1,000,000, over the last thirty days."
        name="messages"
        value="100000"
      />
    </Form>
  );
}
