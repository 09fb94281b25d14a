import { type ControlRefused, FRESH_SIGN_IN_MILLIS } from "@outbound/domain/control/Control.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { seeOther } from "../../web/Page.js"
import { SIGN_IN } from "../Access.js"
import { messagePage, missingPage, useViewer, type Viewer } from "../Shell.js"
import type { Inside, Page } from "../Visit.js"
import { fieldWords, type Problem } from "../Fields.js"
import { Note } from "../Parts.js"

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
}) => {
  const viewer = useViewer()
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

const WORDS: Readonly<
  Record<Exclude<ControlRefused["reason"], "invalid" | "not_found" | "reauthentication_required">, string>
> = {
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
      return messagePage({ status: 403, title: "Nothing was changed", text: WORDS.owner_required, viewer, to })
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
