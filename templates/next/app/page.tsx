import { redirect } from "next/navigation";
import { isSignedIn, signIn } from "../agent/session";

export default async function Page() {
  if (await isSignedIn()) redirect("/chat");
  return (
    <main style={{ maxWidth: 640, margin: "2rem auto", padding: "0 1rem" }}>
      <h1>A chat that asks</h1>
      <form action={start}>
        <label>
          Your name <input name="name" autoComplete="name" required />
        </label>{" "}
        <button>Start</button>
      </form>
    </main>
  );
}

async function start(form: FormData) {
  "use server";
  await signIn(String(form.get("name")));
  redirect("/chat");
}
