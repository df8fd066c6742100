/** Reports each method call of `target`, and its result. */
export function told<Target extends object>(target: Target, tell: (words: string) => void): Target {
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        tell(`${String(key)} ${args.map(textOf).join(", ")} → ${textOf(result)}`);
        return result;
      };
    },
  });
}

const LONGEST = 300;

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
