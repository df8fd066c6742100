export const sourceAlias: { find: RegExp; replacement: string }[];
