import { importGroup, importUser } from "../../platform/chat/ensure-entities.ts";
import { buildMessage, recordStored } from "../../platform/chat/message-store.ts";
import { type AppServices, nowSeconds } from "../../platform/services/services.ts";
import { countMembers, putGroup, putMember } from "../../platform/store/groups.ts";
import { putMessage, type Recipient } from "../../platform/store/messages.ts";
import type { User } from "../../platform/store/users.ts";
import { sampleTexts } from "./sample-texts.ts";

const usersPerGroup = 20;
const usersPerStep = 100;
const messagesPerStep = 250;
const spanSeconds = 30 * 86_400;
const tags = ["load"];

export interface LoadStep {
  readonly users: number;
  readonly messages: number;
}

/**
 * Users, a group for every twenty, and messages over the last thirty days, as an import: no event fires. Each
 * step is one transaction of about ten milliseconds. Repeatable: users and groups are overwritten, messages
 * are added.
 */
export function* makeLoad(services: AppServices, wanted: LoadStep): Generator<LoadStep> {
  const { db } = services;
  const users: User[] = [];
  for (const count of stepsOf(wanted.users, usersPerStep)) {
    db.transaction(() => {
      for (let left = count; left > 0; left -= 1) users.push(makeUser(services, users.length));
    });
    yield { users: count, messages: 0 };
  }
  const groups = db.transaction(() => makeGroups(services, users));
  let index = 0;
  for (const count of stepsOf(wanted.messages, messagesPerStep)) {
    db.transaction(() => {
      for (let left = count; left > 0; left -= 1) {
        const age = Math.floor((spanSeconds * (wanted.messages - index)) / wanted.messages);
        makeMessage(services, { users, groups, index, sentAt: nowSeconds(services) - age });
        index += 1;
      }
    });
    yield { users: 0, messages: count };
  }
}

function stepsOf(all: number, perStep: number): readonly number[] {
  const steps = Array.from({ length: Math.ceil(all / perStep) }, (_, step) => all - step * perStep);
  return steps.map((left) => Math.min(left, perStep));
}

function makeUser(services: AppServices, index: number): User {
  const number = String(index + 1).padStart(4, "0");
  const [first, last] = [firstNames[index % firstNames.length], lastNames[index % lastNames.length]];
  return importUser(services, { uid: `load-${number}`, name: `${first} ${last} ${number}`, tags });
}

function makeGroups(services: AppServices, users: readonly User[]): Recipient[] {
  const groups: Recipient[] = [];
  for (let first = 0; first + 1 < users.length; first += usersPerGroup) {
    const number = String(groups.length + 1).padStart(3, "0");
    const members = users.slice(first, first + usersPerGroup);
    const named = { guid: `load-group-${number}`, name: `Load group ${number}`, type: "public" } as const;
    const made = importGroup(services, { ...named, owner: members[0]?.uid, tags });
    const { guid, createdAt: joinedAt } = made;
    for (const [index, { uid }] of members.entries()) {
      putMember(services, { guid, uid, scope: index === 0 ? "admin" : "participant", joinedAt });
    }
    const group = { ...made, membersCount: countMembers(services, guid) };
    putGroup(services, group);
    groups.push({ type: "group", group });
  }
  return groups;
}

// A third goes to groups, a third to one popular user, the rest to neighbours.
function makeMessage(
  services: AppServices,
  plan: { users: readonly User[]; groups: readonly Recipient[]; index: number; sentAt: number },
): void {
  const { users, groups, index, sentAt } = plan;
  const place = (index * 7) % users.length;
  const [sender, popular, neighbour] = [users[place], users[0], users[(place + 1) % users.length]];
  const group = groups[Math.floor(place / usersPerGroup)];
  if (sender === undefined || popular === undefined || neighbour === undefined) return;
  const user = index % 3 === 1 && sender !== popular ? popular : neighbour;
  const recipient = index % 3 === 0 && group !== undefined ? group : ({ type: "user", user } as const);
  const text = sampleTexts[index % sampleTexts.length];
  const draft = { sender, recipient, category: "message", type: "text", data: { text }, sentAt, tags };
  const message = buildMessage(services, draft);
  putMessage(services, message);
  recordStored(services, message);
}

const firstNames = [
  "Ada",
  "Béla",
  "Chidi",
  "Dalia",
  "Emre",
  "Fatima",
  "Göran",
  "Hana",
  "Ines",
  "Jun",
  "محمد",
];
const lastNames = [
  "Lovelace",
  "Bartók",
  "Okonkwo",
  "Haddad",
  "Yılmaz",
  "van der Berg-Hohenstein",
  "李",
  "Kowalska",
];
