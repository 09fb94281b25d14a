import { ControlRefused, FRESH_SIGN_IN_MILLIS } from "@outbound/domain/control/Control.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Result, Schema } from "effect"
import { type Credits, CreditsFromWire } from "@outbound/domain/kernel/money/Credits.js"
import { nameIssues } from "@outbound/domain/control/KeyControl.js"
import type { Issue } from "@outbound/domain/kernel/errors/Wire.js"
import type { ComponentChildren } from "preact"
import type { Reply } from "../../http/Reply.js"
import { seeOther } from "../../web/Page.js"
import { SIGN_IN } from "../signInRoutes.js"
import { messagePage, missingPage, type Section, titledPage } from "../Shell.js"
import { useViewer, type Viewer } from "../Viewer.js"
import type { Inside, Page } from "../Visit.js"
import { fieldWords, Note, type Problem } from "../Parts.js"

export const FRESH_MINUTES = FRESH_SIGN_IN_MILLIS / 60_000

/** The path that signs in again and returns to a page. */
export const signInAgain = (path: string): string => `${SIGN_IN}?next=${encodeURIComponent(path)}`

const isOwner = (viewer: Viewer): boolean => viewer.signedIn.role === "owner"

const isFresh = ({ nowMillis, signedIn }: Viewer): boolean =>
  nowMillis - signedIn.session.createdAtMillis <= FRESH_SIGN_IN_MILLIS

/** Tells viewers what they may do on a page before they try. */
export const MayNote = (props: {
  readonly path: string
  /** What needs an owner with a fresh sign-in. */
  readonly loosening: string
  /** What an approver may do here all the same. */
  readonly approver?: string
}) => {
  const viewer = useViewer()
  const { role } = viewer.signedIn
  if (role === "approver" && props.approver !== undefined) {
    return <Note>Your role is approver: {props.approver}. The rest of this page you can read, and not change.</Note>
  }
  if (role === "approver" || role === "reader") {
    return <Note>Your role is {role}: you can read this page, and change nothing on it.</Note>
  }
  if (!isOwner(viewer)) {
    return <Note>You are a member: you can tighten limits. Only an owner can {props.loosening}.</Note>
  }
  if (isFresh(viewer)) return null
  return (
    <Note>
      To {props.loosening}, you need a sign-in from the last {FRESH_MINUTES} minutes.{" "}
      <a href={signInAgain(props.path)}>Sign in again</a>; you return to this page.
    </Note>
  )
}

export const mayLoosen = isOwner

/** What a session can't do that began with a printed link. */
export const PRINTED_LINK =
  "This session began with the link that the service printed at its start, which others can read too. To change your passkeys, sign in with a link of your own (outbound sign-in-link)."

const WORDS: Readonly<
  Record<Exclude<ControlRefused["reason"], "invalid" | "not_found" | "reauthentication_required">, string>
> = {
  printed_link: `${PRINTED_LINK} Nothing was changed.`,
  owner_required: "Only an owner of this workspace can do this. Nothing was changed.",
  key_revoked: "This key was revoked and can’t be used or changed any more. Nothing was changed.",
  change_request_closed: "This request was already decided. The list shows its outcome.",
  last_owner: "A workspace needs at least one owner. Make somebody else an owner first."
}

const listed = ({ issues }: ControlRefused): string =>
  issues.map(({ message, path }) => `${fieldWords(path)} ${message}.`).join(" ")

/** Explains a refusal and links back. */
const refusedPage = (viewer: Viewer, refused: ControlRefused, back: string): Reply => {
  const to = { path: back, text: "Go back" }
  switch (refused.reason) {
    case "not_found":
      return missingPage(viewer)
    case "reauthentication_required":
      return messagePage({
        status: 403,
        title: "Sign in again",
        text: `This change needs a sign-in from the last ${FRESH_MINUTES} minutes. Nothing was changed. Sign in again; you return to the page and can repeat the change.`,
        viewer,
        to: { path: signInAgain(back), text: "Sign in again" }
      })
    case "invalid":
      return messagePage({ status: 400, title: "Nothing was changed", text: listed(refused), viewer, to })
    case "owner_required":
    case "printed_link":
      return messagePage({ status: 403, title: "Nothing was changed", text: WORDS[refused.reason], viewer, to })
    case "key_revoked":
    case "change_request_closed":
    case "last_owner":
      return messagePage({ status: 409, title: "Nothing was changed", text: WORDS[refused.reason], viewer, to })
  }
}

/** Does what a form asks, then shows another page. `again` shows the form's page with its validation errors. */
export const acting = <A,>(
  { form, viewer }: Inside,
  back: `/${string}`,
  work: Effect.Effect<A, ControlRefused | StoreUnavailable>,
  options: {
    readonly done?: (result: A) => Reply | `/${string}`
    readonly again?: (problem: Problem) => Page
  } = {}
): Page =>
  work.pipe(
    Effect.map((result) => {
      const next = options.done?.(result) ?? back
      return typeof next === "string" ? seeOther(next) : next
    }),
    Effect.catchTag("ControlRefused", (refused): Page =>
      refused.reason === "invalid" && options.again !== undefined
        ? options.again({ issues: refused.issues, form })
        : Effect.succeed(refusedPage(viewer, refused, back))
    )
  )

/** The value of a form's fields, or their validation errors. */
export type Typed<A> = Result.Result<A, ReadonlyArray<Issue>>

/** The form's value, or a refusal with its validation errors. */
export const typed = <A,>(given: Typed<A>): Effect.Effect<A, ControlRefused> =>
  Effect.mapError(Effect.fromResult(given), (issues) => new ControlRefused({ reason: "invalid", issues }))

/** A field's validation errors. */
export const issuesOf = (given: Typed<unknown>): ReadonlyArray<Issue> => (Result.isFailure(given) ? given.failure : [])

/** All fields of a form, or the validation errors of all of them. */
export const allOf = <A extends Readonly<Record<string, unknown>>>(fields: {
  readonly [Name in keyof A]: Typed<A[Name]>
}): Typed<A> => {
  const all: Readonly<Record<string, Typed<unknown>>> = fields
  const issues = Object.values(all).flatMap(issuesOf)
  return issues.length > 0 ? Result.fail(issues) : (Result.all(all) as Typed<A>)
}

export const nameOf = (form: URLSearchParams): Typed<string> => {
  const name = (form.get("name") ?? "").trim()
  const issues = nameIssues(name)
  return issues.length > 0 ? Result.fail(issues) : Result.succeed(name)
}

const decode = Schema.decodeUnknownResult(CreditsFromWire)

/** Credits as a person types them; commas and spaces between groups of digits are ignored. */
export const creditsOf = (form: URLSearchParams, name: string): Typed<Credits> =>
  decode((form.get(name) ?? "").trim().replaceAll(/(?<=\d)[ ,\u2009\u00A0](?=\d{3})/g, "")).pipe(
    Result.mapError(() => [{ path: name, message: "must be an amount, such as 250 or 12.5" }])
  )

/** A whole number; negative ones and fractions are refused. */
export const countOf = (form: URLSearchParams, name: string): Typed<number> => {
  const text = (form.get(name) ?? "").trim()
  return /^\d{1,9}$/.test(text)
    ? Result.succeed(Number(text))
    : Result.fail([{ path: name, message: "must be a whole number of 0 or more" }])
}

/** Whether a box is ticked. Forms also send `off` for each box, so that a missing field means "unchanged". */
export const isOn = (form: URLSearchParams, name: string): boolean => form.getAll(name).includes("on")

/** The page of a form that needs an owner with a fresh sign-in. */
export const formPage = (
  options: {
    readonly viewer: Viewer
    readonly problem: Problem | undefined
    readonly title: string
    readonly lead: string
    readonly at: Section
    readonly path: `/${string}`
    /** What needs an owner with a fresh sign-in. */
    readonly loosening: string
  },
  children: ComponentChildren
): Reply => {
  const { at, lead, loosening, path, problem, title, viewer } = options
  return titledPage(
    { title, viewer, at, isNarrow: true, lead, problem, before: <MayNote path={path} loosening={loosening} /> },
    children
  )
}

/** Shows a secret, once. */
export const secretPage = (options: {
  readonly viewer: Viewer
  readonly title: string
  readonly at: Section
  /** Follows "Copy it now." */
  readonly says: string
  readonly label: string
  readonly secret: string
  readonly links: ComponentChildren
}): Reply =>
  titledPage(
    { title: options.title, viewer: options.viewer, at: options.at, isNarrow: true },
    <>
      <Note tone="good" role="status">
        <strong>Copy it now.</strong> {options.says}
      </Note>
      <pre class="secret" tabIndex={0} aria-label={options.label}>
        <code>{options.secret}</code>
      </pre>
      <p>{options.links}</p>
    </>
  )
