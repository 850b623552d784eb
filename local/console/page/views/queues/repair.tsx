import { useState } from "preact/hooks";
import type { Counts, QueueName, RepairReport } from "../../../api/queues.ts";
import { send } from "../../parts/ask.ts";
import { Button, notifyDone } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import type { Filters } from "../../parts/list.tsx";
import { Facts } from "../../parts/texts.tsx";

type Act = "replay" | "drop";

/** Above this, the user types the number, as in the command. */
const mostByYes = 100;

interface RepairProps {
  readonly queue: QueueName;
  readonly picked: ReadonlySet<string>;
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
      {act && <RepairDialog {...props} act={act} onClose={() => setAct(undefined)} />}
    </span>
  );
}

function RepairDialog({ act, queue, onClose, onDone, ...given }: RepairProps & DialogProps) {
  // Confirms the count of when the dialog opened.
  const [{ picked, counts }] = useState(given);
  const [typed, setTyped] = useState("");
  const [report, setReport] = useState<RepairReport>();
  const selected = picked.size || counts.selected;
  const isReplay = act === "replay";
  const needsNumber = !isReplay && selected > mostByYes;
  const nouns = queue === "quarantine" ? ["delivery in quarantine", "deliveries in quarantine"] : letters;
  const what = `${selected} ${nouns[selected === 1 ? 0 : 1]}`;
  const run = async () => {
    const get = given.filters.get;
    const some = { app: get("app"), trigger: get("trigger"), cause: get("cause"), text: get("text") };
    const body = { picked: picked.size > 0 ? { ids: [...picked] } : some, expected: selected };
    const done = await send<RepairReport>("POST", `/api/queues/${queue}/${act}`, body);
    onDone();
    if (done.remarks.length > 0) return setReport(done);
    notifyDone(`${isReplay ? "Replayed" : "Deleted"} ${done.done} of ${done.picked}.`);
    return onClose();
  };
  return (
    <Dialog title={isReplay ? `Replay ${what}?` : `Delete ${what} for good?`} onClose={onClose}>
      <p>{isReplay ? replayWords[queue === "quarantine" ? "quarantine" : "letters"] : dropWords}</p>
      {picked.size === 0 && (
        <Facts
          of={{
            Apps: describeCounts(counts.byApp),
            Events: describeCounts(counts.byTrigger),
            Triggers: describeCounts(counts.byFailedTrigger),
            Reasons: describeCounts(counts.byReason),
          }}
        />
      )}
      {needsNumber && (
        <TextField label={`Type ${selected} to delete them`} value={typed} onInput={setTyped} />
      )}
      {report && (
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

function describeCounts(counts: Readonly<Record<string, number>>) {
  const parts = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const shown = parts.slice(0, 12).map(([value, count]) => `${value || "(none)"} ${count}`);
  return [...shown, ...(parts.length > 12 ? ["…"] : [])].join(", ");
}

const letters = ["dead letter", "dead letters"];
const replayWords = {
  letters:
    "Fix the cause first, or they are dead-lettered again. Finished effects are not repeated. Replayed events come after all events of their conversation that were handled meanwhile or already wait.",
  quarantine:
    "Deliveries that still cannot be parsed stay in quarantine. The others are handled with their original time of receipt.",
};
const dropWords = "Their events are never handled, and nothing of them is kept.";
