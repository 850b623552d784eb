import { setImmediate } from "node:timers/promises";
import { importGroup, importUser } from "../../platform/chat/ensure-entities.ts";
import { buildMessage, recordStored } from "../../platform/chat/message-store.ts";
import { type AppServices, nowSeconds, servicesOf } from "../../platform/services/services.ts";
import type { App } from "../../platform/store/apps.ts";
import { countMembers, putGroup, putMember } from "../../platform/store/groups.ts";
import type { Recipient } from "../../platform/store/messages.ts";
import type { User } from "../../platform/store/users.ts";
import type { LocalStack } from "../../stack/local-stack.ts";
import type { LoadState } from "../api/stack.ts";

export class LoadMaker {
  readonly #services: LocalStack["platform"]["services"];
  #state: LoadState = { ...idle, wanted: idle.made };

  constructor({ platform }: Pick<LocalStack, "platform">) {
    this.#services = platform.services;
    platform.subscribe((record) => {
      if (record.type === "state") this.stop("The local stack was reset or restored.");
    });
  }

  get state(): LoadState {
    return this.#state;
  }

  start(app: App, wanted: LoadStep): void {
    this.#state = { ...idle, wanted, isRunning: true };
    void this.#run(app, wanted);
  }

  /** Ends after the current step, and keeps what was created. */
  stop(error: string): void {
    if (this.#state.isRunning) this.#state = { ...this.#state, isRunning: false, error };
  }

  async #run(app: App, wanted: LoadStep) {
    const began = performance.now();
    try {
      for (const { users, messages } of makeLoad(servicesOf(this.#services, app), wanted)) {
        const before = this.#state.made;
        const made = { users: before.users + users, messages: before.messages + messages };
        this.#state = { ...this.#state, made, tookMs: Math.round(performance.now() - began) };
        await setImmediate();
        const isMine = this.#state.wanted === wanted && this.#state.isRunning;
        if (!isMine || !this.#services.db.isOpen) return;
      }
      this.#state = { ...this.#state, isRunning: false };
    } catch (error) {
      this.stop(error instanceof Error ? error.message : String(error));
    }
  }
}

const idle = { isRunning: false, made: { users: 0, messages: 0 }, tookMs: 0, error: undefined };

const usersPerGroup = 20;
const usersPerStep = 100;
const messagesPerStep = 250;
const spanSeconds = 30 * 86_400;
const tags = ["load"];

interface LoadStep {
  readonly users: number;
  readonly messages: number;
}

/** Creates data as an import: without events, in transactions of about ten milliseconds. Repeatable. */
function* makeLoad(services: AppServices, wanted: LoadStep): Generator<LoadStep> {
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

// Sends a third to groups, a third to one popular user, the rest to neighbours.
function makeMessage(
  services: AppServices,
  plan: { users: readonly User[]; groups: readonly Recipient[]; index: number; sentAt: number },
) {
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

const sampleTexts: readonly string[] = [
  "Good morning! Is anybody there?",
  "Yes 👋",
  "I'd like to change the address of my order, it still shows the old one.",
  "Sure, one moment please.",
  "¿Podrías enviarme la factura de marzo?",
  "Natürlich, sie ist unterwegs.",
  "مرحبا، هل يمكنك مساعدتي في هذا الطلب من فضلك؟",
  "お世話になっております。配送状況を確認していただけますか。",
  "👍🏽",
  "Here is the link: https://example.com/orders/12345?from=chat",
  "First line\nsecond line\n\nand a third one after a gap",
  "Спасибо, всё работает!",
  "תודה רבה, אחכה לתשובה",
  "That's odd. It worked yesterday, and nothing has changed since then as far as I can tell. "
    .repeat(6)
    .trim(),
  "🎉🎉🎉",
  "See you at 5 🕔, same place?",
];
