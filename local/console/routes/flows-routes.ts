import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { lazy } from "../../../lib/base/lazy.ts";
import type { FlowRequest } from "../../../lib/effects/flow-request.ts";
import { conditionsText } from "../../../lib/effects/outcomes.ts";
import { openFlowOperator } from "../../../lib/flows/operate-flows.ts";
import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { LocalStack } from "../../stack/local-stack.ts";
import type { FlowCancelled, FlowDetail, FlowEventDraft, FlowKinds } from "../api/flows.ts";
import { appOf } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { fitEvent } from "../flows/event-for-wait.ts";
import { findValue } from "../flows/flow-values.ts";
import { flowFilterSchema, listFlows, requestOf, restartOf, showFlow } from "../flows/show-flow.ts";
import type { ConsoleOperator } from "../operate.ts";
import { must, readFilters, readInput, WrongInputError } from "../read-input.ts";
import { listEntries } from "../try/list-entries.ts";
import { renewBody } from "../try/send-text.ts";
import { findStack } from "./log-routes.ts";

export function addFlowsRoutes({ on, localStack, operator, lines }: ConsoleContext): void {
  const { durable, serviceFolder } = localStack.cloud;
  const actions = createFlowActions(localStack, operator);
  const redact = (text: string) => localStack.platform.services.redactor.text(text);
  const path = "/api/flows/:id";
  const own = () => durable.peek().filter(({ functionName }) => functionName === actions.functionName);
  const find = (id: string): StoredExecution => {
    const message = `There is no flow ${id}. The newest 1,000 ended flows are kept for 14 days, until a reset.`;
    return must(
      own().find(({ name }) => name === id),
      message,
    );
  };
  const show = async (execution: StoredExecution): Promise<FlowDetail> => {
    const detail = showFlow(execution, findStack(lines.all, "flowId", execution.name), redact);
    const restartedAs = restartOf(execution, own());
    return { ...detail, restartedAs, waits: await withQuestions(execution, detail.waits, actions) };
  };

  addEventDrafts({ on, localStack }, find, show);
  on.get("/api/flows", (context) => listFlows(own(), readFilters(context, flowFilterSchema)));
  on.get(path, async (context) => await show(find(context.req.param("id"))));
  on.get(`${path}/values/:value`, (context) => {
    const { id, value } = context.req.param();
    const found = must(findValue(find(id), value), `Flow ${id} has no value "${value}".`);
    return context.body(redact(found), 200, { "content-type": "application/json; charset=utf-8" });
  });
  on.post(`${path}/fire`, async (context) => {
    const { operationId } = await readInput(context, fireSchema);
    const { arn, name } = find(context.req.param("id"));
    if (!durable.hasten(arn, operationId))
      throw new WrongInputError(`Flow ${name} no longer waits for that.`, 409);
    return {};
  });
  on.post(`${path}/cancel`, async (context) => {
    const { reason = "" } = await readInput(context, cancelSchema);
    const { name } = find(context.req.param("id"));
    const why = reason.trim() === "" ? undefined : `Cancelled by hand: ${reason.trim()}`;
    return { outcome: await actions.operator().cancel(name, why) } satisfies FlowCancelled;
  });
  on.get("/api/flow-kinds", async () => {
    const { kinds } = await readFlowKinds(serviceFolder);
    return { kinds } satisfies FlowKinds;
  });
  on.post("/api/flows", async (context) => {
    const { flow, input, ...asked } = await readInput(context, startSchema);
    const { appId, region } = appOf(localStack, asked.appId);
    const { kinds, misfit } = await readFlowKinds(serviceFolder, { flow, input });
    const kind = kinds.find(({ name }) => name === flow);
    const { waitsFor } = must(kind, `There is no flow "${flow}" in functions/own/flows.ts.`);
    if (misfit !== undefined) throw new WrongInputError(`The input of flow "${flow}" is invalid: ${misfit}`);
    return await actions.start({ flow, appId, region, input, waitsFor });
  });
}

function addEventDrafts(
  { on, localStack }: Pick<ConsoleContext, "on" | "localStack">,
  find: (id: string) => StoredExecution,
  show: (execution: StoredExecution) => Promise<FlowDetail>,
) {
  const entries = lazy(listEntries);
  on.get("/api/flows/:id/events/:operation", async (context) => {
    const { id, operation } = context.req.param();
    const execution = find(id);
    const wait = (await show(execution)).waits.find(({ operationId }) => operationId === operation);
    const { trigger, where } = must(wait?.event, `Flow ${id} no longer waits for an event there.`, 409);
    if (!isRecord(where)) throw new WrongInputError(`Flow ${id} is about to ask for it. Try again.`, 409);
    const derived = `${trigger} is derived from other events and cannot be sent. Send those events (docs/events.md).`;
    const entry = must(entries().find(trigger), derived, 409);
    const [sample = {}] = entry.bodies.values();
    const { appId, region } = appOf(localStack, requestOf(execution)?.appId ?? "");
    const fresh = renewBody(sample, { appId, region, nowMs: localStack.platform.clock.now() });
    return { entry: entry.id, ...fitEvent(fresh, where) } satisfies FlowEventDraft;
  });
}

async function withQuestions(
  execution: StoredExecution,
  waits: FlowDetail["waits"],
  { openWaits }: ReturnType<typeof createFlowActions>,
): Promise<FlowDetail["waits"]> {
  if (!waits.some(({ event }) => event !== undefined)) return waits;
  const open = await openWaits(execution.name).catch(() => []);
  return waits.map((wait) => {
    const { CallbackDetails } = execution.operations.find(({ Id }) => Id === wait.operationId) ?? {};
    const question = open.find(({ callbackId }) => callbackId === CallbackDetails?.CallbackId);
    if (wait.event === undefined || question === undefined) return wait;
    const { where } = question;
    const conditions = isRecord(where) ? conditionsText(where) : "";
    return { ...wait, event: { ...wait.event, where, conditions } };
  });
}

const name = z.string().check(z.minLength(1), z.maxLength(200));
const startSchema = z.object({ flow: name, appId: name, input: z.unknown() });
const fireSchema = z.object({ operationId: z.optional(name) });
const cancelSchema = z.object({ reason: z.optional(z.string().check(z.maxLength(500))) });

const describedSchema = z.object({
  kinds: z.array(z.object({ name: z.string(), waitsFor: z.array(z.string()), input: z.unknown() })),
  misfit: z.optional(z.string()),
});

type DescribedFlows = z.infer<typeof describedSchema>;

const timeoutMs = 60_000;

async function readFlowKinds(
  folder: string,
  start?: { readonly flow: string; readonly input: unknown },
): Promise<DescribedFlows> {
  const file = fileURLToPath(new URL("../flows/describe-flows.mjs", import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "pipe"], timeout: timeoutMs });
  child.stdin.on("error", () => {}); // the process did not start
  child.stdin.end(JSON.stringify({ folder, ...start }));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const described = describedSchema.safeParse(parseJson(output));
  if (described.success) return described.data;
  const mistake =
    errors.trim().split("\n").slice(0, 12).join("\n") || `There was no answer within ${timeoutMs / 1000} s.`;
  throw new WrongInputError(`The flows in functions/own/flows.ts cannot be read: ${mistake}`, 409);
}

/** Methods throw AwsCallError. */
export function createFlowActions({ cloud }: LocalStack, { services, tableOf }: ConsoleOperator) {
  const functionName = cloud.functionNames.flows ?? "";
  const { callAws, now } = services;
  const connect = lazy(() => openFlowOperator(tableOf("FlowsTable", "flow"), { callAws, functionName }, now));
  return {
    functionName,
    operator: () => connect().operator,
    start: (request: Omit<FlowRequest, "since">) =>
      connect().starter.start({ ...request, since: now() }, `by hand ${randomUUID()}`),
    openWaits: async (flowId: string) => connect().questions.ofFlow(flowId),
  };
}
