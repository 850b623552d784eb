import type { ListedCommand } from "./command.ts";

const subjects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Deploy: {
    setup: "set up or add an app, from nothing to its first answered message",
    deploy: "deploy a stage, after showing what will change",
    rollback: "deploy an earlier package again",
    remove: "remove a stage or one of its apps, after showing what is lost",
    doctor: "check a deployment and its apps, and show remedies",
  },
  "App settings": {
    "app apply": "change the app to match config/app/",
    "app export": "write config/app/ from the app's current state",
  },
  Credentials: {
    rotate: "rotate credentials without a lost event",
  },
  "See what happens": {
    status: "show what needs attention, rates, lags, queues and pauses",
    logs: "show the functions' logs, by app, trigger or conversation",
    trace: "show an event's path: received, queued, handled, its effects, or where it waits",
  },
  "Pause and repair": {
    pause: "pause an app, a trigger or a flow; its events wait in order",
    resume: "resume an app, a trigger or a flow, or what waits for a host",
    flows: "list flows, show one, cancel it, or start failed ones again",
    "dead-letters list": "list dead letters or quarantined deliveries by cause, or show one",
    "dead-letters replay": "replay them to where they came from",
    "dead-letters drop": "delete them permanently",
    resend: "send one event again; finished effects are not repeated",
    reconcile: "hand over messages that never arrived, or count them",
  },
  "Personal data": {
    "people export": "export what is stored about a user of an app",
    "people erase": "erase what is stored about a user of an app, and the user",
  },
  "Develop and test": {
    trigger: "send a correctly signed sample of any event to a stage, as the platform would",
    listen: "run the triggers of this machine on a stage's real events, instead of the stage",
    clock: "show or move the local stack's time",
    completion: "print a shell's completion of these commands",
  },
};

export const commands: readonly ListedCommand[] = Object.entries(subjects).flatMap(([subject, rows]) =>
  Object.entries(rows).map(([name, summary]) => ({
    name,
    summary,
    subject,
    load: () => import(`./commands/${name.replace(" ", "-")}.ts`),
  })),
);
