import { redirect } from "next/navigation";
import { isSignedIn, signIn } from "../agent/session";

export default async function Page({ searchParams }: { searchParams: Promise<{ full?: string }> }) {
  if (await isSignedIn()) redirect("/chat");
  const { full } = await searchParams;
  return (
    <main style={{ maxWidth: 640, margin: "2rem auto", padding: "0 1rem" }}>
      <h1>A chat that asks</h1>
      <form action={start}>
        <label>
          Your name <input name="name" autoComplete="name" required />
        </label>{" "}
        <button>Start</button>
        {full !== undefined && (
          <p role="alert">Too many users came from your address. Try again in an hour.</p>
        )}
      </form>
    </main>
  );
}

async function start(form: FormData) {
  "use server";
  const isIn = await signIn(String(form.get("name")));
  redirect(isIn ? "/chat" : "/?full");
}
