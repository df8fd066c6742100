export function programOf(root: string, name: string): string;
