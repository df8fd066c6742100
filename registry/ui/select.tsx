import { type ComponentProps, createContext, type ReactNode, useContext } from "react";

interface Chosen {
  readonly value: string;
  readonly onPick: (value: string) => void;
}

const SelectContext = createContext<Chosen>({ value: "", onPick: () => undefined });

/** These replace the app's `ui/select`: a list of buttons that is always visible. */
export function Select({
  value,
  onValueChange,
  onOpenChange,
  children,
}: {
  value: string;
  required: boolean;
  onValueChange: (value: string) => void;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  function onPick(picked: string): void {
    onValueChange(picked);
    onOpenChange(false);
  }
  return <SelectContext.Provider value={{ value, onPick }}>{children}</SelectContext.Provider>;
}

export function SelectTrigger(props: ComponentProps<"output">) {
  return <output data-slot="select-trigger" {...props} />;
}

export function SelectValue({ placeholder, children }: { placeholder: ReactNode; children: ReactNode }) {
  const { value } = useContext(SelectContext);
  return <span data-slot="select-value">{value === "" ? placeholder : children}</span>;
}

export function SelectContent(props: ComponentProps<"div">) {
  return <div data-slot="select-content" {...props} />;
}

export function SelectItem({ value, ...props }: ComponentProps<"button"> & { value: string }) {
  const { onPick } = useContext(SelectContext);
  return <button {...props} data-slot="select-item" type="button" onClick={() => onPick(value)} />;
}
