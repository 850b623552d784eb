import { useState } from "preact/hooks";
import type { CallDetail } from "../../../api/calls.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../parts/field.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { endOf, proxyOf } from "./call-words.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function RepeatDialog({ call, onClose }: { call: CallDetail; onClose: () => void }) {
  const [method, setMethod] = useState(call.method);
  const [path, setPath] = useState(call.path);
  const [user, setUser] = useState(call.onBehalfOf ?? "");
  const [body, setBody] = useState(call.sent.kind === "text" ? indented(call.sent.text) : "");
  const [answer, setAnswer] = useState<{ status: number; text: string }>();
  const problem = method === "GET" || body === "" ? undefined : problemOf(body);
  const send = async () => {
    const response = await fetch(`${proxyOf(call) ?? ""}${path.startsWith("/") ? path : `/${path}`}`, {
      method,
      headers: { "content-type": "application/json", ...(user !== "" && { onBehalfOf: user }) },
      ...(method !== "GET" && body !== "" && { body }),
    });
    setAnswer({ status: response.status, text: await response.text() });
  };
  const end = answer && endOf({ status: answer.status, fault: undefined });
  return (
    <Dialog title="Repeat the call" onClose={onClose}>
      <div class="fields">
        <div class="calls-repeat">
          <SelectField label="Method" value={method} onInput={setMethod} options={[...methods]} />
          <TextField label="Path" value={path} onInput={setPath} />
          <TextField label="As user" value={user} onInput={setUser} placeholder="nobody" />
        </div>
        {method !== "GET" && (
          <TextArea
            label="Body"
            value={body}
            onInput={setBody}
            rows={10}
            isCode
            error={problem}
            hint={
              body.includes("[redacted]") ? "Secrets are not kept. Insert them at [redacted]." : undefined
            }
          />
        )}
      </div>
      <p class="buttons">
        <Button act={send} kind="main" isDisabled={problem !== undefined}>
          Send
        </Button>
        {end !== undefined && <Badge tone={end.tone}>{end.word}</Badge>}
      </p>
      {answer !== undefined && <JsonView value={indented(answer.text)} label="Answer" />}
    </Dialog>
  );
}

function problemOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `This is not JSON: ${error.message}` : "This is not JSON.";
  }
}

function indented(text: string): string {
  return problemOf(text) === undefined ? JSON.stringify(JSON.parse(text), undefined, 2) : text;
}
