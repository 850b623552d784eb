import { expect } from "vitest";
import { newRole, type Sample, type World } from "../prepare.ts";
import { holding, pluck, type Rows, refused, sent, succeeded } from "../row.ts";

const denied = { permissions: { listUsers: "deny" } };
const scopeDenied = { permissions: { sendMessage: "deny" } };

const restricted = async (world: World): Promise<Sample> => {
  const sample = await newRole(world);
  await world.chat.restrictedFeatures.restrict("manager", { featuresToRestrict: ["u.listUsers"] });
  return sample;
};

/** Setting nothing answers what is set: no other operation shows values. */
const setValues = async (chat: World["chat"]) =>
  (await chat.rolePermissions.set("manager", { permissions: {} })).permissions;
const scopeValues = async (chat: World["chat"]) =>
  (await chat.scopePermissions.set("lobby", "participant", { permissions: {} })).permissions;

export const roleRows: Rows = {
  "create-role": {
    given: { input: { role: "manager", name: "Manager" } },
    answers: sent,
    leaves: [({ chat }) => pluck(chat.roles.list(), "role"), ["default", "manager"]],
  },
  "list-roles": {
    given: async (world) => {
      await newRole(world);
      return {};
    },
    answers: [{ role: "default" }, { role: "manager", name: "Manager" }],
  },
  "get-role": { given: newRole, answers: { role: "manager", name: "Manager" } },
  "update-role": {
    given: async (world) => ({ ...(await newRole(world)), input: { description: "leads" } }),
    answers: { role: "manager", name: "Manager", description: "leads" },
    leaves: [({ chat }) => chat.roles.get("manager"), { description: "leads" }],
  },
  "delete-role": {
    given: newRole,
    answers: { ...succeeded, message: expect.stringContaining("manager") },
    leaves: [({ chat }) => chat.roles.get("manager"), refused("ERR_ROLE_NOT_FOUND")],
  },
  "restrict-features": {
    given: async (world) => ({
      ...(await newRole(world)),
      input: { featuresToRestrict: ["u.listUsers"] },
    }),
    answers: { "u.listUsers": { ...succeeded, message: expect.stringContaining("u.listUsers") } },
    leaves: [({ chat }) => pluck(chat.restrictedFeatures.list("manager"), "key"), ["u.listUsers"]],
  },
  "get-restrictedfeatures": { given: restricted, answers: [{ key: "u.listUsers" }] },
  "allow-features": {
    given: async (world) => ({
      ...(await restricted(world)),
      input: { featuresToAllow: ["u.listUsers"] },
    }),
    answers: succeeded,
    leaves: [({ chat }) => pluck(chat.restrictedFeatures.list("manager"), "key"), []],
  },
  "list-role-permissions": {
    answers: holding({ id: "listUsers", type: "role", availableValues: ["allow", "deny"] }),
  },
  "set-role-permissions": {
    given: async (world) => ({ ...(await newRole(world)), input: denied }),
    answers: { ...denied, listUsers: succeeded },
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
    leaves: [async ({ chat }) => Object.keys((await setValues(chat)) ?? {}), ["listUsers"]],
  },
  "list-scope-permissions": {
    answers: holding({ id: "sendMessage", type: "scope", availableValues: ["allow", "deny"] }),
  },
  "set-scope-permissions": {
    given: { input: scopeDenied },
    answers: { ...scopeDenied, sendMessage: succeeded },
    leaves: [({ chat }) => scopeValues(chat), scopeDenied.permissions],
  },
  "unset-scope-permissions": {
    given: async ({ chat }) => {
      await chat.scopePermissions.set("lobby", "participant", {
        permissions: { ...scopeDenied.permissions, listMembers: "deny" },
      });
      return { path: { permission: "listMembers" } };
    },
    answers: scopeDenied,
    leaves: [async ({ chat }) => Object.keys((await scopeValues(chat)) ?? {}), ["sendMessage"]],
  },
};
