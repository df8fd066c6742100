/** Answers a request to one of the other packages' servers. Returns `undefined` for any other request. */
export function peers(request: Request): Promise<Response> | undefined;
