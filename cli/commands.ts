import type { ListedCommand } from "./command.ts";

type Row = readonly [name: string, summary: string, load: ListedCommand["load"]];

/** In the order of `--help`. */
const subjects: Readonly<Record<string, readonly Row[]>> = {
  Deploy: [
    [
      "setup",
      "set up or add an app, from nothing to its first answered message",
      () => import("./commands/setup.ts"),
    ],
    ["deploy", "deploy a stage, after showing what will change", () => import("./commands/deploy.ts")],
    ["rollback", "deploy an earlier package again", () => import("./commands/rollback.ts")],
    [
      "remove",
      "remove a stage, after showing what is lost and what stays",
      () => import("./commands/remove.ts"),
    ],
    ["doctor", "check a deployment and its apps, and show remedies", () => import("./commands/doctor.ts")],
  ],
  Apps: [
    [
      "apps list",
      "list the apps of a stage: listed, served, and the state of their secrets",
      () => import("./commands/apps-list.ts"),
    ],
    [
      "apps remove",
      "remove an app from a stage: its line in config/apps.yml, and its secret",
      () => import("./commands/apps-remove.ts"),
    ],
    ["app apply", "change the app to match config/app/", () => import("./commands/app-apply.ts")],
    [
      "app export",
      "write config/app/ from the app's current state",
      () => import("./commands/app-export.ts"),
    ],
  ],
  Credentials: [
    [
      "rotate api-key",
      "replace an app's API key, without a failed call",
      () => import("./commands/rotate-api-key.ts"),
    ],
    [
      "rotate webhook-password",
      "replace the password of an app's webhook, without a refused delivery",
      () => import("./commands/rotate-webhook-password.ts"),
    ],
    [
      "rotate finish",
      "show a rotation's state, end what it replaced, or abandon it",
      () => import("./commands/rotate-finish.ts"),
    ],
    [
      "rotate schedule",
      "make Secrets Manager rotate what config/rotation.yml names",
      () => import("./commands/rotate-schedule.ts"),
    ],
  ],
  "See what happens": [
    [
      "status",
      "show rates, lags and failures, queues, open breakers and pauses",
      () => import("./commands/status.ts"),
    ],
    ["logs", "show the functions' logs, by app, trigger or conversation", () => import("./commands/logs.ts")],
    [
      "trace",
      "show an event's path: received, queued, handled, its effects, or where it waits",
      () => import("./commands/trace.ts"),
    ],
  ],
  "Pause and repair": [
    [
      "pause",
      "pause an app, a trigger or a flow; its events wait in order",
      () => import("./commands/pause.ts"),
    ],
    [
      "resume",
      "resume an app, a trigger or a flow, or what waits for a host",
      () => import("./commands/resume.ts"),
    ],
    [
      "dead-letters list",
      "list dead letters or quarantined deliveries, grouped by cause",
      () => import("./commands/dead-letters-list.ts"),
    ],
    [
      "dead-letters show",
      "show one: its event, and the cause",
      () => import("./commands/dead-letters-show.ts"),
    ],
    [
      "dead-letters replay",
      "replay them to where they came from",
      () => import("./commands/dead-letters-replay.ts"),
    ],
    ["dead-letters drop", "delete them permanently", () => import("./commands/dead-letters-drop.ts")],
    [
      "resend",
      "send one event again; finished effects are not repeated",
      () => import("./commands/resend.ts"),
    ],
    [
      "reconcile",
      "hand over messages that never arrived, or count them",
      () => import("./commands/reconcile.ts"),
    ],
  ],
  "Personal data": [
    [
      "people export",
      "export what is stored about a user of an app",
      () => import("./commands/people-export.ts"),
    ],
    [
      "people erase",
      "erase what is stored about a user of an app, and the user",
      () => import("./commands/people-erase.ts"),
    ],
  ],
  "Develop and test": [
    [
      "trigger",
      "send a correctly signed sample of any event to a stage, as the platform would",
      () => import("./commands/trigger.ts"),
    ],
    [
      "listen",
      "run the triggers of this machine on a stage's real events, instead of the stage",
      () => import("./commands/listen.ts"),
    ],
    ["clock", "show or move the local stack's time", () => import("./commands/clock.ts")],
    ["completion", "print a shell's completion of these commands", () => import("./commands/completion.ts")],
  ],
};

export const commands: readonly ListedCommand[] = Object.entries(subjects).flatMap(([subject, rows]) =>
  rows.map(([name, summary, load]) => ({ name, summary, subject, load })),
);
