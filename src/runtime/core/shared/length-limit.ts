/** Limits the body of a response from `service` to `mib` MiB, because its readers buffer it. Reading more fails. */
import { KitError } from "../../../protocol/kit-error.ts";
export function limitLength(
  response: Response,
  { service, mib }: { service: string; mib: number },
): Response {
  if (response.body === null) return response;
  let left = mib * 1024 * 1024;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      left -= piece.byteLength;
      if (left < 0) throw new KitError(`elicit-kit: ${service} answered with more than ${mib} MiB.`);
      controller.enqueue(piece);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}
