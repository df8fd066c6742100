import "elicit-kit/styles.css";
import "./page.css";
import { createRoot } from "react-dom/client";
import { McpHost } from "./host.tsx";

const root = document.getElementById("root");
const url = new URLSearchParams(location.search).get("server") ?? "http://localhost:3001/mcp";
if (root !== null) createRoot(root).render(<McpHost url={url} />);
