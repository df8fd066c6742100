/** A pattern that is known to hang backtracking engines, and a text that causes it: `before`, many `pump`, `after`. */
export interface RedosPattern {
  source: string;
  /** The publication of the pattern. */
  known: string;
  before?: string;
  pump: string;
  after?: string;
}

/** Patterns from textbooks, post-mortems and advisories, written for the `u` flag. Irrelevant parts are removed. */
export const REDOS_PATTERNS: readonly RedosPattern[] = [
  { source: "^(a+)+$", known: "OWASP, Regular expression Denial of Service", pump: "a", after: "!" },
  { source: "^([a-zA-Z]+)*$", known: "OWASP, Regular expression Denial of Service", pump: "a", after: "!" },
  { source: "^(a|aa)+$", known: "OWASP, Regular expression Denial of Service", pump: "a", after: "!" },
  { source: "^(a|a?)+$", known: "OWASP, Regular expression Denial of Service", pump: "a", after: "!" },
  { source: "^(.*a){11}$", known: "OWASP, Regular expression Denial of Service", pump: "a", after: "!" },
  {
    source: "^(([a-z])+.)+[A-Z]([a-z])+$",
    known: "OWASP Validation Regex Repository, Java class name",
    pump: "a",
  },
  {
    source: "^[a-zA-Z]+(([',. -][a-zA-Z ])?[a-zA-Z]*)*$",
    known: "OWASP Validation Regex Repository, person name",
    pump: "a",
    after: "!",
  },
  {
    source: "^([0-9a-zA-Z]([-.\\w]*[0-9a-zA-Z])*@(([0-9a-zA-Z])+([-\\w]*[0-9a-zA-Z])*\\.)+[a-zA-Z]{2,9})$",
    known: "RegExLib, e-mail address; quoted by OWASP",
    pump: "a",
    after: "!",
  },
  {
    source:
      "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
    known: "Wikipedia, ReDoS",
    pump: "a",
    after: "!",
  },
  { source: "(x+x+)+y", known: "Goyvaerts, Runaway Regular Expressions", pump: "x" },
  { source: "^(.*?,){11}P", known: "Goyvaerts, Runaway Regular Expressions", pump: "1," },
  {
    source: '"(\\\\.|[^\\\\"]+)*"',
    known: "Friedl, Mastering Regular Expressions, 6",
    before: '"',
    pump: "x",
  },
  {
    source: `^${"a?".repeat(25)}a{25}$`,
    known: "Cox, Regular Expression Matching Can Be Simple And Fast",
    pump: "a",
    after: "!",
  },
  {
    source: "^[0-9A-Z]([-.\\w]*[0-9A-Z])*$",
    known: "Microsoft, Best practices for regular expressions in .NET",
    pump: "A",
    after: "!",
  },
  { source: "^(\\w+\\s?)*\\s*$", known: "CWE-1333, example 1", pump: "a", after: "!" },
  {
    source: "^[\\s\\u200c]+|[\\s\\u200c]+$",
    known: "Stack Overflow, outage of 20 July 2016",
    before: "x",
    pump: " ",
    after: "x",
  },
  { source: ".*.*=.*", known: "Cloudflare, outage of 2 July 2019", pump: "x" },
  { source: ".*(?:.*=.*)", known: "Cloudflare, outage of 2 July 2019", pump: "x" },
  { source: "^((?:\\d+)?\\.?\\d+) *(ms|s|m|h|d|y)?$", known: "ms, CVE-2015-8315", pump: "1", after: "Q" },
  {
    source: "^\\b_((?:__|[\\s\\S])+?)_\\b",
    known: "marked, CVE-2015-8854",
    before: "_",
    pump: "__",
    after: "a",
  },
  {
    source: "(-)?(?:(\\d*)[. ])?(\\d+):(\\d+)",
    known: "moment, CVE-2016-4055",
    pump: "1",
  },
  {
    source: "^(([^=;]+))\\s*=\\s*([^\\n\\r\\0]*)",
    known: "tough-cookie, CVE-2017-15010",
    before: "x",
    pump: " ",
  },
  { source: " *, *", known: "forwarded, CVE-2017-16118; fresh, CVE-2017-16119", pump: " " },
  {
    source: "^\\{(,+(?:(\\{,+\\})*),*|,*(?:(\\{,+\\})*),+)\\}",
    known: "braces, CVE-2018-1109",
    before: "{",
    pump: ",",
  },
  {
    source: "^(?:.*,)*[ \\t]*([^ \\t]+)[ \\t]+realm=",
    known: "Python urllib, CVE-2020-8492",
    pump: ",",
  },
  {
    source: '"((?:\\\\[\\x00-\\x7f]|[^\\x00-\\x08\\x0a-\\x1f\\x7f"])*)"',
    known: "websocket-extensions, CVE-2020-7662",
    before: '"',
    pump: "\\a",
  },
  {
    source: "^\\s+|\\s+$",
    known: "lodash, CVE-2020-28500; validator, CVE-2021-3765",
    before: "x",
    pump: " ",
    after: "x",
  },
  { source: "[{[].*\\/*.*[}\\]]$", known: "glob-parent, CVE-2020-28469", before: "{", pump: "/" },
  {
    source: "^([+-]?\\d*n)?\\s*(?:([+-]?)\\s*(\\d+))?$",
    known: "nth-check, CVE-2021-3803",
    pump: " ",
    after: "!",
  },
  {
    source:
      "[\\u001B\\u009B][[\\]()#;?]*(?:(?:(?:[a-zA-Z\\d]*(?:;[-a-zA-Z\\d/#&.:=?%@~_]*)*)?\\u0007)|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]))",
    known: "ansi-regex, CVE-2021-3807",
    before: "\u001B[",
    pump: ";",
  },
  { source: "\\{.*\\}", known: "minimatch, CVE-2022-3517", pump: "{" },
  { source: "\\([^)]*\\)|[\\n\\t]", known: "moment, CVE-2022-31129", pump: "(" },
  { source: "\\s*,\\s*", known: "http-cache-semantics, CVE-2022-25881", pump: " " },
  { source: "(\\\\*)$", known: "cross-spawn, CVE-2024-21538", pump: "\\", after: "x" },
  {
    source: "^\\/([^/]+?)-([^/]+?)\\/?$",
    known: "path-to-regexp, CVE-2024-45296",
    before: "/a",
    pump: "-a",
    after: "/a",
  },
];
