import type { ComponentChildren } from "preact"
import type { Reply } from "../http/Reply.js"
import { page } from "../web/Page.js"

/** A page for whoever got mail. It says nothing of the person or of who wrote to them: links are passed on. */
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

/** The link was opened, by a person or by a program that looks at links: nothing has changed. */
export const askPage = (path: string): Reply =>
  recipientPage({
    status: 200,
    title: "Unsubscribe",
    children: (
      <>
        <p class="lead">
          After a click on the button you will get no more mail from this sender. The sender can't undo that.
        </p>
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
    children: <p class="lead">You will get no more mail from this sender. You can close this page.</p>
  })

/** The same whatever is wrong with the link. */
export const unknownPage = (): Reply =>
  recipientPage({
    status: 404,
    title: "This link leads nowhere",
    children: (
      <p>
        Links of this kind stand in mail that was sent to you, and are easily cut short. Open the link from the message
        itself, or answer the message and say that you want no more mail.
      </p>
    )
  })

export const notPossiblePage = (): Reply =>
  recipientPage({
    status: 405,
    title: "Not possible",
    headers: { allow: "GET, HEAD, POST" },
    children: <p>This address is for leaving a sender's list.</p>
  })

export const laterPage = (): Reply =>
  recipientPage({
    status: 503,
    title: "Not possible just now",
    headers: { "retry-after": "30" },
    children: <p>You are not unsubscribed yet. Try again in a moment, or answer the message that you got.</p>
  })
