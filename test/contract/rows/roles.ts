import { expect } from "vitest";
import { after, newRole, role, type Sample, type World, withInput } from "../prepare.ts";
import { holding, idsOf, kept, pluck, type Rows, succeeded } from "../row.ts";

const denied = { permissions: { sendMessage: "deny" } };

const restricted = async (world: World): Promise<Sample> => {
  const sample = await newRole(world);
  await world.chat.restrictedFeatures.restrict("manager", { featuresToRestrict: ["u.listUsers"] });
  return sample;
};

/** Setting nothing returns the current values: no other operation shows them. */
const setValues = async (chat: World["chat"]) =>
  (await chat.rolePermissions.set("manager", { permissions: {} })).permissions;
const scopeValues = async (chat: World["chat"]) =>
  (await chat.scopePermissions.set("lobby", "participant", { permissions: {} })).permissions;

export const roleRows: Rows = {
  ...kept({
    ids: idsOf("role"),
    list: ({ chat }) => chat.roles.list(),
    make: newRole,
    builtIn: [{ role: "default" }],
    shown: role,
    change: { description: "leads" },
    deleted: { ...succeeded, message: expect.stringContaining("manager") },
  }),
  "restrict-features": {
    given: withInput(newRole, { featuresToRestrict: ["u.listUsers"] }),
    answers: { "u.listUsers": { ...succeeded, message: expect.stringContaining("u.listUsers") } },
    leaves: [({ chat }) => pluck(chat.restrictedFeatures.list("manager"), "key"), ["u.listUsers"]],
  },
  "get-restrictedfeatures": { given: restricted, answers: [{ key: "u.listUsers" }] },
  "allow-features": {
    given: withInput(restricted, { featuresToAllow: ["u.listUsers"] }),
    answers: succeeded,
    leaves: [({ chat }) => pluck(chat.restrictedFeatures.list("manager"), "key"), []],
  },
  "list-role-permissions": {
    answers: holding({ id: "listUsers", type: "role", availableValues: ["allow", "deny"] }),
  },
  "set-role-permissions": {
    given: withInput(newRole, denied),
    answers: { ...denied, sendMessage: succeeded },
    leaves: [({ chat }) => setValues(chat), denied.permissions],
  },
  "unset-role-permissions": {
    given: async (world) => {
      await newRole(world);
      await world.chat.rolePermissions.set("manager", {
        permissions: { ...denied.permissions, listGroups: "deny" },
      });
      return { path: { role: "manager", permission: "listGroups" } };
    },
    answers: denied,
    leaves: [async ({ chat }) => Object.keys((await setValues(chat)) ?? {}), ["sendMessage"]],
  },
  "list-scope-permissions": {
    answers: holding({ id: "sendMessage", type: "scope", availableValues: ["allow", "deny"] }),
  },
  "set-scope-permissions": {
    given: { input: denied },
    answers: { ...denied, sendMessage: succeeded },
    leaves: [({ chat }) => scopeValues(chat), denied.permissions],
  },
  "unset-scope-permissions": {
    given: after(
      ({ chat }) =>
        chat.scopePermissions.set("lobby", "participant", {
          permissions: { ...denied.permissions, listMembers: "deny" },
        }),
      { path: { permission: "listMembers" } },
    ),
    answers: denied,
    leaves: [async ({ chat }) => Object.keys((await scopeValues(chat)) ?? {}), ["sendMessage"]],
  },
};
