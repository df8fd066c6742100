import type { Cluster, Member } from "./cluster.ts";
import type { World } from "./world.ts";

/** A fault in a history. */
export type Fault = "kill" | "hunt" | "freeze" | "cut" | "lose lock" | "deploy" | "refuse";

/** A process that is cut off for longer gives up its work. */
const LONGEST_CUT_MS = 10_000;

/** Draws faults and schedules them. Returns when the last one ends, in milliseconds. */
export function planFaults(
  world: World,
  cluster: Cluster,
  onFault: (fault: Fault, member: Member) => void,
): number {
  const { random } = world;
  const count = random.pick([0, 1, 1, 2, 2, 3, 5]);
  const withinMs = random.pick([300, 8000, 8000, 30_000]);
  let end = 0;
  for (let index = 0; index < count; index += 1) {
    const fault = random.pick<Fault>([
      "kill",
      "kill",
      "kill",
      "freeze",
      "freeze",
      "cut",
      "cut",
      "lose lock",
      "refuse",
      "refuse",
      "deploy",
      "hunt",
    ]);
    const at = random.between(0, random.chance(0.2) ? 300 : withinMs);
    const forMs = random.chance(0.5) ? random.between(0, 500) : random.between(0, LONGEST_CUT_MS);
    const freesAfterMs = random.chance(0.5) ? 0 : random.between(0, LONGEST_CUT_MS);
    end = Math.max(end, at + forMs);
    const make = () => {
      const { members } = cluster;
      if (members.length === 0) return;
      const member = random.pick(members);
      onFault(fault, member);
      if (fault === "kill") cluster.kill(member);
      else if (fault === "hunt") cluster.hunts = 5;
      else if (fault === "cut") cluster.cut(member, { forMs, freesAfterMs });
      else if (fault === "refuse") {
        member.process.refused = random.pick([0.1, 0.5, 1]);
        world.after(forMs, () => {
          member.process.refused = 0;
        });
      } else if (fault === "lose lock") cluster.loseLock(member, forMs);
      else if (fault === "freeze") cluster.freeze(member, forMs);
      else {
        cluster.version = 2;
        cluster.retire(member);
      }
    };
    world.after(at, make);
  }
  return end;
}
