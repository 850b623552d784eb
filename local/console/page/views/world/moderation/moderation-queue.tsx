import type { ComponentChildren } from "preact";
import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { Time } from "../../../parts/time.tsx";
import { tellDone } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { Card, PartTrouble } from "../part-head.tsx";

interface QueuedMessage {
  readonly id: string;
  readonly sender: string;
  readonly receiver: string;
  readonly sentAt: number;
  readonly type: string;
  readonly data: { readonly text?: string; readonly moderation?: { readonly status?: string } };
}

interface BlockedRecord {
  readonly message: QueuedMessage;
  readonly ruleName?: string;
  readonly condition?: { readonly message?: readonly string[] | string };
}

type FlaggedMessage = QueuedMessage & {
  readonly flaggedCount: number;
  readonly flaggedBy: readonly {
    readonly uid: string;
    readonly reasonName?: string;
    readonly remark?: string;
  }[];
};

const topics = ["chat", "world"] as const;
const limit = 100;

export function ModerationQueue({ appId }: { appId: string }) {
  const base = `/api/chat/${appId}/moderation`;
  const blocked = useResource<{ data: readonly BlockedRecord[] }>(
    `${base}/blocked-messages?limit=${limit}`,
    topics,
  );
  const flagged = useResource<{ data: readonly FlaggedMessage[] }>(
    `${base}/flagged-messages?limit=${limit}`,
    topics,
  );
  const reviewed = useResource<{ data: readonly BlockedRecord[] }>(
    `${base}/reviewed-messages?limit=${limit}`,
    topics,
  );
  const decide = async (path: string, body: object, done: string) => {
    await ask(`${base}/${path}`, { method: "PATCH", body });
    for (const { reload } of [blocked, flagged, reviewed]) reload();
    tellDone(done);
  };
  return (
    <>
      <Card title={`Blocked (${blocked.value?.data.length ?? 0})`}>
        <PartTrouble error={blocked.error} />
        {blocked.value?.data.length === 0 && (
          <p class="soft">No blocked messages. Turn on a rule and write a message that it forbids.</p>
        )}
        <ul class="world-queue">
          {blocked.value?.data.map(({ message, ruleName, condition }) => (
            <li key={message.id}>
              <QueuedText message={message}>
                <Badge tone="bad">{ruleName ?? "blocked"}</Badge> {wordsOf(condition?.message)}
              </QueuedText>
              <div class="world-acts">
                <Button
                  label={`Approve message ${message.id}`}
                  act={() =>
                    decide(
                      `blocked-messages/${message.id}`,
                      { status: "approved" },
                      "Approved. The message is now visible.",
                    )
                  }
                >
                  Approve
                </Button>
                <Button
                  label={`Reject message ${message.id}`}
                  act={() =>
                    decide(
                      `blocked-messages/${message.id}`,
                      { status: "rejected", reviewed: true },
                      "Rejected. The message stays blocked.",
                    )
                  }
                >
                  Reject
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </Card>
      <Card title={`Flagged (${flagged.value?.data.length ?? 0})`}>
        <PartTrouble error={flagged.error} />
        {flagged.value?.data.length === 0 && <p class="soft">No flagged messages. Flag one in the chat.</p>}
        <ul class="world-queue">
          {flagged.value?.data.map((message) => (
            <li key={message.id}>
              <QueuedText message={message}>
                {message.flaggedBy.map(({ uid, reasonName, remark }) => (
                  <span key={uid}>
                    <Badge tone="waiting">{reasonName ?? "flagged"}</Badge> {uid}
                    {remark === undefined ? "" : `: ${remark}`}{" "}
                  </span>
                ))}
              </QueuedText>
              <div class="world-acts">
                <Button
                  label={`Approve message ${message.id}`}
                  act={() => decide(`flagged-messages/${message.id}`, { status: "approved" }, "Approved.")}
                >
                  Approve
                </Button>
                <Button
                  label={`Disapprove message ${message.id}`}
                  act={() =>
                    decide(`flagged-messages/${message.id}`, { status: "disapproved" }, "Disapproved.")
                  }
                >
                  Disapprove
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </Card>
      <Card title={`Reviewed (${reviewed.value?.data.length ?? 0})`}>
        <PartTrouble error={reviewed.error} />
        {reviewed.value?.data.length === 0 && <p class="soft">No reviewed messages yet.</p>}
        <ul class="world-queue">
          {reviewed.value?.data.map(({ message }) => (
            <li key={message.id}>
              <QueuedText message={message}>
                <Badge tone={message.data.moderation?.status === "approved" ? "good" : "bad"}>
                  {message.data.moderation?.status ?? "decided"}
                </Badge>
              </QueuedText>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

function QueuedText({ message, children }: { message: QueuedMessage; children: ComponentChildren }) {
  const { data, type, sender, receiver, sentAt } = message;
  return (
    <div>
      <p class="world-quote" dir="auto">
        {data.text ?? `(${type})`}
      </p>
      <p class="soft">
        {sender} → {receiver} <Time ms={sentAt * 1_000} withDate={true} />
      </p>
      <p>{children}</p>
    </div>
  );
}

function wordsOf(message: readonly string[] | string | undefined): string {
  return typeof message === "string" ? message : (message ?? []).join(" ");
}
