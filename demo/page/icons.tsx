/** Icons of 16 by 16 pixels, in the colour of the text. */
const PATHS = {
  pause: <path d="M5.75 3.75v8.5M10.25 3.75v8.5" />,
  play: <path d="M5.25 3.9v8.2L12 8z" fill="currentColor" />,
  link: (
    <path d="M6.75 9.25l2.5-2.5M7.5 4.75l1-1a2.65 2.65 0 0 1 3.75 3.75l-1 1M8.5 11.25l-1 1A2.65 2.65 0 0 1 3.75 8.5l1-1" />
  ),
  form: (
    <>
      <rect x="2.75" y="2.25" width="10.5" height="11.5" rx="2" />
      <path d="M5.5 5.75h5M5.5 8.25h5M5.5 10.75h2.5" />
    </>
  ),
  both: (
    <>
      <rect x="2.25" y="4.75" width="8.5" height="8.5" rx="1.75" />
      <path d="M5.25 4.5v-.25c0-.97.78-1.75 1.75-1.75h5c.97 0 1.75.78 1.75 1.75v5c0 .97-.78 1.75-1.75 1.75h-.5" />
    </>
  ),
  agents: (
    <>
      <path d="M2.75 4.25c0-.83.67-1.5 1.5-1.5h4.5c.83 0 1.5.67 1.5 1.5v2.5c0 .83-.67 1.5-1.5 1.5h-2.5l-2 1.75v-1.75c-.83 0-1.5-.67-1.5-1.5z" />
      <path d="M12 6.75c.72.14 1.25.76 1.25 1.5v2.5c0 .83-.67 1.5-1.5 1.5v1.5l-2-1.5h-2.5" />
    </>
  ),
  inbox: (
    <>
      <path d="M2.5 9.25l1.75-5.5h7.5l1.75 5.5v3.25h-11z" />
      <path d="M2.5 9.25H6c.2 1.1 1 1.75 2 1.75s1.8-.65 2-1.75h3.5" />
    </>
  ),
  issue: (
    <>
      <path d="M2.75 4h5M2.75 8h10.5M2.75 12h3.5" />
      <path d="M10 3.75l1.25 1.25 2.25-2.75" />
    </>
  ),
  check: <path d="M3.5 8.5l3 3 6-7" />,
  done: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M5.5 8.25l1.75 1.75 3.25-3.75" />
    </>
  ),
  minus: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M5.5 8h5" />
    </>
  ),
  cross: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M6.25 6.25l3.5 3.5M9.75 6.25l-3.5 3.5" />
    </>
  ),
  up: <path d="M8 12.75v-9.5M4 7.25l4-4 4 4" />,
  stop: <rect x="4.5" y="4.5" width="7" height="7" rx="1.5" fill="currentColor" />,
  down: <path d="M4 6.25l4 4 4-4" />,
  plus: <path d="M8 3.25v9.5M3.25 8h9.5" />,
  next: <path d="M6.25 4l4 4-4 4" />,
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon: the text beside it has the same meaning. Arrows are mirrored in right-to-left languages. */
export function Icon({ name }: { name: IconName }): React.JSX.Element {
  return (
    <svg
      className="icon"
      data-icon={name}
      data-flip={name === "next" || name === "play" || undefined}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {PATHS[name]}
    </svg>
  );
}

/** The logo of the kit: a pause symbol and a play symbol. */
export function Mark(): React.JSX.Element {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <rect className="mark-ground" width="24" height="24" rx="7" />
      <path className="mark-bar" d="M8 7.5v9" />
      <path className="mark-play" d="M12.5 7.9l5 4.1-5 4.1z" />
    </svg>
  );
}

export function Spinner(): React.JSX.Element {
  return <span className="spinner" aria-hidden="true" />;
}
