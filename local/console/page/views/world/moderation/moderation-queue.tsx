import type { ComponentChildren } from "preact";
import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { Time } from "../../../parts/time.tsx";
import { notifyDone } from "../../../parts/toasts.tsx";
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

interface Listing<Row> {
  readonly value: { readonly data: readonly Row[] } | undefined;
  readonly error: string | undefined;
}

type Decide = (path: string, body: object, done: string) => Promise<void>;

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
  const decide: Decide = async (path, body, done) => {
    await ask(`${base}/${path}`, { method: "PATCH", body });
    for (const { reload } of [blocked, flagged, reviewed]) reload();
    notifyDone(done);
  };
  return (
    <>
      <Blocked list={blocked} decide={decide} />
      <Flagged list={flagged} decide={decide} />
      <QueueCard
        title="Reviewed"
        list={reviewed}
        none="No reviewed messages yet."
        row={({ message }) => (
          <li key={message.id}>
            <QueuedText message={message}>
              <Badge tone={message.data.moderation?.status === "approved" ? "good" : "bad"}>
                {message.data.moderation?.status ?? "decided"}
              </Badge>
            </QueuedText>
          </li>
        )}
      />
    </>
  );
}

function QueueCard<Row>({
  title,
  list: { value, error },
  none,
  row,
}: {
  title: string;
  list: Listing<Row>;
  none: string;
  row: (of: Row) => ComponentChildren;
}) {
  return (
    <Card title={`${title} (${value?.data.length ?? 0})`}>
      <PartTrouble error={error} />
      {value?.data.length === 0 && <p class="soft">{none}</p>}
      <ul class="world-queue">{value?.data.map(row)}</ul>
    </Card>
  );
}

function Blocked({ list, decide }: { list: Listing<BlockedRecord>; decide: Decide }) {
  return (
    <QueueCard
      title="Blocked"
      list={list}
      none="No blocked messages. Turn on a rule and write a message that it forbids."
      row={({ message, ruleName, condition }) => {
        const path = `blocked-messages/${message.id}`;
        const reject = { status: "rejected", reviewed: true };
        return (
          <li key={message.id}>
            <QueuedText message={message}>
              <Badge tone="bad">{ruleName ?? "blocked"}</Badge> {wordsOf(condition?.message)}
            </QueuedText>
            <div class="world-acts">
              <Button
                label={`Approve message ${message.id}`}
                act={() => decide(path, { status: "approved" }, "Approved. The message is now visible.")}
              >
                Approve
              </Button>
              <Button
                label={`Reject message ${message.id}`}
                act={() => decide(path, reject, "Rejected. The message stays blocked.")}
              >
                Reject
              </Button>
            </div>
          </li>
        );
      }}
    />
  );
}

function Flagged({ list, decide }: { list: Listing<FlaggedMessage>; decide: Decide }) {
  return (
    <QueueCard
      title="Flagged"
      list={list}
      none="No flagged messages. Flag one in the chat."
      row={(message) => {
        const path = `flagged-messages/${message.id}`;
        return (
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
                act={() => decide(path, { status: "approved" }, "Approved.")}
              >
                Approve
              </Button>
              <Button
                label={`Disapprove message ${message.id}`}
                act={() => decide(path, { status: "disapproved" }, "Disapproved.")}
              >
                Disapprove
              </Button>
            </div>
          </li>
        );
      }}
    />
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
