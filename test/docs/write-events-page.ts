import { writeFileSync } from "node:fs";
import { eventsPage } from "./events-page.ts";

writeFileSync(new URL("../../docs/events.md", import.meta.url), eventsPage());
