import type { PeerChat } from "./peer.d.ts";

export const CopilotTool: PeerChat;
export const CopilotInterrupt: PeerChat;
