import { describe, expect, it } from "vitest";
import { outcomeFields } from "../../../../lib/effects/outcomes.ts";
import { traceparentOf } from "../../../../lib/handle/run-triggers.ts";
import { createJournalWorld, startMs } from "./journal-world.ts";

const factOf = (messageId: string) => `app-1|message_sent|${messageId}`;
const step = "message_sent greet";
const noAnswer = { port: 11, status: undefined, error: "No answer within 2000 ms." };

/** One event that is in its queue as `q-1`. */
function delivered() {
  const world = createJournalWorld();
  return { world, id: world.deliver("1") };
}

describe("a journal", () => {
  it("distinguishes two concurrent deliveries of one body by their ports", () => {
    const world = createJournalWorld();
    const body = world.bodyOf("1");
    const [one, other] = [world.queued(body), world.queued(body)];
    const [first, second] = [world.newInvocation(), world.newInvocation()];
    world.sent(body, "q-1", second);
    world.sent(body, "q-1", first);
    world.exchanged(body, { port: 11, invocation: first });
    world.exchanged(body, { port: 22, invocation: second });

    world.attempted(other, { port: 22 });
    world.attempted(one, { port: 11 });

    expect(world.show(`d${other}`).received).toMatchObject([{ outcome: "stored" }]);
    expect(world.show(`d${one}`).received).toMatchObject([{ outcome: "repeated" }]);
    expect(world.list().rows.map(({ verdict }) => verdict)).toEqual(["running", "nothing"]);
  });

  it("treats a request with a delivery's body but another port as from elsewhere", () => {
    const world = createJournalWorld();
    const body = world.bodyOf("1");
    const id = world.queued(body);
    world.exchanged(body, { port: 99, status: 401 });

    world.attempted(id, noAnswer);

    expect(world.list().rows).toMatchObject([
      { id: "r1", verdict: "failed" },
      { id: `d${id}`, verdict: "unknown" },
    ]);
    expect(world.show(`d${id}`).received).toEqual([]);
  });

  it("reads a long delivery from elsewhere completely, and keeps no part to send again", () => {
    const world = createJournalWorld();
    const body = JSON.stringify({ ...JSON.parse(world.bodyOf("1")), more: "x".repeat(80_000) });
    world.exchanged(body, { port: 99 });

    expect(world.list({ key: factOf("1") }).rows).toMatchObject([
      { trigger: "message_sent", text: "text 1" },
    ]);
    expect(world.show("r1", world.journal.store.journeys.get("r1")?.body)).toMatchObject({
      event: { body: undefined, messageId: "1" },
      can: { sendAgain: false },
    });
  });

  it("assigns a late answer to its delivery", () => {
    const world = createJournalWorld();
    const body = world.bodyOf("1");
    const id = world.queued(body);
    world.attempted(id, { ...noAnswer, isLast: false });
    expect(world.show(`d${id}`).row.title).toBe("no answer yet");

    world.sent(body, "q-1", "late");
    world.exchanged(body, { port: 11, invocation: "late" });

    expect(world.show(`d${id}`)).toMatchObject({
      row: { verdict: "running" },
      tries: [{ number: 1 }],
      received: [{ outcome: "stored", queueMessageId: "q-1" }],
    });
  });

  it("assigns late answers on one port to their deliveries", () => {
    const world = createJournalWorld();
    const given = { ...noAnswer, isLast: false };
    const bodies = [world.bodyOf("1"), world.bodyOf("2")];
    const ids = bodies.map((body) => world.queued(body));
    for (const id of ids) world.attempted(id, given);

    for (const [index, body] of bodies.entries()) {
      world.sent(body, `q-${index}`, `late-${index}`);
      world.exchanged(body, { port: 11, invocation: `late-${index}` });
    }

    expect(ids.map((id) => world.show(`d${id}`).received)).toMatchObject([
      [{ queueMessageId: "q-0" }],
      [{ queueMessageId: "q-1" }],
    ]);
    expect(world.list().rows).toHaveLength(2);
  });

  it("follows an event stored for a delivery without an answer, or after its answer", () => {
    const world = createJournalWorld();
    const bodies = [world.bodyOf("1"), world.bodyOf("2")] as const;
    const [silent, refused] = [world.queued(bodies[0]), world.queued(bodies[1])];
    world.attempted(silent, noAnswer);
    world.exchanged(bodies[1], { port: 22, status: 503, invocation: "late" });
    world.attempted(refused, { port: 22, status: 503 });

    const before = [silent, refused].map((id) => world.show(`d${id}`).row.title);
    world.sent(bodies[0], "q-1", "never-answered");
    world.sent(bodies[1], "q-2", "late");
    for (const id of ["q-1", "q-2"]) world.line(id, "an event waits", outcomeFields("waiting"));

    expect(before).toEqual(["not known", "not delivered"]);
    expect([silent, refused].map((id) => world.show(`d${id}`).row.verdict)).toEqual(["waiting", "waiting"]);
    expect(world.show(`d${refused}`).received).toMatchObject([{ outcome: "stored", status: 503 }]);
  });

  it("shows the event's verdict for a delivery repeated after a late answer", () => {
    const world = createJournalWorld();
    const body = world.bodyOf("1");
    const id = world.queued(body);
    world.sent(body, "q-1", "first");
    world.attempted(id, { ...noAnswer, isLast: false });
    world.sent(body, "q-1", "second");
    world.exchanged(body, { port: 22, invocation: "second" });
    world.attempted(id, { port: 22 });
    world.line("q-1", "an event waits", outcomeFields("waiting"));

    expect(world.list().rows).toMatchObject([{ id: `d${id}`, verdict: "waiting" }]);
  });

  it("shows “not known” for an unanswered delivery of an earlier start", () => {
    const world = createJournalWorld();
    const attempt = { number: 1, atMs: startMs, durationMs: 1, error: undefined };
    for (const [id, status] of [undefined, 503, 401].entries()) {
      world.journal.recall({
        id,
        appId: "app-1",
        webhookId: "functions",
        trigger: "message_sent",
        body: world.bodyOf("1"),
        state: "lost",
        createdMs: startMs,
        dueMs: undefined,
        attempts: [{ ...attempt, status }],
      });
    }

    expect([0, 1, 2].map((id) => world.show(`d${id}`).row.title)).toEqual([
      "not known",
      "not known",
      "not delivered",
    ]);
  });

  it("shows a dropped event as dropped until it is handled again", () => {
    const { world, id } = delivered();
    world.line("q-1", "moved an event to the dead-letter queue", { reason: "permanent", cause: "no" });
    const rowOf = () => world.show(`d${id}`).row;
    const before = rowOf().verdict;

    const invocation = world.newInvocation();
    const repeated = world.queued(world.bodyOf("1"));
    world.sent(world.bodyOf("1"), "q-1", invocation);
    world.exchanged(world.bodyOf("1"), { port: 2, invocation });
    world.attempted(repeated, { port: 2 });
    world.dropped.add(factOf("1"));
    const dropped = [rowOf(), world.show(`d${repeated}`).row];
    world.sent(world.bodyOf("1"), "q-2", undefined);

    expect([before, dropped, rowOf().verdict]).toMatchObject([
      "failed",
      [
        { verdict: "nothing", title: "dropped" },
        { verdict: "nothing", title: "repeated" },
      ],
      "running",
    ]);
  });

  it("names a message's event if its line does not", () => {
    const world = createJournalWorld();

    world.line("q-1", "began an event", { deliveryKey: factOf("1"), trigger: undefined });

    expect(world.list()).toMatchObject({ rows: [{ trigger: "message_sent" }], triggers: ["message_sent"] });
  });

  it("keeps a message's lines that come before its delivery is known", () => {
    const world = createJournalWorld();
    const body = world.bodyOf("1");
    const id = world.queued(body);
    world.sent(body, "q-1", "i-1");
    world.lines("q-1", ["began an event"], ["handled an event"]);
    world.batch(["q-1"]);

    world.exchanged(body, { port: 1, invocation: "i-1" });
    world.attempted(id, { port: 1 });

    expect(world.show(`d${id}`).handling).toMatchObject([{ attempts: [{ verdict: "nothing" }] }]);
  });

  it("assigns each run its own calls, in either order", () => {
    const { world, id } = delivered();
    const [one, other] = ["1".repeat(16), "2".repeat(16)];
    world.called(traceparentOf(factOf("1"), one), 1);
    world.lines(
      "q-1",
      ["began a trigger", { step, span: one }],
      ["began a trigger", { step: "message_sent other", span: other }],
    );
    world.called(traceparentOf(factOf("1"), other), 2);

    const { handling } = world.show(`d${id}`);
    const runs = handling.flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.runs));
    expect(runs.map(({ calls }) => calls.map(({ requestId }) => requestId))).toEqual([[1], [2]]);
  });

  it("links a call's consequences to its run, and names the fault that struck it", () => {
    const { world, id } = delivered();
    const span = "1".repeat(16);
    world.line("q-1", "began a trigger", { step, span });

    const reply = world.queued(world.bodyOf("2"), 7);
    world.called(traceparentOf(factOf("1"), span), 7, "dropAfter");

    const [call] = world.show(`d${id}`).handling[0]?.attempts[0]?.runs[0]?.calls ?? [];
    expect(world.show(`d${reply}`).cause?.id).toBe(`d${id}`);
    expect(call).toMatchObject({ status: 200, fault: "dropAfter", caused: [{ id: `d${reply}` }] });
  });

  it("shows an attempt whose process crashed as interrupted, and the events behind it as waiting", () => {
    const world = createJournalWorld();
    const [one, other] = [world.deliver("1"), world.deliver("2")];
    world.lines("q-1", ["began an event"], ["began a trigger", { step, span: "1".repeat(16) }]);

    world.batch(["q-1", "q-2"], "consumer-1", 'Unhandled: {"errorMessage":"Runtime exited"}');

    const { why } = outcomeFields("interrupted", { cause: "Runtime exited" });
    expect(world.show(`d${one}`)).toMatchObject({
      row: { verdict: "waiting", why },
      handling: [{ attempts: [{ title: "interrupted", runs: [{ title: "interrupted" }] }] }],
    });
    expect(world.show(`d${other}`).row).toMatchObject({ verdict: "waiting", why });
  });

  it("uses the event's own line if DEBUG lines are not written", () => {
    const { world, id } = delivered();

    world.lines(
      "q-1",
      ["answered a message", { step }],
      ["handled an event", outcomeFields("acted", { effects: ["reply"] })],
    );

    const { row, handling } = world.show(`d${id}`);
    const said = { verdict: "done", why: "It acted: reply." };
    expect([row, handling[0]?.attempts[0]?.runs[0]]).toMatchObject([said, said]);
  });

  it("shows that an event waits beside its lane, and why, until its trigger is done", () => {
    const { world, id } = delivered();
    const waiting = outcomeFields("waiting", { cause: "503", untilMs: startMs });
    const failure = { step, failure: "outage", cause: "503" };
    world.lines(
      "q-1",
      ["began an event"],
      ["could not handle an event yet", { ...failure, ...outcomeFields("waiting") }],
      ["put an event beside its lane: its trigger waits", { ...failure, ...waiting }],
      ["handled an event"],
    );
    const before = world.show(`d${id}`).row;
    const requestId = "the-next";
    world.lines(
      "q-1",
      ["began an event", { requestId }],
      ["began a trigger", { requestId, step }],
      ["an effect is done", { requestId, step, effect: "reply", how: "now", made: "9" }],
      ["ended a trigger", { requestId, step, ...outcomeFields("acted", { effects: ["reply"] }) }],
      ["handled an event", { requestId, ran: ["greet"] }],
    );

    expect(before).toMatchObject({
      verdict: "waiting",
      why: "greet: It waits until 2026-03-02T08:00:00Z: 503.",
    });
    expect(world.show(`d${id}`).row).toMatchObject({ verdict: "done", why: "greet: It acted: reply." });
  });

  it("shows which flow an event woke, immediately or later, and finds it by the flow's id", () => {
    const world = createJournalWorld();
    const [soon, late] = [world.deliver("1"), world.deliver("2")];
    const said = outcomeFields("woke-flow", { flows: ["refund_1"] });
    const woke = { step: "message_sent (flows)", flowId: "refund_1", ...said };
    for (const message of ["q-1", "q-2"]) world.line(message, "began an event");
    world.line("q-1", "woke a flow", woke);
    for (const message of ["q-1", "q-2"]) world.line(message, "handled an event");
    const before = world.show(`d${late}`).row.why;

    const line = { message: "woke a flow", deliveryKey: factOf("2"), ...woke, requestId: "flows-1" };
    world.journal.note({ kind: "line", functionKey: "runFlows", line: JSON.stringify(line), atMs: startMs });

    expect(before).toBe(outcomeFields("no-trigger").why);
    for (const id of [soon, late]) {
      expect(world.show(`d${id}`)).toMatchObject({
        row: { verdict: "done", why: said.why },
        handling: [{ attempts: [{ verdict: "done", runs: [{ outcome: "woke-flow", woke: ["refund_1"] }] }] }],
      });
    }
    expect(world.list({ search: "refund_1" }).rows).toHaveLength(2);
  });

  it("shows every flow that an event woke, across a failed attempt", () => {
    const world = createJournalWorld();
    const [both, one] = [world.deliver("1"), world.deliver("2")];
    const step = "message_sent (flows)";
    const failure = { step, failure: "outage", cause: "503", ...outcomeFields("waiting", { cause: "503" }) };
    const woke = (...flows: string[]) => outcomeFields("woke-flow", { flows });
    for (const message of ["q-1", "q-2"]) {
      world.lines(
        message,
        ["began an event"],
        ["woke a flow", { step, flowId: "refund_1", ...woke("refund_1") }],
        ["could not handle an event yet", failure],
        ["an event waits", failure],
        ["began an event", { attempt: 2, requestId: "r-2" }],
      );
    }
    const again = { attempt: 2, requestId: "r-2", step, flowId: "refund_2" };
    world.line("q-1", "woke a flow", { ...again, ...woke("refund_2") });
    for (const message of ["q-1", "q-2"])
      world.line(message, "handled an event", { attempt: 2, requestId: "r-2" });

    expect([both, one].map((id) => world.show(`d${id}`).row)).toMatchObject([
      { verdict: "done", why: woke("refund_1", "refund_2").why },
      { verdict: "done", why: woke("refund_1").why },
    ]);
  });

  it("waits for no flows once a later attempt handled the event without them", () => {
    const { world, id } = delivered();
    const waiting = {
      step: "message_sent (flows)",
      failure: "outage",
      ...outcomeFields("waiting", { cause: "503" }),
    };
    const again = { attempt: 2, requestId: "r-2" };
    world.lines(
      "q-1",
      ["began an event"],
      ["could not handle an event yet", waiting],
      ["an event waits", { wakeAt: 5, ...outcomeFields("waiting") }],
    );
    const before = world.show(`d${id}`).row;
    world.lines(
      "q-1",
      ["began an event", again],
      ["handled an event", { ...again, ...outcomeFields("no-action") }],
    );

    expect(before.verdict).toBe("waiting");
    expect(world.show(`d${id}`).row).toMatchObject({ verdict: "nothing", title: "did nothing" });
  });

  it("waits for flows in their own lane while other lanes of the event end", () => {
    const { world, id } = delivered();
    const own = { requestId: "r-2", triggerLane: "(flows)" };
    const waiting = { ...own, step: "message_sent (flows)", ...outcomeFields("waiting", { cause: "503" }) };
    const other = { requestId: "r-3", triggerLane: "greet" };
    world.lines(
      "q-1",
      ["began an event", own],
      ["could not handle an event yet", waiting],
      ["an event waits", { ...own, ...outcomeFields("waiting") }],
      ["began an event", other],
      ["handled an event", { ...other, ...outcomeFields("no-action") }],
    );
    const before = world.show(`d${id}`).row.verdict;
    const again = { ...own, requestId: "r-4" };
    world.lines("q-1", ["began an event", again], ["handled an event", again]);

    expect([before, world.show(`d${id}`).row.verdict]).toEqual(["waiting", "nothing"]);
  });

  it("keeps that a trigger acted when a later attempt finds it done", () => {
    const { world, id } = delivered();
    const acted = outcomeFields("acted", { effects: ["greeting"] });
    for (const [attempt, said] of [
      acted,
      outcomeFields("already-done", { effects: ["greeting"] }),
    ].entries()) {
      const of = { attempt: attempt + 1, requestId: `r-${attempt}` };
      world.lines(
        "q-1",
        ["began an event", of],
        ["ended a trigger", { ...of, step, ...said }],
        ["handled an event", { ...of, ...said }],
      );
    }

    expect(world.show(`d${id}`).row).toMatchObject({ verdict: "done", why: `greet: ${acted.why}` });
  });

  it("shows “already done” for an event that ran before this journal started", () => {
    const { world, id } = delivered();
    world.lines(
      "q-1",
      ["began an event", { attempt: 2 }],
      ["handled an event", { attempt: 2, ...outcomeFields("already-done") }],
    );

    expect(world.show(`d${id}`).row).toMatchObject({ verdict: "nothing", title: "already done" });
  });

  it("replaces a failure when a later attempt succeeds", () => {
    const { world, id } = delivered();
    const said = outcomeFields("failed", { cause: "Error: no", tries: "try 1 of 5" });
    const failed = { step, failure: "ours", tries: 1, cause: "Error: no", ...said };
    const acted = outcomeFields("acted", { effects: ["greeting"] });
    world.lines(
      "q-1",
      ["began an event"],
      ["could not handle an event yet", failed],
      ["an event waits", { wakeAt: 5, ...outcomeFields("waiting") }],
    );
    const before = world.show(`d${id}`).row;

    world.line("q-1", "began a trigger", { step, span: "1".repeat(16), attempt: 2 }, "consumer-2");
    world.line("q-1", "an effect is done", { step, effect: "greeting", how: "now", made: "9" }, "consumer-2");
    world.line("q-1", "ended a trigger", { step, ...acted }, "consumer-2");
    world.line("q-1", "handled an event", {}, "consumer-2");

    expect(before).toMatchObject({ verdict: "failed", why: `greet: ${said.why}` });
    expect(world.show(`d${id}`).row).toMatchObject({
      verdict: "done",
      why: `greet: ${acted.why}`,
    });
    expect(world.list({ message: "9" }).rows.map((row) => row.id)).toEqual([`d${id}`]);
  });

  it("shows a message behind another in a parked lane as waiting", () => {
    const world = createJournalWorld();
    world.deliver("1");
    const id = world.deliver("2");
    world.line("q-1", "began an event");

    world.line("q-2", "an event waits", outcomeFields("waiting", { cause: "it is behind" }));
    world.batch(["q-1", "q-2"]);

    expect(world.show(`d${id}`)).toMatchObject({
      row: { verdict: "waiting", why: "It waits: it is behind." },
      handling: [{ attempts: [{ title: "waiting" }] }],
    });
  });

  it("follows an event that an operator replays, and events queued by other functions", () => {
    const { world, id } = delivered();
    world.sent(world.bodyOf("1"), "q-2", undefined);
    world.sent(world.bodyOf("7"), "q-7", "reconcile-1");

    world.journal.note({
      kind: "invocation",
      functionKey: "reconcile",
      requestId: "reconcile-1",
      durationMs: 1,
      hasFailed: false,
    });

    expect(world.show(`d${id}`).handling.map(({ queueMessageId }) => queueMessageId)).toEqual(["q-1", "q-2"]);
    expect(world.list().rows[0]).toMatchObject({ id: "mq-7", trigger: "message_sent" });
  });

  it.each([
    ["no longer fails by a trigger that a handled replay does not have", {}, "done"],
    ["still fails by a trigger with its own lane", { triggerLane: "greet" }, "failed"],
  ])("%s", (_, lane, verdict) => {
    const { world, id } = delivered();
    world.lines(
      "q-1",
      ["began an event", lane],
      [
        "could not handle an event, for good",
        { step, outcome: "failed", why: "It failed.", cause: "Error", ...lane },
      ],
      ["handled an event", { outcome: "failed", why: "It failed.", ...lane }],
    );
    const before = world.show(`d${id}`).row.verdict;
    world.sent(world.bodyOf("1"), "q-2", undefined, "events", ["ReplayedAt"]);
    world.line("q-2", "began an event", {}, "consumer-2");
    const acted = { step: "message_sent welcome", outcome: "acted", why: "It acted." };
    world.line("q-2", "ended a trigger", acted, "consumer-2");
    world.line("q-2", "handled an event", { outcome: "acted", why: "It acted." }, "consumer-2");

    expect([before, world.show(`d${id}`).row.verdict]).toEqual(["failed", verdict]);
  });

  it("ignores malformed lines and forged requests", () => {
    const { world, id } = delivered();
    const odd = ["{", "[]", "null", '{"message":5}', '{"message":"handled an event","queueMessageId":{}}'];
    for (const line of odd) world.journal.note({ kind: "line", functionKey: "processEvents", line, atMs: 1 });
    world.line("q-1", "could not handle an event yet", {
      step,
      cause: "Error",
      stack: "functions/../../../../etc/passwd.ts:1:1\nlib/../../secrets.ts:1:1",
    });

    world.called("00-zz-11-00", 1);
    world.called(`00-${"0".repeat(32)}-${"1".repeat(16)}-00`, 2);

    const [run] = world.show(`d${id}`).handling[0]?.attempts[0]?.runs ?? [];
    expect({ source: run?.failure?.source, calls: run?.calls }).toEqual({ source: undefined, calls: [] });
  });

  it("keeps only the newest journeys, and removes all references to the others", () => {
    const world = createJournalWorld({ mostJourneys: 100 });
    for (let count = 1; count <= 1_000; count += 1) {
      world.deliver(String(count));
      world.line(`q-${count}`, "began a trigger", { step, span: String(count).padStart(16, "0") });
      world.called(traceparentOf(factOf(String(count)), String(count).padStart(16, "0")), count);
    }

    const { store } = world.journal;
    expect([store.journeys.size, store.calls.size]).toEqual([100, 100]);
    expect(world.list({ message: "1" }).rows).toEqual([]);
    expect(world.list({ message: "1000" }).rows).toHaveLength(1);
    const named = [store.of("message", "q-1"), store.of("span", "1".padStart(16, "0"))];
    expect(named.flat()).toEqual([]);
  });
});
