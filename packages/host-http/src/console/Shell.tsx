import type { SignedIn } from "@outbound/domain/users/UserStore.js"
import type { ComponentChildren } from "preact"
import type { Reply } from "../http/Reply.js"
import { page } from "../web/Page.js"

/** Who looks at a page, and the token that the page's forms carry. */
export interface Viewer {
  readonly signedIn: SignedIn
  readonly csrf: string
}

const Top = (props: { readonly viewer: Viewer | null; readonly at?: "approvals" | undefined }) => (
  <header class="top">
    <a class="skip" href="#main">
      Skip to content
    </a>
    <div>
      <a class="brand" href="/console">
        outbound
      </a>
      {props.viewer === null ? null : (
        <>
          <nav aria-label="Console">
            <a href="/console/approvals" aria-current={props.at === "approvals" ? "page" : undefined}>
              Approvals
            </a>
          </nav>
          <div class="who">
            <span>
              {props.viewer.signedIn.user.email} · {props.viewer.signedIn.workspaceName}
            </span>
            <form method="post" action="/console/sign-out">
              <input type="hidden" name="csrf" value={props.viewer.csrf} />
              <button class="plain" type="submit">
                Sign out
              </button>
            </form>
          </div>
        </>
      )}
    </div>
  </header>
)

/** A page of the console. */
export const consolePage = (options: {
  readonly status?: number
  readonly title: string
  readonly viewer: Viewer | null
  readonly at?: "approvals"
  readonly headers?: Readonly<Record<string, string>>
  readonly children: ComponentChildren
}): Reply =>
  page(
    options.status ?? 200,
    options.title,
    <>
      <Top viewer={options.viewer} at={options.at} />
      <main id="main">{options.children}</main>
    </>,
    options.headers
  )

/** A short page that says one thing. */
export const messagePage = (options: {
  readonly status: number
  readonly title: string
  readonly text: string
  readonly viewer?: Viewer | null
  readonly headers?: Readonly<Record<string, string>>
}): Reply =>
  consolePage({
    status: options.status,
    title: options.title,
    viewer: options.viewer ?? null,
    headers: options.headers ?? {},
    children: (
      <div class="card narrow">
        <h1>{options.title}</h1>
        <p>{options.text}</p>
        <p>
          <a href="/console/approvals">Go to approvals</a>
        </p>
      </div>
    )
  })

export const missingPage = (viewer: Viewer | null): Reply =>
  messagePage({
    status: 404,
    title: "Not found",
    text: "There is no such page in this workspace. The address may be mistyped, or belong to another workspace.",
    viewer
  })
