import { useState } from "preact/hooks";
import type { Counts, PickedMessages, QueueName, QueueRow, RepairReport } from "../../../api/queues.ts";
import { send } from "../../parts/ask.ts";
import { Button, CopyButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import type { Filters } from "../../parts/filters.tsx";
import { Fact } from "../../parts/texts.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { commandOf } from "./command-of.ts";

type Act = "replay" | "drop";

/** To delete more, the user types the number, as in the command. */
const mostByYes = 100;

interface RepairProps {
  readonly queue: QueueName;
  /** If empty, all that match the filters. */
  readonly picked: ReadonlyMap<string, QueueRow>;
  readonly filters: Filters;
  readonly counts: Counts;
  readonly onDone: () => void;
}

export function RepairButtons(props: RepairProps) {
  const { picked, counts } = props;
  const [act, setAct] = useState<Act>();
  const what = picked.size > 0 ? `selected (${picked.size})` : `all (${counts.selected})`;
  return (
    <span class="buttons">
      <Button act={() => setAct("replay")}>Replay {what} …</Button>
      <Button kind="danger" act={() => setAct("drop")}>
        Drop {what} …
      </Button>
      {act !== undefined && <RepairDialog {...props} act={act} onClose={() => setAct(undefined)} />}
    </span>
  );
}

function RepairDialog({ act, queue, onClose, onDone, ...given }: RepairProps & DialogProps) {
  // The user confirms what was counted when the dialog opened.
  const [{ picked, counts }] = useState(() => toOrder(given));
  const [typed, setTyped] = useState("");
  const [report, setReport] = useState<RepairReport>();
  const { selected } = counts;
  const isReplay = act === "replay";
  const needsNumber = !isReplay && selected > mostByYes;
  const nouns = queue === "quarantine" ? ["delivery in quarantine", "deliveries in quarantine"] : letters;
  const what = `${selected} ${nouns[selected === 1 ? 0 : 1]}`;
  const run = async () => {
    const body = { picked, expected: selected };
    const done = await send<RepairReport>("POST", `/api/queues/${queue}/${act}`, body);
    onDone();
    if (done.remarks.length > 0) return setReport(done);
    notifyDone(`${isReplay ? "Replayed" : "Deleted"} ${done.done} of ${done.picked}.`);
    return onClose();
  };
  return (
    <Dialog title={isReplay ? `Replay ${what}?` : `Delete ${what} for good?`} onClose={onClose}>
      <p>{isReplay ? replayWords[queue === "quarantine" ? "quarantine" : "letters"] : dropWords}</p>
      <Selected counts={counts} command={commandOf(queue, act, { picked, count: selected })} />
      {needsNumber && (
        <TextField label={`Type ${selected} to delete them`} value={typed} onInput={setTyped} />
      )}
      {report !== undefined && (
        <p class="trouble" role="alert">
          {report.done} of {report.picked}. {report.remarks.join(" ")}
        </p>
      )}
      <p class="buttons">
        {report === undefined && (
          <Button
            act={run}
            kind={isReplay ? "main" : "danger"}
            isDisabled={needsNumber && typed.trim() !== String(selected)}
          >
            {isReplay ? "Replay" : "Delete for good"}
          </Button>
        )}
        <Button act={onClose}>{report === undefined ? "Cancel" : "Close"}</Button>
      </p>
    </Dialog>
  );
}

interface DialogProps {
  readonly act: Act;
  readonly onClose: () => void;
}

function Selected({ counts, command }: { counts: Counts; command: string | undefined }) {
  return (
    <>
      <dl class="facts">
        <Fact name="Apps">{sayCounts(counts.byApp)}</Fact>
        <Fact name="Events">{sayCounts(counts.byTrigger)}</Fact>
        <Fact name="Reasons">{sayCounts(counts.byReason)}</Fact>
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

function sayCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const told = parts.slice(0, 12).map(([value, count]) => `${value || "(none)"} ${count}`);
  return [...told, ...(parts.length > 12 ? ["…"] : [])].join(", ");
}

function toOrder({ picked, filters, counts }: Pick<RepairProps, "picked" | "filters" | "counts">) {
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

function countPicked(rows: readonly QueueRow[]): Counts {
  const by = (nameOf: (row: QueueRow) => string) =>
    Object.fromEntries(Array.from(Map.groupBy(rows, nameOf), ([name, own]) => [name, own.length]));
  return {
    selected: rows.length,
    byApp: by(({ appId }) => appId),
    byTrigger: by(({ trigger }) => trigger),
    byReason: by(({ reason = "" }) => reason),
  };
}

const letters = ["dead letter", "dead letters"];
const replayWords = {
  letters:
    "Fix the cause first, or they are dead-lettered again. Finished effects are not repeated. Replayed events come after all events of their conversation that were handled meanwhile or already wait.",
  quarantine:
    "Deliveries that still cannot be parsed stay in quarantine. The others are handled with their original time of receipt.",
};
const dropWords = "Their events are never handled, and nothing of them is kept.";
