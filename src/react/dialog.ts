"use client";
export { ElicitationDialog, type ElicitationDialogProps } from "./elicitation-dialog/ElicitationDialog.tsx";
