/** What the platform sends in one run, as its pages document it. */
export const runInput = {
  threadId: "thread-1",
  runId: "run-1",
  state: {},
  messages: [{ id: "1", role: "user", content: "Where is order 7?" }],
  tools: [],
  context: [],
  forwardedProps: {},
};

export type AgUiEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** The events of a stream of `data: <JSON>` and blank lines. @throws if the text is not such a stream */
export function eventsIn(text: string): readonly AgUiEvent[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .map((frame) => JSON.parse(frame.replace(/^data: /, "")));
}
