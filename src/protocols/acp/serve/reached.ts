import { RequestError } from "@agentclientprotocol/sdk";

/**
 * Waits until a notification has left. A client that is gone is no failure of the agent, so the error is one of the
 * protocol, which is not logged.
 */
export async function reached(sent: Promise<void>): Promise<void> {
  try {
    await sent;
  } catch {
    throw RequestError.internalError({ reason: "The client could not be reached." });
  }
}
