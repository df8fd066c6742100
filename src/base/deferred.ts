/** A promise that is settled from outside, once. Its rejection need not be handled. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

export function createDeferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, "resolve" | "reject"> = { resolve() {}, reject() {} };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {});
  return { promise, ...settle };
}
