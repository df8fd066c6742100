"use client";
/**
 * `elicit-kit/dialog`: shows the card in a modal dialog.
 * Needs `@radix-ui/react-dialog`: `npm install @radix-ui/react-dialog`.
 */
export { ElicitationDialog, type ElicitationDialogProps } from "./elicitation-dialog/ElicitationDialog.tsx";
