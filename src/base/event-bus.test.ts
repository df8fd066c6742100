import { expect, test } from "vitest";
import { createEventBus } from "./event-bus.ts";

test("an event reaches only the listeners of its id", () => {
  const bus = createEventBus<number>();
  const heard: string[] = [];
  const stop = bus.subscribe("a", (event) => heard.push(`a${event}`));
  bus.subscribe("b", (event) => heard.push(`b${event}`));
  bus.publish("a", 1);
  bus.publish("c", 2);
  stop();
  stop();
  bus.publish("a", 3);
  bus.publish("b", 4);
  expect(heard).toEqual(["a1", "b4"]);
  expect(bus.size).toBe(1);
});

test("a listener that throws does not keep the event from other listeners", () => {
  const bus = createEventBus<number>();
  const heard: number[] = [];
  bus.subscribe("__proto__", () => {
    throw new Error("mine");
  });
  bus.subscribe("__proto__", (event) => heard.push(event));
  expect(() => bus.publish("__proto__", 1)).toThrow("an event listener threw");
  expect(heard).toEqual([1]);
});
