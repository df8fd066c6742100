import { KitError } from "../contract/kit-error.ts";

/** The limit for bodies from `service`, in MiB. */
export interface LengthLimit {
  service: string;
  mib: number;
  /** The bytes read so far. Passed if several responses share a limit. */
  read?: { bytes: number } | undefined;
}

/** Limits the body of a response, because its readers buffer it. Reading more fails. */
export function limitLength(
  response: Response,
  { service, mib, read = { bytes: 0 } }: LengthLimit,
): Response {
  if (response.body === null) return response;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      read.bytes += piece.byteLength;
      if (read.bytes > mib * 1024 * 1024) {
        throw new KitError(`elicit-kit: ${service} answered with more than ${mib} MiB.`);
      }
      controller.enqueue(piece);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}
