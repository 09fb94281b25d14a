import { OPEN_REPLIES_MAX, type Standing } from "@outbound/domain/control/console/ConsoleReads.js"
import type { ComponentChildren } from "preact"
import type { Reply } from "../http/Reply.js"
import { page } from "../web/Page.js"
import { Live } from "../web/Live.js"
import { SCRIPTED } from "../web/Scripted.js"
import { count, Moment } from "../web/Words.js"
import { ReadersZone, UTC } from "../web/Zone.js"
import { Note, type Problem, ProblemNote, Typed } from "./Parts.js"
import { type Viewer, Viewing } from "./Viewer.js"

/** The sections, in the order of the menu. */
const SECTIONS = {
  home: "Home",
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

/** How many items of a section need attention. */
const Count = (props: { readonly of: number; readonly word: string }) =>
  props.of === 0 ? null : (
    <span class="count">
      {" "}
      {props.of >= OPEN_REPLIES_MAX ? `${OPEN_REPLIES_MAX - 1}+` : props.of}
      <span class="unseen"> {props.word}</span>
    </span>
  )

const Menu = (props: { readonly viewer: Viewer; readonly at: Section | undefined }) => {
  const { alertsOpen, approvalsPending, changeRequestsOpen, repliesOpen } = props.viewer.standing
  const waiting: Partial<Record<Section, number>> = {
    approvals: approvalsPending,
    replies: repliesOpen,
    keys: changeRequestsOpen
  }
  return (
    <nav class="menu" aria-label="Console" data-live="menu">
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

/** Every page says when all sending is stopped. */
const Stopped = (props: { readonly viewer: Viewer | null }) => {
  const at = props.viewer?.standing.suspendedAtMillis ?? null
  return at === null ? null : (
    <div class="stopped">
      <p>
        <strong>All sending was stopped</strong> on <Moment atMillis={at} />.{" "}
        <a href="/console/settings#sending">Go to settings</a>
      </p>
    </div>
  )
}

/** What the menu's numbers say in words, for those who hear a page. */
const standingWords = ({ approvalsPending, repliesOpen }: Standing): string =>
  `${count(approvalsPending, "approval waits", "approvals wait")}, ${count(repliesOpen, "reply waits", "replies wait")}`

interface PageOptions {
  readonly status?: number | undefined
  readonly title: string
  readonly viewer: Viewer | null
  readonly at?: Section
  /** For pages of text rather than tables. */
  readonly isNarrow?: boolean
  /** For pages of two columns. */
  readonly isWide?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** It keeps itself true while it is looked at, where scripts run. */
  readonly isLive?: boolean
}

export const consolePage = (options: PageOptions, children: ComponentChildren): Reply =>
  page(
    options.status ?? 200,
    options.title,
    <Viewing.Provider value={options.viewer}>
      <ReadersZone.Provider value={options.viewer?.zone ?? UTC}>
        <Top viewer={options.viewer} at={options.at} />
        <Stopped viewer={options.viewer} />
        <main
          id="main"
          class={options.isNarrow === true ? "letter" : options.isWide === true ? "spread" : undefined}
          data-live={options.isLive === true ? "main" : undefined}
        >
          {children}
        </main>
        {options.isLive === true && options.viewer !== null ? (
          <>
            <p class="unseen" role="status" data-said={standingWords(options.viewer.standing)} />
            <p hidden data-says={standingWords(options.viewer.standing)} />
            {options.viewer.openZone === null ? null : <p hidden data-zone={options.viewer.openZone} />}
            <Live />
          </>
        ) : null}
      </ReadersZone.Provider>
    </Viewing.Provider>,
    options.isLive === true ? { ...SCRIPTED, ...options.headers } : options.headers
  )

/** A short page with one message. */
export const messagePage = (options: {
  readonly status: number
  readonly title: string
  readonly text: string
  readonly viewer?: Viewer | null
  readonly headers?: Readonly<Record<string, string>>
  /** A link to follow. */
  readonly to?: { readonly path: string; readonly text: string }
}): Reply => {
  const to = options.to ?? { path: "/console/home", text: "Go to the home page" }
  return consolePage(
    { status: options.status, title: options.title, viewer: options.viewer ?? null, headers: options.headers ?? {} },
    <div class="card narrow">
      <h1>{options.title}</h1>
      <p>{options.text}</p>
      <p>
        <a href={to.path}>{to.text}</a>
      </p>
    </div>
  )
}

export const missingPage = (viewer: Viewer | null): Reply =>
  messagePage({
    status: 404,
    title: "Not found",
    text: "This page doesn’t exist in this workspace. Check the address, or sign in to another workspace.",
    viewer
  })

/** The words for what a form did, by the `done` parameter of the URL. */
export const saidOf = (words: Readonly<Record<string, string>>, done: string | null): string | undefined =>
  done !== null && Object.hasOwn(words, done) ? words[done] : undefined

/** A page that begins with its title, what it is for, and what became of a form that was sent from it. */
export const titledPage = (
  options: PageOptions & {
    /** In place of the title. */
    readonly heading?: ComponentChildren
    /** A badge or a button beside the heading. */
    readonly beside?: ComponentChildren
    readonly lead?: ComponentChildren
    /** Confirms what was done. */
    readonly said?: ComponentChildren
    readonly problem?: Problem | undefined
    /** What was typed; default: with the problem. */
    readonly typed?: URLSearchParams | undefined
    /** Stands before the problem. */
    readonly before?: ComponentChildren
  },
  children: ComponentChildren
): Reply => {
  const { before, beside, heading, lead, problem, said, status, typed, ...rest } = options
  const title = <h1>{heading ?? options.title}</h1>
  return consolePage(
    { ...rest, status: status ?? (problem === undefined ? 200 : 400) },
    <>
      {beside === undefined ? (
        title
      ) : (
        <div class="title">
          {title}
          {beside}
        </div>
      )}
      {lead === undefined ? null : <p class="lead">{lead}</p>}
      {said === undefined ? null : (
        <Note tone="good" role="status">
          {said}
        </Note>
      )}
      {before}
      <ProblemNote of={problem} />
      <Typed.Provider value={typed ?? problem?.form}>{children}</Typed.Provider>
    </>
  )
}
