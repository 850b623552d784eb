import type { Hono } from "hono";
import * as z from "zod/mini";
import { isRecord } from "../../../lib/base/json.ts";
import { lazy } from "../../../lib/base/lazy.ts";
import { conditionsText } from "../../../lib/effects/outcomes.ts";
import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import { findApp } from "../../platform/store/apps.ts";
import type {
  FlowCancelled,
  FlowDetail,
  FlowEventDraft,
  FlowKinds,
  FlowList,
  FlowWait,
} from "../api/flows.ts";
import type { ConsoleContext } from "../console-context.ts";
import { fitEvent } from "../flows/event-for-wait.ts";
import { findValue } from "../flows/flow-values.ts";
import { listFlows, readState } from "../flows/list-flows.ts";
import { noteFlowFaults } from "../flows/note-faults.ts";
import { createFlowActions } from "../flows/operate.ts";
import { readFlowKinds } from "../flows/read-kinds.ts";
import { requestOf, showFlow } from "../flows/show-flow.ts";
import { readInput, WrongInputError } from "../read-input.ts";
import { listEntries } from "../try/list-entries.ts";
import { renewBody } from "../try/renew.ts";

export function addFlowsRoutes(app: Hono, { world }: ConsoleContext): void {
  const flows = readFlows(world);
  addReading(app, flows);
  addActions(app, flows);
  addStarting(app, world, flows);
  addEventDrafts(app, world, flows);
}

type Flows = ReturnType<typeof readFlows>;

function readFlows(world: ConsoleContext["world"]) {
  const { durable } = world.cloud;
  const actions = createFlowActions(world);
  const own = () => durable.peek().filter(({ functionName }) => functionName === actions.functionName);
  return { durable, actions, own, faults: noteFlowFaults(world), find, withQuestions };

  function find(id: string): StoredExecution {
    const found = own().find(({ name }) => name === id);
    if (found === undefined) {
      throw new WrongInputError(
        `There is no flow ${id}. An ended flow is kept for 14 days, until a reset.`,
        404,
      );
    }
    return found;
  }

  /** Their events are in the flows table. */
  async function withQuestions(
    execution: StoredExecution,
    waits: readonly FlowWait[],
  ): Promise<readonly FlowWait[]> {
    const { appId, waitsFor = [] } = requestOf(execution) ?? {};
    if (appId === undefined || !waits.some(({ event }) => event !== undefined)) return waits;
    const open = await actions.openWaits(appId, waitsFor, execution.name).catch(() => []);
    return waits.map((wait) => {
      if (wait.event === undefined) return wait;
      const callback = execution.operations.find(({ Id }) => Id === wait.operationId)?.CallbackDetails
        ?.CallbackId;
      const question = open.find(({ callbackId }) => callbackId === callback);
      if (question === undefined) return wait;
      const { where } = question;
      return {
        ...wait,
        event: { ...wait.event, where, conditions: isRecord(where) ? conditionsText(where) : "" },
      };
    });
  }
}

function addReading(app: Hono, { own, find, faults, withQuestions }: Flows): void {
  app.get("/api/flows", (context) => {
    const { state, flow, app: appId, search, before } = context.req.query();
    const filter = { state: readState(state), flow, app: appId, search, before };
    return context.json(listFlows(own(), filter) satisfies FlowList);
  });

  app.get("/api/flows/:id", async (context) => {
    const execution = find(context.req.param("id"));
    const detail = showFlow(execution, faults.placeOf(execution.name));
    return context.json({
      ...detail,
      waits: await withQuestions(execution, detail.waits),
    } satisfies FlowDetail);
  });

  app.get("/api/flows/:id/values/:value", (context) => {
    const { id, value } = context.req.param();
    const found = findValue(find(id), value);
    if (found === undefined) throw new WrongInputError(`Flow ${id} has no value "${value}".`, 404);
    return context.body(found, 200, { "content-type": "application/json; charset=utf-8" });
  });
}

function addActions(app: Hono, { durable, actions, find }: Flows): void {
  app.post("/api/flows/:id/fire", async (context) => {
    const { operationId } = await readInput(context, fireSchema);
    const { arn, name } = find(context.req.param("id"));
    if (!durable.hasten(arn, operationId)) {
      throw new WrongInputError(`Flow ${name} no longer waits for that.`, 409);
    }
    return context.json({});
  });

  app.post("/api/flows/:id/cancel", async (context) => {
    const { reason } = await readInput(context, cancelSchema);
    const { name } = find(context.req.param("id"));
    const why =
      reason === undefined || reason.trim() === "" ? undefined : `Cancelled by hand: ${reason.trim()}`;
    const outcome = await actions.operator().cancel(name, why);
    return context.json({ outcome } satisfies FlowCancelled);
  });
}

function addStarting(app: Hono, { platform, cloud }: ConsoleContext["world"], { actions }: Flows): void {
  app.get("/api/flow-kinds", async (context) => {
    const { kinds } = await readFlowKinds(cloud.serviceFolder);
    return context.json({ kinds } satisfies FlowKinds);
  });

  app.post("/api/flows", async (context) => {
    const { flow, appId, input } = await readInput(context, startSchema);
    const found = findApp(platform.services.db, appId);
    if (found === undefined) throw new WrongInputError(`The platform has no app "${appId}".`, 404);
    const { kinds, misfit } = await readFlowKinds(cloud.serviceFolder, { flow, input });
    const kind = kinds.find(({ name }) => name === flow);
    if (kind === undefined)
      throw new WrongInputError(`There is no flow "${flow}" in functions/own/flows.ts.`, 404);
    if (misfit !== undefined) throw new WrongInputError(`The input of flow "${flow}" is invalid: ${misfit}`);
    const { waitsFor } = kind;
    return context.json(await actions.start({ flow, appId, region: found.region, input, waitsFor }));
  });
}

function addEventDrafts(app: Hono, { platform }: ConsoleContext["world"], flows: Flows): void {
  const entries = lazy(listEntries);
  app.get("/api/flows/:id/events/:operation", async (context) => {
    const { id, operation } = context.req.param();
    const execution = flows.find(id);
    const appId = requestOf(execution)?.appId ?? "";
    const waits = await flows.withQuestions(execution, showFlow(execution, undefined).waits);
    const event = waits.find(({ operationId }) => operationId === operation)?.event;
    if (event === undefined) throw new WrongInputError(`Flow ${id} no longer waits for an event there.`, 409);
    const where = conditionsSchema.safeParse(event.where);
    if (!where.success) throw new WrongInputError(`Flow ${id} is about to ask for it. Try again.`, 409);
    const entry = entries().find(event.trigger);
    const [sample] = entry?.bodies.values() ?? [];
    if (entry === undefined || sample === undefined) {
      throw new WrongInputError(
        `${event.trigger} is derived from other events and cannot be sent. Send those events (docs/events.md).`,
        409,
      );
    }
    const region = findApp(platform.services.db, appId)?.region ?? "us";
    const fresh = renewBody(sample, { appId, region, nowMs: platform.clock.now() });
    return context.json({ entry: entry.id, ...fitEvent(fresh, where.data) } satisfies FlowEventDraft);
  });
}

const name = z.string().check(z.minLength(1), z.maxLength(200));
const startSchema = z.object({ flow: name, appId: name, input: z.unknown() });
const fireSchema = z.object({ operationId: z.optional(name) });
const cancelSchema = z.object({ reason: z.optional(z.string().check(z.maxLength(500))) });
const conditionsSchema = z.record(z.string(), z.unknown());
