import { useResource } from "../../parts/use-resource.ts";
import { chatPath } from "./chat-api.ts";
import type { Answer, Seat, User } from "./chat-types.ts";

export function mentionAt(text: string, caret: number): { from: number; searched: string } | undefined {
  const found = /(?:^|\s)@([\p{L}\p{N}_-]{0,40})$/u.exec(text.slice(0, caret));
  if (found === null) return undefined;
  const [, searched = ""] = found;
  return { from: caret - searched.length - 1, searched };
}

export function MentionList({
  seat,
  searched,
  first,
  onChoose,
}: {
  seat: Seat;
  searched: string;
  first: { current: string | undefined };
  onChoose: (uid: string) => void;
}) {
  const path = chatPath(seat.appId, ["users"], { searchKey: searched, perPage: 6 });
  const users = useResource<Answer<readonly User[]>>(path, []).value?.data ?? [];
  first.current = users[0]?.uid;
  if (users.length === 0) return null;
  return (
    <ul class="row" aria-label="Mention">
      {users.map(({ uid, name }) => (
        <li key={uid}>
          <button type="button" class="quiet" onClick={() => onChoose(uid)}>
            <strong>{name}</strong> <span class="soft">{uid}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
