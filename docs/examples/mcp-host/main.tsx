import "elicit-kit/styles.css";
import { createRoot } from "react-dom/client";
import { McpHost } from "./host.tsx";

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<McpHost url="http://localhost:3001/mcp" />);
