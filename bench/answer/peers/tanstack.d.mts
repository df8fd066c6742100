import type { PeerChat } from "./peer.d.ts";

export const TanStack: PeerChat;
