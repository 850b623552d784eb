import { useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextArea } from "../../parts/field.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { chatPath } from "./chat-api.ts";
import type { Answer, Message, Seat } from "./chat-types.ts";
import { Trouble } from "./trouble.tsx";

export function FlagDialog({
  seat,
  message,
  onClose,
}: {
  seat: Seat;
  message: Message;
  onClose: () => void;
}) {
  const { value, error: listError } = useResource<Answer<readonly { id: string; name: string }[]>>(
    chatPath(seat.appId, ["moderation", "reasons"]),
    [],
  );
  const [chosen, setChosen] = useState("");
  const [remark, setRemark] = useState("");
  const [error, setError] = useState<unknown>();
  const reasons = value?.data ?? [];
  const reasonId = chosen || reasons[0]?.id;
  const flag = async () => {
    try {
      await ask(chatPath(seat.appId, ["messages", message.id, "flagged"]), {
        method: "POST",
        body: { reasonId, ...(remark !== "" && { remark }) },
        onBehalfOf: seat.uid,
      });
      notifyDone(`Message ${message.id} is flagged.`);
      onClose();
    } catch (failed) {
      setError(failed);
    }
  };
  return (
    <Dialog title={`Flag message ${message.id}`} onClose={onClose}>
      <div class="fields">
        <SelectField
          label="Reason"
          value={reasonId ?? ""}
          onInput={setChosen}
          options={reasons.map(({ id, name }) => [id, name] as const)}
          hint={
            listError ?? (value !== undefined && reasons.length === 0 ? "The app has no reasons." : undefined)
          }
        />
        <TextArea label="Remark" value={remark} onInput={setRemark} rows={2} />
      </div>
      <Trouble error={error} />
      <div class="buttons">
        <Button kind="main" act={flag} isDisabled={reasonId === undefined}>
          Flag
        </Button>
        <Button act={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
