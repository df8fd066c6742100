/** The lists of connected accounts and of remembered answers. */
export const ACCOUNTS = `h2 {
  font-size: 1.0625rem;
  font-weight: 600;
  line-height: 1.5rem;
}
h2 ~ .accounts {
  margin-block-start: 0.75rem;
}
.accounts {
  padding: 0;
  border: 1px solid var(--elicit-line);
  border-radius: var(--elicit-radius-control);
  font-size: var(--elicit-size-md);
  line-height: 1.25rem;
  list-style: none;
}
.accounts li {
  display: flex;
  gap: 0.75rem;
  align-items: center;
  padding: 0.75rem;
}
.accounts li > div {
  flex: 1;
  min-inline-size: 0;
}
.accounts form {
  flex: none;
}
.accounts li + li {
  border-block-start: 1px solid var(--elicit-line);
}
.accounts .tile {
  inline-size: 2.25rem;
  block-size: 2.25rem;
  font-size: 1rem;
}
.accounts b {
  font-weight: 600;
}
.accounts small {
  display: block;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  line-height: 1.125rem;
}
.good {
  display: flex;
  gap: 0.625rem;
  padding: 0.625rem 0.75rem;
  border-radius: var(--elicit-radius-control);
  background: var(--elicit-inset);
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  line-height: 1.125rem;
}
.good .icon {
  color: var(--elicit-success);
}
.good b {
  display: block;
  font-size: var(--elicit-size-md);
  font-weight: 600;
}
`;
