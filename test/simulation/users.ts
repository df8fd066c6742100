import type { AnswerResult, ElicitationRecord } from "../../src/runtime/internal.ts";
import type { Cluster, Member } from "./cluster.ts";
import { type Attempt, type Reference, answerTo } from "./reference.ts";
import type { World } from "./world.ts";

const ADA = { id: "ada" };
/** A client gives up an HTTP request after this time. */
const TIMEOUT_MS = 8000;
/** A request that a proxy sends again arrives at most this late. */
const LATEST_MS = 12_000;
const BOTH = { form: true, url: true };

/** Simulates users: they send messages, answer in every way, stop, and retry without a reply. */
export class Users {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #reference: Reference;
  /** The probability that a request arrives seconds later, alone or as a second copy. */
  readonly #late: number;
  #busy = 0;
  #attempts = 0;

  constructor(world: World, cluster: Cluster, reference: Reference) {
    this.#world = world;
    this.#cluster = cluster;
    this.#reference = reference;
    this.#late = world.random.pick([0, 0, 0.02, 0.2]);
    // The content of streams, without the streams.
    cluster.database.onRecord = (card) => void this.#answerCard(card);
  }

  /** Whether they have sent all their messages. */
  get haveSent(): boolean {
    return this.#busy === 0;
  }

  /** A conversation with this many messages. */
  async converse(conversationId: string, messages: number): Promise<void> {
    const { random } = this.#world;
    this.#busy += 1;
    for (let message = 0; message < messages; message += 1) {
      await this.#sleep(random.chance(0.5) ? random.between(0, 500) : random.between(0, 12_000));
      await this.#sendMessage(conversationId, message);
    }
    this.#busy -= 1;
    if (random.chance(0.1)) {
      await this.#sleep(random.between(0, 3000));
      await this.#stop(conversationId);
    }
  }

  async #sendMessage(conversationId: string, message: number): Promise<void> {
    this.#leave(conversationId);
    for (;;) {
      const sent = await this.#request(({ surface }) =>
        surface.start({
          user: ADA,
          conversationId,
          messages: [],
          supports: BOTH,
          startId: `${conversationId}/${message}`,
          keepMs: 3_600_000,
        }),
      );
      if (sent !== undefined && !("refused" in sent)) {
        this.#reference.turn(sent.id).isConfirmed = true;
        return;
      }
      await this.#sleep(200);
    }
  }

  async #stop(conversationId: string): Promise<void> {
    this.#leave(conversationId);
    await this.#request(async (member) => {
      const turn = await member.surface.find(ADA, { conversationId });
      if (this.#world.random.chance(0.3)) this.#killSoon(member);
      await turn?.stop("The user has stopped it.");
    });
  }

  /** The process may have told the database only a part of what it does now. */
  #killSoon(member: Member): void {
    this.#world.after(this.#world.random.between(0, 50), () => {
      if (!member.process.isDead) this.#cluster.kill(member);
    });
  }

  /** The user no longer wants the running turn of the conversation. */
  #leave(conversationId: string): void {
    for (const { turn } of this.#cluster.database.turns.values()) {
      if (turn.conversationId === conversationId) this.#reference.turn(turn.turnId).isStopped = true;
    }
  }

  async #answerCard(card: ElicitationRecord): Promise<void> {
    const { random } = this.#world;
    const { expiresAt } = card;
    await this.#sleep(random.between(0, 400));
    const isShort = expiresAt - this.#world.now < 60_000;
    if (random.chance(0.3))
      await this.#sleep(random.between(0, isShort ? 2 * (expiresAt - this.#world.now) : 9000));
    if (random.chance(0.1)) void this.#send(card, "eve", "accept");
    if (card.request.mode === "url") await this.#visit(card);
    else if (random.chance(0.12)) await this.#send(card, ADA.id, random.pick(["decline", "cancel"]));
    else if (!isShort || random.chance(0.7)) {
      if (random.chance(0.15)) void this.#send(card, ADA.id, random.pick(["accept", "decline"]));
      await this.#send(card, ADA.id, "accept");
    }
  }

  /** Opens the page of a request, and finishes there. */
  async #visit(card: ElicitationRecord): Promise<void> {
    const { random } = this.#world;
    const { elicitationId } = card.request;
    if (random.chance(0.5)) void this.#send(card, ADA.id, random.pick(["accept", "accept", "decline"]));
    await this.#sleep(random.between(0, 1000));
    if (random.chance(0.2))
      await this.#request(({ runtime }) => runtime.elicitations.fail(elicitationId, "no"));
    if (random.chance(0.1)) await this.#until(({ runtime }) => runtime.elicitations.decline(elicitationId));
    const store = ({ process }: Member) => process.call(() => {});
    await this.#until((member) => member.runtime.elicitations.complete(elicitationId, () => store(member)));
  }

  /** Sends one answer until there is a reply. */
  async #send(
    card: ElicitationRecord,
    userId: string,
    action: "accept" | "decline" | "cancel",
  ): Promise<void> {
    const { conversationId, request } = card;
    const { elicitationId, message, mode } = request;
    this.#attempts += 1;
    const text = action === "accept" ? answerTo(elicitationId, message, this.#attempts) : action;
    const attempt: Attempt = { elicitationId, userId, text };
    const content = action === "accept" && mode === "form" ? { answer: text } : undefined;
    if (content !== undefined) this.#reference.attempts(attempt);
    const result = await this.#until<AnswerResult>(({ runtime }) =>
      runtime.elicitations.answer({ elicitationId, conversationId, action, content }, userId),
    );
    if (mode === "form") this.#reference.replied(attempt, result);
  }

  async #until<Result>(work: (member: Member) => Promise<Result>): Promise<Result> {
    for (;;) {
      const result = await this.#request(work);
      if (result !== undefined) return result;
      await this.#sleep(100);
    }
  }

  /** Sends an HTTP request to one of the processes. `undefined`: there was no reply, or an error. */
  #request<Result>(work: (member: Member) => Promise<Result>): Promise<Result | undefined> {
    const { members } = this.#cluster;
    if (members.length === 0) return this.#sleep(100).then(() => undefined);
    const member = this.#world.random.pick(members);
    return new Promise((resolve) => {
      const cancel = this.#world.after(TIMEOUT_MS, () => resolve(undefined));
      const reply = (result: Result | undefined) => {
        // A process that is gone or frozen sends nothing.
        member.process.deliver(() => {
          cancel();
          resolve(result);
        });
      };
      const arrive = () =>
        member.process.deliver(() => void work(member).then(reply, () => reply(undefined)));
      const isLate = this.#world.random.chance(this.#late);
      if (!isLate || this.#world.random.chance(0.5)) arrive();
      if (isLate) this.#world.after(this.#world.random.between(0, LATEST_MS), arrive);
    });
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#world.after(ms, resolve));
  }
}
