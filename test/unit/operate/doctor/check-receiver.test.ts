import { expect, it } from "vitest";
import { unavailable } from "../../../../lib/base/http/respond.ts";
import { checkReceiver } from "../../../../lib/operate/doctor/check-credentials.ts";
import { createDoctorServices, doctorCredentials } from "../../../helpers/doctor-services.ts";

const credentials = { ...doctorCredentials, appId: "app1", webhookUsername: "hook" };
const check = (fetch: () => Promise<Response>) =>
  checkReceiver(credentials, { ...createDoctorServices(), fetch });

it.each([
  ["{}", "ok"],
  ["<html>Welcome</html>", "wrong"],
  ["", "wrong"],
  ["null", "wrong"],
  ['{"error":{"code":"GONE"}}', "wrong"],
])("accepts a 200 only with the receiver's answer: %j is %s", async (body, status) => {
  const found = await check(async () => new Response(body, { status: 200 }));

  expect(found.status).toBe(status);
});

it.each([
  [
    '{"message":"Service Unavailable"}',
    /did not run: it is throttled, or its time was up/,
    /^npx \S+ status/,
  ],
  ['{"error":{"code":"NOT_STORED"}}', /cannot take deliveries/, /^npx \S+ logs --app app1/],
])("distinguishes API Gateway's 503 from the receiver's: %s", async (body, says, remedy) => {
  const found = await check(async () => new Response(body, { status: 503 }));

  expect(found).toMatchObject({ says: expect.stringMatching(says), remedy: expect.stringMatching(remedy) });
});

it.each([
  [1, "ok"],
  [2, "wrong"],
])("reports a receiver as wrong after two refusals: after %i it is %s", async (refusals, status) => {
  let knocks = 0;
  const services = createDoctorServices();
  const startedAt = services.now();
  const fetch = async () => {
    knocks += 1;
    return new Response(knocks <= refusals ? unavailable.body : "{}", {
      status: knocks <= refusals ? 503 : 200,
    });
  };

  const found = await checkReceiver(credentials, { ...services, fetch });

  expect(found).toMatchObject({ status });
  expect(services.now() - startedAt).toBe(5_500);
});

it.each([
  [1, "ok"],
  [2, "wrong"],
])("reports a receiver as wrong after two missing answers: after %i it is %s", async (silent, status) => {
  let knocks = 0;
  const found = await check(async () => {
    knocks += 1;
    if (knocks <= silent) throw new DOMException("aborted", "TimeoutError");
    return new Response("{}", { status: 200 });
  });

  expect(found).toMatchObject({ status });
});
