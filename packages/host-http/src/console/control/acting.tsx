import { type ControlRefused, FRESH_SIGN_IN_MILLIS } from "@outbound/domain/control/Control.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { seeOther } from "../../web/Page.js"
import { SIGN_IN } from "../Access.js"
import { messagePage, missingPage, type Viewer } from "../Shell.js"
import type { Inside, Page } from "../Visit.js"
import { fieldWords, Note, type Problem } from "../Parts.js"

export const FRESH_MINUTES = FRESH_SIGN_IN_MILLIS / 60_000

/** Where a new sign-in begins that leads back to a page. */
export const signInAgain = (path: string): string => `${SIGN_IN}?next=${encodeURIComponent(path)}`

const isOwner = (viewer: Viewer): boolean => viewer.signedIn.role === "owner"

const isFresh = (viewer: Viewer, nowMillis: number): boolean =>
  nowMillis - viewer.signedIn.session.createdAtMillis <= FRESH_SIGN_IN_MILLIS

/** What somebody may do on a page, said before they try. */
export const MayNote = (props: {
  readonly viewer: Viewer
  readonly nowMillis: number
  readonly path: string
  /** What asks for a fresh sign-in there. */
  readonly loosening: string
}) => {
  const { loosening, nowMillis, path, viewer } = props
  if (!isOwner(viewer)) {
    return (
      <Note>
        <p>You are a member: you may tighten. Only an owner may {loosening}.</p>
      </Note>
    )
  }
  if (isFresh(viewer, nowMillis)) return null
  return (
    <Note>
      <p>
        To {loosening}, sign in again first: that asks for a sign-in of the last {FRESH_MINUTES} minutes.{" "}
        <a href={signInAgain(path)}>Sign in again</a> and come back here.
      </p>
    </Note>
  )
}

export const mayLoosen = isOwner

const WORDS: Readonly<
  Record<Exclude<ControlRefused["reason"], "invalid" | "not_found" | "reauthentication_required">, string>
> = {
  owner_required: "Only an owner of this workspace may do that. Nothing was changed.",
  key_revoked: "This key was revoked, and that is for ever. Nothing was changed.",
  change_request_closed: "This change was decided before. What became of it stands on the list.",
  last_owner: "A workspace keeps at least one owner. Make somebody else an owner first."
}

const listed = ({ issues }: ControlRefused): string =>
  issues.map(({ message, path }) => `${fieldWords(path)} ${message}.`).join(" ")

/** Why something was not done, as a page that leads back. */
const refusedPage = (viewer: Viewer, refused: ControlRefused, back: string): Reply => {
  const to = { path: back, text: "Go back" }
  switch (refused.reason) {
    case "not_found":
      return missingPage(viewer)
    case "reauthentication_required":
      return messagePage({
        status: 403,
        title: "Sign in again first",
        text: `This loosens something, and asks for a sign-in of the last ${FRESH_MINUTES} minutes. Nothing was changed. Sign in again: you come back to the page, and can repeat it there.`,
        viewer,
        to: { path: signInAgain(back), text: "Sign in again" }
      })
    case "invalid":
      return messagePage({
        status: 400,
        title: "Not done",
        text: `${listed(refused)} Nothing was changed.`,
        viewer,
        to
      })
    case "owner_required":
      return messagePage({ status: 403, title: "Not done", text: WORDS.owner_required, viewer, to })
    case "key_revoked":
    case "change_request_closed":
    case "last_owner":
      return messagePage({ status: 409, title: "Not done", text: WORDS[refused.reason], viewer, to })
  }
}

/**
 * Does what a form asks, then shows another page. What was typed wrongly is shown again on the form's own page, where
 * it has one.
 */
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
