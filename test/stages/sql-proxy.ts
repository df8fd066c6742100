import { type Socket, connect, createServer } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "./listen.ts";

/** A proxy in front of PostgreSQL, to test failing connections. */
export interface SqlProxy {
  readonly url: string;
  /** Cuts all connections and accepts no new ones, until `open`. */
  cut(): void;
  open(): void;
  /** Keeps connections open but forwards nothing, like a network that lost its route. */
  freeze(): void;
  /** Drops notifications, as a pooler in transaction mode does. */
  dropNotifications(): void;
  /** Cuts the connection of the next matching statement, after the server has run it, and before its reply. */
  loseReplyTo(statement: RegExp): void;
  /**
   * Holds the reply to the next matching statement. Resolves with a function that releases it when the server has run the
   * statement.
   */
  holdReplyTo(statement: RegExp): Promise<() => void>;
  /** Holds the next matching statement, and everything that its connection sends after it. Resolves when there is one. */
  holdNext(statement: RegExp): Promise<void>;
  /** Forwards the data that {@link holdNext} has kept. */
  passHeld(): void;
  /** Connects new connections to another server. */
  leadTo(target: string): void;
}

const NOTIFICATION = "A".charCodeAt(0);

export async function createSqlProxy(target: string): Promise<SqlProxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isFrozen = false;
  let dropsNotifications = false;
  let lost: RegExp | undefined;
  let heldReply: { readonly statement: RegExp; readonly resolve: (pass: () => void) => void } | undefined;
  let hold: { readonly statement: RegExp; readonly resolve: () => void } | undefined;
  let passHeld = () => {};

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let losesReply = false;
    let heldData: Buffer[] | undefined;
    let onReply: ((pass: () => void) => void) | undefined;
    let kept: Buffer[] | undefined;
    let rest = Buffer.alloc(0);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    if (isCut) client.destroy();
    client.on("data", (data) => {
      if (hold?.statement.test(data.toString("latin1")) === true) {
        hold.resolve();
        hold = undefined;
        const held: Buffer[] = [];
        heldData = held;
        passHeld = () => {
          heldData = undefined;
          upstream.write(Buffer.concat(held));
        };
      }
      heldData?.push(data);
      if (isFrozen || heldData !== undefined) return;
      if (heldReply?.statement.test(data.toString("latin1")) === true) {
        onReply = heldReply.resolve;
        heldReply = undefined;
      }
      if (lost?.test(data.toString("latin1")) === true) {
        lost = undefined;
        losesReply = true;
      }
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (isFrozen) return;
      if (losesReply) {
        client.destroy();
        return;
      }
      if (onReply !== undefined) {
        const held: Buffer[] = [];
        kept = held;
        onReply(() => {
          kept = undefined;
          client.write(Buffer.concat(held));
        });
        onReply = undefined;
      }
      if (kept !== undefined) {
        kept.push(data);
        return;
      }
      if (!dropsNotifications) {
        client.write(data);
        return;
      }
      rest = Buffer.concat([rest, data]);
      for (let length = lengthOf(rest); length !== undefined; length = lengthOf(rest)) {
        if (rest[0] !== NOTIFICATION) client.write(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    });
  });
  const own = await listen(server);
  function cutAll(): void {
    for (const socket of sockets) socket.destroy();
  }
  onTestFinished(() => {
    cutAll();
    return own.close();
  });
  return {
    url: Object.assign(new URL(target), { port: `${own.port}` }).href,
    cut() {
      isCut = true;
      cutAll();
    },
    open() {
      isCut = false;
      isFrozen = false;
    },
    freeze() {
      isFrozen = true;
    },
    dropNotifications() {
      dropsNotifications = true;
    },
    loseReplyTo(statement) {
      lost = statement;
    },
    holdReplyTo: (statement) => new Promise((resolve) => void (heldReply = { statement, resolve })),
    passHeld: () => passHeld(),
    leadTo(other) {
      ({ hostname, port } = new URL(other));
    },
    holdNext: (statement) => new Promise((resolve) => void (hold = { statement, resolve })),
  };
}

/** The length of the first message, if it is complete. */
function lengthOf(data: Buffer): number | undefined {
  if (data.length < 5) return undefined;
  const length = data.readUInt32BE(1) + 1;
  return data.length < length ? undefined : length;
}
