import type { Cluster, Member } from "./cluster.ts";
import type { Scope } from "./scope.ts";
import type { World } from "./world.ts";

/** What goes wrong in a history. */
export type Fault = "kill" | "freeze" | "cut" | "lose lock" | "deploy";

/** A process that is cut off for longer gives up what it was doing. */
const LONGEST_CUT_MS = 10_000;

/** Draws faults and plans them. Returns when the last one is over, in milliseconds. */
export function planFaults(
  world: World,
  cluster: Cluster,
  { losses, deploys, cuts }: Scope,
  /** Whether faults may be made now. */
  mayBegin: () => boolean,
  onFault: (fault: Fault, member: Member) => void,
): number {
  const { random } = world;
  const count = random.pick([0, 1, 1, 2, 2, 3, 4]);
  let end = 0;
  let kills = 0;
  let lost = 0;
  for (let index = 0; index < count; index += 1) {
    let fault = random.pick<Fault>(["kill", "kill", "freeze", "cut", "lose lock", "deploy"]);
    if (fault === "kill") kills += 1;
    // A turn is ended after three deaths. No turn of a history without deadly ones has as many.
    if (kills > 2) fault = "lose lock";
    if (fault === "deploy" && !deploys) fault = "cut";
    if ((fault === "cut" || fault === "lose lock") && !cuts) fault = "kill";
    if (fault !== "freeze") lost += 1;
    if (lost > losses) fault = "freeze";
    const at = random.chance(0.5) ? random.between(0, 300) : random.between(0, 8000);
    const forMs = random.chance(0.5) ? random.between(0, 500) : random.between(0, LONGEST_CUT_MS);
    const freesAfterMs = random.chance(0.5) ? 0 : random.between(0, LONGEST_CUT_MS);
    end = Math.max(end, at + forMs);
    const make = () => {
      const { members } = cluster;
      if (members.length === 0) return;
      if (!mayBegin()) {
        world.after(50, make);
        return;
      }
      const member = random.pick(members);
      onFault(fault, member);
      if (fault === "kill") cluster.kill(member);
      else if (fault === "cut") cluster.cut(member, { forMs, freesAfterMs });
      else if (fault === "lose lock") cluster.loseLock(member, forMs);
      else if (fault === "freeze") {
        member.process.freeze();
        world.after(forMs, () => member.process.thaw());
      } else {
        cluster.version = 2;
        cluster.retire(member);
      }
    };
    world.after(at, make);
  }
  return end;
}
