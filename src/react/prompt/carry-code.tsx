import { useEffect, useState } from "react";
import { encode } from "uqr";
import { drawView } from "../view.ts";
import { useCopyView } from "./button-view.ts";
import type { PromptShared } from "./context.ts";

/** The light edge around a code that its standard asks for, in modules. */
const QUIET_ZONE = 4;

/** The link to the answer page of a request: as a QR code, as a link, and to copy. */
export function CarryCode({
  elicitation,
  catalogue,
  announce,
}: Pick<PromptShared, "elicitation" | "catalogue" | "announce">) {
  const [link, setLink] = useState<{ readonly href: string | undefined }>();
  const copyLink = useCopyView({ catalogue, announce }, link?.href ?? "");
  const { id } = elicitation;
  const { text, code } = catalogue.carry;
  useEffect(() => {
    let isHere = true;
    async function read(): Promise<void> {
      const found = await elicitation.link();
      if (isHere) setLink({ href: found });
    }
    void read();
    return () => {
      isHere = false;
    };
    // One reading for each request.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
  if (link === undefined) return <p>{text}</p>;
  const { href } = link;
  if (href === undefined) return <p role="alert">{catalogue.didNotWork}</p>;

  return (
    <>
      <QrCode text={href} name={code} />
      <div>
        <p>{text}</p>
        <a className="elicit-link-button" href={href} target="_blank" rel="noopener noreferrer">
          {catalogue.openInNewTab}
        </a>
        {drawView(copyLink, "elicit-copy")}
      </div>
    </>
  );
}

/** Dark on light in every theme, because not every camera app reads the opposite. */
function QrCode({ text, name }: { text: string; name: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image that is drawn here
    <svg role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}
