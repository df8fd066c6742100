import "elicit-kit/styles.css";
import { createRoot } from "react-dom/client";
import { AcpWebClient } from "./chat.tsx";

const root = document.getElementById("root");
const url = new URL("/acp", location.href.replace(/^http/, "ws"));
if (root !== null) createRoot(root).render(<AcpWebClient url={url.href} />);
