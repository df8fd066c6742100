/** Errors and warnings. */
export const WARNINGS = `.alert {
  display: flex;
  gap: 0.625rem;
  padding: 0.625rem 0.75rem;
  border: 1px solid var(--elicit-danger-line);
  border-radius: var(--elicit-radius-control);
  background: var(--elicit-danger-surface);
  font-size: var(--elicit-size-md);
  line-height: 1.25rem;
}
.alert .icon {
  margin-block-start: 0.125rem;
  color: var(--elicit-danger);
}
.alert.calm {
  border-color: var(--elicit-line);
  background: var(--elicit-inset);
}
.alert.calm .icon {
  color: var(--elicit-muted);
}
.caution {
  display: flex;
  gap: 0.625rem;
  padding: 0.625rem 0.75rem;
  border: 1px solid var(--elicit-warning-line);
  border-radius: var(--elicit-radius-control);
  background: var(--elicit-warning-surface);
  font-size: var(--elicit-size-sm);
  line-height: 1.125rem;
}
.caution .icon {
  color: var(--elicit-warning-text);
}
.caution b {
  display: block;
  color: var(--elicit-warning-text);
  font-size: var(--elicit-size-md);
  font-weight: 600;
}
[data-unknown] .tile {
  border: 1px dashed var(--elicit-border);
  box-shadow: none;
}
.key {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: 0 0.75rem;
  align-items: center;
}
.note,
.hint {
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  line-height: 1.125rem;
}
.note {
  display: flex;
  gap: 0.625rem;
}
.note .icon {
  margin-block-start: 0.0625rem;
}
`;
