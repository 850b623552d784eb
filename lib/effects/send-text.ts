import type { FamilyClient } from "../chat/operation.ts";
import type { messages } from "../chat/resources/messages.ts";
import { type AutomaticMarks, effectTagOf } from "./automatic.ts";
import type { LoopGuard } from "./loop-guard.ts";
import type { TextMessage } from "./text-message.ts";

export interface TextSenderOptions {
  readonly messages: Pick<FamilyClient<typeof messages>, "send" | "list">;
  readonly guard: LoopGuard;
  readonly scope: { readonly deadlineMs: number; readonly signal?: AbortSignal | undefined };
}

/** The steps of sending one text. Each throws what the client or the guard throws. */
export interface TextSending {
  /** Makes the marks, before anything leaves: their key may be out of reach. */
  mark(): Promise<AutomaticMarks>;
  /** Sends the text; repeated, it is sent twice. */
  act(): Promise<{ id: string }>;
  /** Looks for what an earlier attempt sent, wherever it sent it. */
  look(): Promise<{ id: string } | undefined>;
}

/** Makes what sends texts with marks, and finds them again. */
export function createTextSender({ messages, guard, scope: { deadlineMs, signal } }: TextSenderOptions) {
  const send = async (marks: AutomaticMarks, { onBehalfOf, text, metadata, ...receiver }: TextMessage) => {
    const { id } = await messages.send(
      {
        ...receiver,
        category: "message",
        type: "text",
        data: { text, metadata: { ...metadata, ...marks.metadata } },
        tags: marks.tags,
      },
      // Without `alreadyDone` the client does not repeat what may have been carried out: it is too early to look.
      { onBehalfOf, deadlineMs, signal },
    );
    return { id };
  };

  return (ofEffect: string, message: TextMessage): TextSending => {
    let marks: AutomaticMarks | undefined;
    const { onBehalfOf: sender, receiverType, receiver } = message;
    const mark = async () => {
      marks = await guard.mark(ofEffect, { sender, receiverType, receiver });
      return marks;
    };
    return {
      mark,
      act: async () => send(marks ?? (await mark()), message),
      look: async () => {
        const query = { tags: [effectTagOf(ofEffect)], withTags: true, limit: 100 };
        const { items } = await messages.list(query, { deadlineMs, signal }).page();
        // Anybody can put the tag on a message, nobody else the mark.
        for (const item of items) if (await guard.isOf(ofEffect, item)) return { id: item.id };
        return undefined;
      },
    };
  };
}
