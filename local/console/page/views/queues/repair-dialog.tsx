import { useState } from "preact/hooks";
import type { Counts, PickedMessages, QueueName, QueueRow, RepairReport } from "../../../api/queues.ts";
import { ask } from "../../parts/ask.ts";
import { Button, CopyButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Fact } from "../../parts/fact.tsx";
import { TextField } from "../../parts/field.tsx";
import type { Filters } from "../../parts/filters.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { commandOf } from "./command-of.ts";
import { countPicked } from "./count-picked.ts";

export type RepairAct = "replay" | "drop";

/** To delete more, the user types the number, as in the command. */
const mostByYes = 100;

export function RepairDialog({
  act,
  queue,
  picked,
  filters,
  counts,
  onClose,
  onDone,
}: {
  act: RepairAct;
  queue: QueueName;
  /** If empty, all that match the filters. */
  picked: ReadonlyMap<string, QueueRow>;
  filters: Filters;
  counts: Counts;
  onClose: () => void;
  onDone: () => void;
}) {
  // The user confirms what was counted when the dialog opened.
  const [order] = useState(() => toOrder(picked, filters, counts));
  const [typed, setTyped] = useState("");
  const [report, setReport] = useState<RepairReport>();
  const { selected } = order.counts;
  const what = `${selected} ${nounOf(queue, selected)}`;
  const needsNumber = act === "drop" && selected > mostByYes;
  const command = commandOf(queue, act, { picked: order.picked, count: selected });
  const run = async () => {
    const done = await ask<RepairReport>(`/api/queues/${queue}/${act}`, {
      method: "POST",
      body: { picked: order.picked, expected: selected },
    });
    onDone();
    if (done.remarks.length > 0) return setReport(done);
    notifyDone(`${act === "replay" ? "Replayed" : "Deleted"} ${done.done} of ${done.picked}.`);
    return onClose();
  };
  return (
    <Dialog title={act === "replay" ? `Replay ${what}?` : `Delete ${what} for good?`} onClose={onClose}>
      <p>{act === "replay" ? replayWords[queue === "quarantine" ? "quarantine" : "letters"] : dropWords}</p>
      <Selected counts={order.counts} command={command} />
      {needsNumber && (
        <TextField label={`Type ${selected} to delete them`} value={typed} onInput={setTyped} />
      )}
      {report === undefined ? (
        <p class="buttons">
          <Button
            act={run}
            kind={act === "replay" ? "main" : "danger"}
            isDisabled={needsNumber && typed.trim() !== String(selected)}
          >
            {act === "replay" ? "Replay" : "Delete for good"}
          </Button>
          <Button act={onClose}>Cancel</Button>
        </p>
      ) : (
        <Report report={report} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Selected({ counts, command }: { counts: Counts; command: string | undefined }) {
  return (
    <>
      <dl class="facts">
        <CountFact name="Apps" counts={counts.byApp} />
        <CountFact name="Events" counts={counts.byTrigger} />
        <CountFact name="Reasons" counts={counts.byReason} />
      </dl>
      {command !== undefined && (
        <div class="card">
          <p class="soft">On a stage:</p>
          <code>{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </div>
      )}
    </>
  );
}

function Report({ report, onClose }: { report: RepairReport; onClose: () => void }) {
  return (
    <>
      <p class="trouble" role="alert">
        {report.done} of {report.picked}. {report.remarks.join(" ")}
      </p>
      <p class="buttons">
        <Button act={onClose}>Close</Button>
      </p>
    </>
  );
}

function CountFact({ name, counts }: { name: string; counts: Readonly<Record<string, number>> }) {
  const parts = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const told = parts.slice(0, 12).map(([value, count]) => `${value || "(none)"} ${count}`);
  return <Fact name={name}>{[...told, ...(parts.length > 12 ? ["…"] : [])].join(", ")}</Fact>;
}

function toOrder(picked: ReadonlyMap<string, QueueRow>, filters: Filters, counts: Counts) {
  if (picked.size > 0) {
    const ids: PickedMessages = { ids: [...picked.keys()] };
    return { picked: ids, counts: countPicked([...picked.values()]) };
  }
  const some: PickedMessages = {
    app: filters.get("app"),
    trigger: filters.get("trigger"),
    cause: filters.get("cause"),
    text: filters.get("text"),
  };
  return { picked: some, counts };
}

function nounOf(queue: QueueName, count: number): string {
  if (queue === "quarantine") return count === 1 ? "delivery in quarantine" : "deliveries in quarantine";
  return count === 1 ? "dead letter" : "dead letters";
}

const replayWords = {
  letters:
    "Fix the cause first, or they are dead-lettered again. Finished effects are not repeated. Replayed events come after all events of their conversation that were handled meanwhile or already wait.",
  quarantine:
    "Deliveries that still cannot be parsed stay in quarantine. The others are handled with their original time of receipt.",
};
const dropWords = "Their events are never handled, and nothing of them is kept.";
