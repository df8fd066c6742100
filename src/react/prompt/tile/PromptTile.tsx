"use client";
import { type ForwardedRef, forwardRef, type ReactNode, useCallback, useState } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { icon } from "../icon.tsx";

/** Of the whole `data:` URL, in characters: 8 KiB in Base64, and what stands before them. */
const LONGEST_ICON = 11_200;

/**
 * The icon of the service that is connected. Without one that can be shown: its first letter, or a sign for the kind of
 * request. Decoration, hidden from assistive technology. Renders a `<span>`.
 */
export const PromptTile = /* @__PURE__ */ forwardRef(function PromptTile(
  props: PromptTileProps,
  ref: ForwardedRef<HTMLSpanElement>,
) {
  return usePartElement(props, ref, useTileView(usePrompt("Tile")));
});

export function useTileView({ elicitation: { request } }: PromptShared): PartRender {
  const service = request.mode === "url" ? request.service : undefined;
  const iconDataUrl = service?.iconDataUrl ?? "";
  const [refused, setRefused] = useState<string>();
  const shown =
    iconDataUrl !== refused && iconDataUrl.startsWith("data:image/") && iconDataUrl.length <= LONGEST_ICON;
  // Not `onError`: it has happened before the page of a server is hydrated. Happens also where `img-src` forbids `data:`.
  // The same function on each render: React calls a new one again, and the image would be decoded again.
  const check = useCallback(
    (image: HTMLImageElement | null): void =>
      void image?.decode?.().catch(() => {
        if (image.isConnected) setRefused(iconDataUrl);
      }),
    [iconDataUrl],
  );
  const letter = /[\p{L}\p{N}]/u.exec(service?.name ?? "")?.[0].toUpperCase();
  const sign: ReactNode = letter ?? icon(request.mode === "form" ? "form" : "link");
  const children = shown ? <img alt="" src={iconDataUrl} ref={check} /> : sign;
  return { tag: "span", state: {}, props: { "aria-hidden": true, translate: "no", children } };
}

export type PromptTileProps = PartProps<"span", PromptTileState>;
export type PromptTileState = object;
