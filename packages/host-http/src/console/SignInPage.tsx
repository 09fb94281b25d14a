import { SIGN_IN_LINK_MINUTES } from "@outbound/domain/console/Console.js"
import type { Reply } from "../http/Reply.js"
import { consolePage } from "./Shell.js"

const HowToGetALink = () => (
  <>
    <p>
      Signing in takes a link that works once, for {SIGN_IN_LINK_MINUTES} minutes. Whoever runs this service makes one
      for you:
    </p>
    <pre>
      <code>npx outbound sign-in-link --email you@example.com</code>
    </pre>
    <p class="soft">Open the link in this browser.</p>
  </>
)

/** Without a link: how to get one. */
export const signInHelpPage = (headers: Readonly<Record<string, string>>): Reply =>
  consolePage({
    title: "Sign in",
    viewer: null,
    headers,
    children: (
      <div class="card narrow">
        <h1>Sign in</h1>
        <HowToGetALink />
      </div>
    )
  })

/** With a link that is good: a button. Only its POST spends the link, so that programs that open links don't. */
export const signInPage = (options: { readonly token: string; readonly csrf: string; readonly next: string }): Reply =>
  consolePage({
    title: "Sign in",
    viewer: null,
    children: (
      <div class="card narrow">
        <h1>Sign in</h1>
        <p class="lead">This link works once. You stay signed in on this browser.</p>
        <form method="post" action="/console/sign-in">
          <input type="hidden" name="token" value={options.token} />
          <input type="hidden" name="csrf" value={options.csrf} />
          <input type="hidden" name="next" value={options.next} />
          <button class="go" type="submit">
            Sign in
          </button>
        </form>
      </div>
    )
  })

export const linkOverPage = (): Reply =>
  consolePage({
    status: 403,
    title: "This link is over",
    viewer: null,
    children: (
      <div class="card narrow">
        <h1>This link is over</h1>
        <p>It was used already, or its {SIGN_IN_LINK_MINUTES} minutes have passed.</p>
        <HowToGetALink />
      </div>
    )
  })
