/** The looks in which the tests render a state again: `State.extend(dark)`. */
export const dark = { globals: { theme: "dark" } };
export const rtl = { globals: { language: "ar" } };
/** The width of the smallest phone. */
export const narrow = { globals: { width: "320" } };
