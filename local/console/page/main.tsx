import "./styles/colours.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/frame.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { keepFocus } from "./parts/keep-focus.ts";
import { WithStackTime } from "./parts/stack-clock.tsx";

const root = document.getElementById("page");
if (root !== null) {
  keepFocus();
  render(
    <WithStackTime>
      <App />
    </WithStackTime>,
    root,
  );
}
