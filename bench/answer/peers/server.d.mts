/** Answers what one of the peers serves; `undefined` for everything else. */
export function peers(request: Request): Promise<Response> | undefined;
