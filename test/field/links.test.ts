import { inspectUrl } from "elicit-kit/client";
import { expect } from "vitest";
import { fieldCase } from "./field-case.ts";

fieldCase(
  { sources: ["CVE-2025-6514"], before: "passed" },
  "a sign-in address that is a command is refused before anybody can press it",
  () => {
    for (const url of ["a:$(calc.exe)?response_type=code", "javascript:alert(1)", "file:///etc/passwd"]) {
      expect(inspectUrl(url).verdict).toBe("block");
    }
  },
);
