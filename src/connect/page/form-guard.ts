/** The largest body of a form of this page. */
export const MAX_FORM_BYTES = 4096;

/**
 * Whether a form was submitted from a page of this origin. `Origin` is not enough: under `Referrer-Policy: no-referrer`,
 * browsers send `null` for a page's own forms.
 */
export function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site === null ? request.headers.get("origin") === origin : site === "same-origin";
}
