// Lets a process load the kit from source by its public names, as the tests do.
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { sourceAlias } from "../../../tools/source-alias.mjs";

registerHooks({
  resolve(specifier, context, next) {
    const alias = sourceAlias.find(({ find }) => find.test(specifier));
    if (alias === undefined) return next(specifier, context);
    return next(pathToFileURL(specifier.replace(alias.find, alias.replacement)).href, context);
  },
});
