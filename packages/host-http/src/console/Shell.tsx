import type { Standing } from "@outbound/domain/control/console/ConsoleReads.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import type { ComponentChildren } from "preact"
import type { Reply } from "../http/Reply.js"
import { page } from "../web/Page.js"
import { Moment } from "../web/Words.js"

/** Who looks at a page, the token that the page's forms carry, and what every page says at its top. */
export interface Viewer {
  readonly signedIn: SignedIn
  readonly csrf: string
  readonly standing: Standing
}

/** The sections, in the order of the menu. */
const SECTIONS = {
  approvals: "Approvals",
  campaigns: "Campaigns",
  replies: "Replies",
  sending: "Sending",
  trail: "Trail",
  usage: "Usage",
  credits: "Credits",
  keys: "Keys",
  alerts: "Alerts",
  settings: "Settings"
} as const
export type Section = keyof typeof SECTIONS

/** How much in a section asks for somebody's eyes. */
const Count = (props: { readonly of: number; readonly word: string }) =>
  props.of === 0 ? null : (
    <span class="count">
      {" "}
      {props.of}
      <span class="unseen"> {props.word}</span>
    </span>
  )

const Menu = (props: { readonly viewer: Viewer; readonly at: Section | undefined }) => {
  const { alertsOpen, approvalsPending, changeRequestsOpen } = props.viewer.standing
  const waiting: Partial<Record<Section, number>> = { approvals: approvalsPending, keys: changeRequestsOpen }
  return (
    <nav class="menu" aria-label="Console">
      <ul>
        {(Object.keys(SECTIONS) as ReadonlyArray<Section>).map((section) => (
          <li key={section}>
            <a href={`/console/${section}`} aria-current={props.at === section ? "page" : undefined}>
              {SECTIONS[section]}
              <Count of={waiting[section] ?? 0} word="waiting" />
              {section === "alerts" ? <Count of={alertsOpen} word="open" /> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Top = (props: { readonly viewer: Viewer | null; readonly at: Section | undefined }) => (
  <header class="top">
    <a class="skip" href="#main">
      Skip to content
    </a>
    <div>
      <a class="brand" href="/console">
        outbound
      </a>
      {props.viewer === null ? null : (
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
      )}
    </div>
    {props.viewer === null ? null : <Menu viewer={props.viewer} at={props.at} />}
  </header>
)

/** A stop is said on every page: nobody shall wonder why nothing leaves. */
const Stopped = (props: { readonly viewer: Viewer | null }) => {
  const at = props.viewer?.standing.suspendedAtMillis ?? null
  return at === null ? null : (
    <div class="stopped">
      <p>
        <strong>All sending is stopped</strong> since <Moment atMillis={at} />.{" "}
        <a href="/console/settings#sending">What to do</a>
      </p>
    </div>
  )
}

/** A page of the console. */
export const consolePage = (options: {
  readonly status?: number
  readonly title: string
  readonly viewer: Viewer | null
  readonly at?: Section
  /** For pages that are read like a letter, not like a table. */
  readonly isNarrow?: boolean
  readonly headers?: Readonly<Record<string, string>>
  readonly children: ComponentChildren
}): Reply =>
  page(
    options.status ?? 200,
    options.title,
    <>
      <Top viewer={options.viewer} at={options.at} />
      <Stopped viewer={options.viewer} />
      <main id="main" class={options.isNarrow === true ? "letter" : undefined}>
        {options.children}
      </main>
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
  /** Where to go from there. */
  readonly to?: { readonly path: string; readonly text: string }
}): Reply => {
  const to = options.to ?? { path: "/console/approvals", text: "Go to approvals" }
  return consolePage({
    status: options.status,
    title: options.title,
    viewer: options.viewer ?? null,
    headers: options.headers ?? {},
    children: (
      <div class="card narrow">
        <h1>{options.title}</h1>
        <p>{options.text}</p>
        <p>
          <a href={to.path}>{to.text}</a>
        </p>
      </div>
    )
  })
}

export const missingPage = (viewer: Viewer | null): Reply =>
  messagePage({
    status: 404,
    title: "Not found",
    text: "There is no such page in this workspace. The address may be mistyped, or belong to another workspace.",
    viewer
  })
