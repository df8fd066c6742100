/** Code that a page loads after its first cards. */
export { FormElicitation } from "../form-elicitation/FormElicitation.tsx";
export { Dock, WaitingLine } from "./dock.tsx";
