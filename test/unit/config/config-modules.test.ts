import { describe, expect, expectTypeOf, it } from "vitest";
import type * as z from "zod/mini";
import { configSchemas } from "../../../build/config-schemas.ts";
import authToken from "../../../config/auth-token.yml";
import canary from "../../../config/canary.yml";
import escalate from "../../../config/escalate.yml";
import forward from "../../../config/forward.yml";
import moderation from "../../../config/moderation.yml";
import replies from "../../../config/replies.yml";
import requests from "../../../config/requests.yml";
import rotation from "../../../config/rotation.yml";
import users from "../../../config/users.yml";
import welcome from "../../../config/welcome.yml";
import type { EscalationRules } from "../../../lib/behaviours/escalation/escalation-rules.ts";
import type { ForwardRules } from "../../../lib/behaviours/forwarding/forward-rules.ts";
import type { ReplyRules } from "../../../lib/behaviours/replies/reply-rules.ts";
import type { WelcomeRules } from "../../../lib/behaviours/welcome/welcome-rules.ts";
import type { RequestRules } from "../../../lib/effects/http/allowed-hosts.ts";
import type { LoginSettings } from "../../../lib/endpoints/login/login-settings.ts";
import type { ModerationRules } from "../../../lib/endpoints/moderation-lists/moderation-rules.ts";
import type { CanarySettings } from "../../../lib/handle/canary/canary-settings.ts";
import type { RotationSettings } from "../../../lib/operate/rotation/rotation-settings.ts";
import type { declaredUsersSchema } from "../../../lib/operate/user-seeding/declared-users.ts";

const modules = {
  "auth-token.yml": authToken,
  "canary.yml": canary,
  "escalate.yml": escalate,
  "forward.yml": forward,
  "moderation.yml": moderation,
  "replies.yml": replies,
  "requests.yml": requests,
  "rotation.yml": rotation,
  "users.yml": users,
  "welcome.yml": welcome,
};

describe("a module of config/", () => {
  it.each(Object.entries(modules))("contains %s as parsed by its schema", (name, { default: content }) => {
    expect(configSchemas.get(name)?.parse(content)).toEqual(content);
  });

  it("has the type of its schema (checked by npm run types)", () => {
    expectTypeOf(authToken.default).toEqualTypeOf<LoginSettings>();
    expectTypeOf(canary.default).toEqualTypeOf<CanarySettings>();
    expectTypeOf(escalate.default).toEqualTypeOf<EscalationRules>();
    expectTypeOf(forward.default).toEqualTypeOf<ForwardRules>();
    expectTypeOf(moderation.default).toEqualTypeOf<ModerationRules>();
    expectTypeOf(replies.default).toEqualTypeOf<ReplyRules>();
    expectTypeOf(requests.default).toEqualTypeOf<RequestRules>();
    expectTypeOf(rotation.default).toEqualTypeOf<RotationSettings>();
    expectTypeOf(users.default).toEqualTypeOf<z.output<typeof declaredUsersSchema>>();
    expectTypeOf(welcome.default).toEqualTypeOf<WelcomeRules>();
    // No function reads the alarms.
    const read = [...configSchemas.keys()].filter((name) => !/^app\/|^alarms/.test(name));
    expect(read.toSorted()).toEqual(Object.keys(modules));
  });
});
