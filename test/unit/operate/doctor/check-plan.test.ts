import { expect, it } from "vitest";
import { checkPlan } from "../../../../lib/operate/doctor/check-credentials.ts";
import type { DoctorServices } from "../../../../lib/operate/doctor/doctor-services.ts";
import { createDoctorServices, doctorCredentials } from "../../../helpers/doctor-services.ts";

it.each([
  ["ERR_FEATURE_NOT_ACCESSIBLE", 403, 1],
  ["AUTH_ERR_NO_ACCESS", 403, 0],
  ["ERR_EXCEPTION", 500, 0],
])("reports only a refused feature: %s", async (code, status, count) => {
  const fetch: DoctorServices["fetch"] = async () =>
    Response.json({ error: { code, message: "no" } }, { status });

  const found = await checkPlan(doctorCredentials, { ...createDoctorServices(), fetch });

  expect(found).toEqual(
    Array.from({ length: count }, () => ({
      status: "unknown",
      says: expect.stringContaining(`403 ${code}`),
      remedy: expect.stringMatching(/plan.*`reasons: \[\]`/),
    })),
  );
});
