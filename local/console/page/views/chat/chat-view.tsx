import { useEffect, useRef, useState } from "preact/hooks";
import type { StackFacts } from "../../../api/stack.ts";
import { Button } from "../../parts/button.tsx";
import { appOptions, useFacts } from "../../parts/facts.tsx";
import { Select } from "../../parts/field.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { Empty } from "../../parts/texts.tsx";
import { ChatPane } from "./chat-pane.tsx";
import { type ChatRoute, chatHash, type PaneState, readChatRoute } from "./chat-route.ts";
import "./chat.css";

export function ChatView() {
  const facts = useFacts();
  const asked = useRoute();
  // Later messages change no open page.
  const first = useRef(facts);
  first.current ??= facts;
  useEffect(() => listenForSearchKey(), []);
  const route = withNewestConversation(readChatRoute(asked), first.current?.newestConversation);
  if (facts === undefined) return <Empty title="Loading the apps …" />;
  const appId = route.appId ?? facts.apps[0]?.appId;
  if (appId === undefined) return <Empty title="There is no app">Create one in the API explorer.</Empty>;
  if (facts.apps.every((app) => app.appId !== appId)) {
    return (
      <Empty title={`There is no app ${appId}`}>
        <a href={toHash("chat")}>Open the first one.</a>
      </Empty>
    );
  }
  return <Sides appId={appId} apps={facts.apps} route={route} visit={asked.visit} />;
}

interface SidesProps {
  readonly appId: string;
  readonly apps: StackFacts["apps"];
  readonly route: ChatRoute;
  readonly visit: number;
}

function Sides({ appId, apps, route, visit }: SidesProps) {
  const { left, beside } = route;
  const [shown, setShown] = useState<"left" | "beside">("left");
  const hasTwo = beside !== undefined;
  const box = useFocusOfSide(hasTwo);
  const change = (part: Partial<ChatRoute>) => go(chatHash({ ...route, ...part }));
  const addSide = () => {
    change({ beside: {} });
    setShown("beside");
  };
  const sides: readonly (readonly [name: "left" | "beside", state: PaneState])[] = [
    ["left", left],
    ...(hasTwo ? [["beside", beside] as const] : []),
  ];
  const hasApps = apps.length > 1;
  return (
    <div class={`column ${hasTwo ? "has-two" : ""}`} data-shown={hasTwo ? shown : "left"}>
      <div class={`bar chat-bar ${hasApps ? "has-apps" : ""}`}>
        {hasApps && (
          <Select
            label="App"
            value={appId}
            options={appOptions(apps, appId)}
            onInput={(chosen) => go(chatHash({ appId: chosen, left: {}, beside: undefined }))}
          />
        )}
        {hasTwo && (
          <fieldset class="chat-tabs buttons" aria-label="Side">
            {sides.map(([name, { uid }]) => (
              <Button key={name} act={() => setShown(name)} isPressed={shown === name}>
                {uid ?? "No user yet"}
              </Button>
            ))}
          </fieldset>
        )}
      </div>
      <div class="split" ref={box}>
        {sides.map(([name, state]) => (
          <ChatPane
            key={name}
            appId={appId}
            state={{ ...state, visit }}
            label={name === "left" ? "First user" : "Second user"}
            onChange={(next) => change({ [name]: next })}
            onClose={
              hasTwo ? () => change({ left: name === "left" ? beside : left, beside: undefined }) : undefined
            }
            onAdd={hasTwo ? undefined : addSide}
          />
        ))}
      </div>
    </div>
  );
}

/** Moves the focus on when a side's button disappears. */
function useFocusOfSide(hasTwo: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(hasTwo);
  useEffect(() => {
    if (before.current === hasTwo) return;
    before.current = hasTwo;
    const next = hasTwo
      ? ":scope > :last-child :is(input:not([type=file]), textarea)"
      : "[aria-label='Second user']";
    if (document.activeElement === document.body) box.current?.querySelector<HTMLElement>(next)?.focus();
  }, [hasTwo]);
  return box;
}

/** Opens the newest conversation for `#/chat`. */
function withNewestConversation(
  route: ChatRoute,
  newestConversation: StackFacts["newestConversation"],
): ChatRoute {
  const { appId = newestConversation?.appId, left, beside } = route;
  if (
    newestConversation === undefined ||
    left.uid !== undefined ||
    beside !== undefined ||
    appId !== newestConversation.appId
  )
    return route;
  return {
    ...route,
    left: { uid: newestConversation.uid, conversationId: newestConversation.conversationId, isOffered: true },
  };
}

function listenForSearchKey(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    const isAsked = event.key === "/" && !isTyping && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!isAsked || document.querySelector("dialog[open]") !== null) return;
    const side = document.activeElement?.closest(".chat-pane") ?? document.querySelector(".chat-pane");
    const field = side?.querySelector<HTMLInputElement>("[data-search]");
    if (!field) return;
    event.preventDefault();
    field.focus();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
