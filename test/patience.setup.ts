import { configure } from "@testing-library/react";
import { patience } from "./patience.ts";

configure({ asyncUtilTimeout: patience.expect.poll.timeout });
