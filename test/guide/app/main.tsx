import "elicit-kit/styles.css";
import { createRoot } from "react-dom/client";
import { Chat } from "../chat.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(<Chat />);
