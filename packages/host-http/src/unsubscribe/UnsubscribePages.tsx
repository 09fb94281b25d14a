import type { ComponentChildren } from "preact"
import type { Reply } from "../http/Reply.js"
import { page } from "../web/Page.js"

/** A page for recipients. Links get forwarded, so it names neither the person nor the sender. */
const recipientPage = (options: {
  readonly status: number
  readonly title: string
  readonly children: ComponentChildren
  readonly headers?: Readonly<Record<string, string>>
}): Reply =>
  page(
    options.status,
    options.title,
    <main id="main">
      <div class="card narrow">
        <h1>{options.title}</h1>
        {options.children}
      </div>
    </main>,
    options.headers
  )

/** Opening the link changes nothing: a program may have opened it. */
export const askPage = (path: string): Reply =>
  recipientPage({
    status: 200,
    title: "Unsubscribe",
    children: (
      <>
        <p class="lead">Click the button to stop all email from this sender. The sender can’t undo this.</p>
        <form method="post" action={path}>
          <button class="go" type="submit">
            Unsubscribe
          </button>
        </form>
      </>
    )
  })

export const donePage = (): Reply =>
  recipientPage({
    status: 200,
    title: "You are unsubscribed",
    children: <p class="lead">You will get no more email from this sender. You can close this page.</p>
  })

/** The same for every kind of invalid link. */
export const unknownPage = (): Reply =>
  recipientPage({
    status: 404,
    title: "This link is invalid",
    children: (
      <p>
        The link may be incomplete. Open it from the email itself, or reply to the email and ask not to be contacted
        again.
      </p>
    )
  })

export const notPossiblePage = (): Reply =>
  recipientPage({
    status: 405,
    title: "Method not allowed",
    headers: { allow: "GET, HEAD, POST" },
    children: <p>Open this address in a browser to unsubscribe.</p>
  })

export const laterPage = (): Reply =>
  recipientPage({
    status: 503,
    title: "Temporarily unavailable",
    headers: { "retry-after": "30" },
    children: (
      <p>
        You are not unsubscribed yet. Try again in a moment, or reply to the email and ask not to be contacted again.
      </p>
    )
  })
