import { RequestError } from "@agentclientprotocol/sdk";

/**
 * Waits until a notification is sent. A disconnected client is no failure of the agent, so this throws an error of the
 * protocol, which is not logged.
 */
export async function reached(sent: Promise<void>): Promise<void> {
  try {
    await sent;
  } catch {
    throw RequestError.internalError({ reason: "The client could not be reached." });
  }
}
