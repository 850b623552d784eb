import { useEffect, useRef, useState } from "preact/hooks";
import type { WorldFacts } from "../../../api/world.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { nameOfApp, useFacts } from "../../parts/use-facts.ts";
import { ChatPane } from "./chat-pane.tsx";
import { type ChatRoute, chatHash, type PaneState, readChatRoute } from "./chat-route.ts";
import "./chat.css";

export function ChatView() {
  const facts = useFacts();
  const asked = readChatRoute(useRoute());
  // Later messages change no open page.
  const first = useRef(facts);
  first.current ??= facts;
  const route = withTalk(asked, first.current?.talk);
  const [shownSide, setShownSide] = useState<"left" | "beside">("left");
  useEffect(() => listenForSearchKey(), []);
  if (facts === undefined) return <Empty title="Loading the apps …" />;
  const appId = route.appId ?? facts.apps[0]?.appId;
  if (appId === undefined) return <Empty title="There is no app">Create one in the World view.</Empty>;
  if (facts.apps.every((app) => app.appId !== appId)) {
    return <NoSuchApp appId={appId} />;
  }
  const { left, beside } = route;
  const change = (part: Partial<ChatRoute>) => go(chatHash({ ...route, ...part }));
  const addSide = () => {
    change({ beside: {} });
    setShownSide("beside");
  };
  const sides: readonly { name: "left" | "beside"; state: PaneState }[] = [
    { name: "left", state: left },
    { name: "beside", state: beside ?? {} },
  ];
  return (
    <div class={`column ${beside === undefined ? "" : "has-two"}`} data-shown={beside ? shownSide : "left"}>
      <div class={`bar chat-bar ${facts.apps.length > 1 ? "has-apps" : ""}`}>
        {facts.apps.length > 1 && <AppChoice appId={appId} apps={facts.apps} />}
        {beside !== undefined && (
          <fieldset class="chat-tabs buttons" aria-label="Side">
            {sides.map(({ name, state }) => (
              <Button key={name} act={() => setShownSide(name)} isPressed={shownSide === name}>
                {state.uid ?? "No user yet"}
              </Button>
            ))}
          </fieldset>
        )}
      </div>
      <div class="split">
        <ChatPane
          appId={appId}
          state={left}
          label="First user"
          onChange={(state: PaneState) => change({ left: state })}
          onClose={beside === undefined ? undefined : () => change({ left: beside, beside: undefined })}
          onAdd={beside === undefined ? addSide : undefined}
        />
        {beside !== undefined && (
          <ChatPane
            appId={appId}
            state={beside}
            label="Second user"
            onChange={(state: PaneState) => change({ beside: state })}
            onClose={() => change({ beside: undefined })}
            onAdd={undefined}
          />
        )}
      </div>
    </div>
  );
}

/** The address `#/chat` opens the newest conversation. */
function withTalk(route: ChatRoute, talk: WorldFacts["talk"]): ChatRoute {
  const { appId = talk?.appId, left, beside } = route;
  if (talk === undefined || left.uid !== undefined || beside !== undefined || appId !== talk.appId)
    return route;
  return { ...route, left: { uid: talk.uid, conversationId: talk.conversationId, isOffered: true } };
}

function AppChoice({ appId, apps }: { appId: string; apps: WorldFacts["apps"] }) {
  return (
    <select
      aria-label="App"
      value={appId}
      onChange={({ currentTarget }) =>
        go(chatHash({ appId: currentTarget.value, left: {}, beside: undefined }))
      }
    >
      {apps.map((one) => (
        <option key={one.appId} value={one.appId}>
          {nameOfApp(one, apps)}
        </option>
      ))}
    </select>
  );
}

function listenForSearchKey(): () => void {
  const hear = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    const isAsked = event.key === "/" && !isTyping && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!isAsked || document.querySelector("dialog[open]") !== null) return;
    const side = document.activeElement?.closest(".chat-pane") ?? document.querySelector(".chat-pane");
    const field = side?.querySelector<HTMLInputElement>("[data-search]");
    if (field === null || field === undefined) return;
    event.preventDefault();
    field.focus();
  };
  addEventListener("keydown", hear);
  return () => removeEventListener("keydown", hear);
}

function NoSuchApp({ appId }: { appId: string }) {
  return (
    <Empty title={`There is no app ${appId}`}>
      <a href={toHash("chat")}>Open the first one.</a>
    </Empty>
  );
}
