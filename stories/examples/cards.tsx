export { Elicitations as default } from "elicit-kit";
