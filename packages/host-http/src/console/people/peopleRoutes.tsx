import type { ErasureReport } from "@outbound/domain/control/erasure/Erasure.js"
import { type ImportReport, listedAddresses } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { freshOwner, mend, owner } from "@outbound/domain/control/access.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { Effect, Stream } from "effect"
import type { Reply } from "../../http/Reply.js"
import { count, grouped } from "../../web/Words.js"
import { acting, formPage, mayLoosen } from "../control/acting.js"
import { Facts, Field, Form, LinkLine, Note, NoteBox, type Problem, Section } from "../Parts.js"
import { titledPage, type Viewer } from "../Shell.js"
import { LIMITS } from "../../http/Limits.js"
import { asControl } from "../control/wire.js"
import { type ConsoleServices, type Inside, member, type Page, type Route } from "../Visit.js"

/** Links to the suppression list and to erasure. */
export const PeopleSection = () => (
  <Section id="people" title="People" isCard>
    <p>
      <a href="/console/settings/suppression">Suppression list</a>: import people who opted out elsewhere.
    </p>
    <p>
      <a href="/console/settings/erase">Erase a person</a>: permanently delete their data.
    </p>
  </Section>
)

/** How many invalid lines are shown. */
const LINES_SHOWN_MAX = 50

const Report = (props: { readonly of: ImportReport }) => {
  const { added, dryRun, known, leadsRemoved, rows, unusable, unusableRows } = props.of
  const shown = unusableRows.slice(0, LINES_SHOWN_MAX)
  return (
    <Section id="report" title={dryRun ? "Preview" : "Result"}>
      <NoteBox tone={unusable === rows ? "bad" : "good"} role="status">
        <p>
          {count(rows, "line")}: {grouped(added)} {dryRun ? "would be added" : "added"}, {grouped(known)} already on the
          list or repeated, {grouped(unusable)} invalid.
        </p>
        <p>
          {count(leadsRemoved, "lead")} {dryRun ? "would be removed" : "removed"} from running campaigns.
        </p>
        {dryRun ? <p>Nothing has been changed yet.</p> : null}
      </NoteBox>
      {shown.length === 0 ? null : (
        <div class="card">
          <p>Invalid lines:</p>
          <ul>
            {shown.map(({ line, reason }) => (
              <li key={line}>
                Line {grouped(line)}: {reason}
              </li>
            ))}
          </ul>
          {unusable > shown.length ? <p>and {grouped(unusable - shown.length)} more.</p> : null}
        </div>
      )}
    </Section>
  )
}

const ImportForm = (props: { readonly typed: string }) => (
  <Form class="card" action="/console/settings/suppression">
    <p class="field">
      <label for="f-addresses">Email addresses</label>
      <textarea
        id="f-addresses"
        name="addresses"
        rows={12}
        required
        spellcheck={false}
        autocomplete="off"
        aria-describedby="f-addresses-hint"
      >
        {props.typed}
      </textarea>
      <span class="hint" id="f-addresses-hint">
        One per line, at most about 30,000 lines at once.
      </span>
    </p>
    <div class="actions">
      <button type="submit" name="do" value="foresee">
        Preview
      </button>
      <button class="go" type="submit" name="do" value="import">
        Add to suppression list
      </button>
    </div>
  </Form>
)

const suppressionPage = (options: {
  readonly viewer: Viewer
  readonly report?: ImportReport
  /** The field's content. */
  readonly typed?: string
  readonly problem?: Problem | undefined
}): Reply => {
  const { problem, report, typed = "", viewer } = options
  return titledPage(
    {
      title: "Suppression list",
      viewer,
      at: "settings",
      isNarrow: true,
      lead: "Import people who opted out elsewhere. They are removed from running campaigns at once and never emailed again. Nobody can undo this. We store only hashes of their addresses.",
      problem
    },
    <>
      {report === undefined ? null : <Report of={report} />}
      {mayLoosen(viewer) ? (
        <ImportForm typed={typed} />
      ) : (
        <Note>You are a member. Only an owner can import a suppression list.</Note>
      )}
      <LinkLine to="/console/settings" text="Back to settings" />
    </>
  )
}

const ERASE = "/console/settings/erase"

/** Asks for the person's address. */
const erasePage = (options: { readonly viewer: Viewer; readonly problem?: Problem | undefined }): Reply => {
  const { problem, viewer } = options
  return formPage(
    {
      viewer,
      problem,
      title: "Erase a person",
      lead: "Permanently delete a person’s data from this workspace. You see what will be deleted before you confirm.",
      at: "settings",
      path: ERASE,
      loosening: "erase a person"
    },
    <>
      {mayLoosen(viewer) ? (
        <Form class="card" action={ERASE} autocomplete="off" button="Continue…">
          <Field label="Email" name="email" isEmail required maxLength={320} />
        </Form>
      ) : null}
      <LinkLine to="/console/settings" text="Back to settings" />
    </>
  )
}

/** Lists what erasing deletes and asks for a confirmation. */
const confirmErasePage = (viewer: Viewer, email: string): Reply =>
  titledPage(
    { title: "Erase this person?", viewer, at: "settings", isNarrow: true, heading: <>Erase {email}?</> },
    <>
      <Section id="goes" title="What is deleted" isCard>
        <ul>
          <li>
            their address, names, company and fields in every campaign; they leave campaigns that still email them
          </li>
          <li>their replies, our replies to them, and their unread mail</li>
          <li>stored results of calls that named them, and contacts stored for free repeat lookups</li>
          <li>their data in approvals, and their address in other people’s messages</li>
          <li>their address in the trail</li>
        </ul>
        <h2>What is kept</h2>
        <ul>
          <li>
            <strong>Their suppression.</strong> If they opted out, they are still never emailed. We keep a hash of the
            address, not the address.
          </li>
          <li>That they were emailed, and when. The trail keeps each event without the person.</li>
          <li>Mail in your own mailboxes, and your backups. Delete these yourself.</li>
        </ul>
        <p>
          Someone who has not opted out can be found and emailed again. To prevent that, first add them to the{" "}
          <a href="/console/settings/suppression">suppression list</a>.
        </p>
      </Section>
      <Form class="card" action={ERASE}>
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="confirmed" value="yes" />
        <div class="actions">
          <a class="button" href="/console/settings">
            Cancel{" "}
          </a>
          <button class="stop full" type="submit">
            Erase permanently
          </button>
        </div>
      </Form>
    </>
  )

const COUNTS = [
  ["leads", "Leads"],
  ["replies", "Replies"],
  ["answers", "Our replies"],
  ["waiting", "Unread mail"],
  ["outcomes", "Stored results"],
  ["contacts", "Stored contacts"],
  ["directory", "Directory entries"],
  ["mentions", "Mentions elsewhere"]
] as const

/** Reports what was deleted. */
const erasedPage = (viewer: Viewer, of: ErasureReport): Reply =>
  titledPage(
    { title: of.known ? "Person erased" : "Nothing to erase", viewer, at: "settings", isNarrow: true },
    <>
      <NoteBox tone="good" role="status">
        <p>{of.known ? "This data was permanently deleted." : "This workspace stores nothing about this person."}</p>
        <p>
          {of.suppressed
            ? "They stay on the suppression list and are never emailed."
            : "They are not on the suppression list, so they can be emailed again."}
        </p>
      </NoteBox>
      <Facts
        of={[
          ...COUNTS.map(([name, words]) => [words, grouped(of[name])] as const),
          ["Address in the trail", of.trail ? "deleted" : "not found"],
          ["Erasure id", of.erasureId]
        ]}
      />
      <LinkLine to="/console/settings" text="Back to settings" />
    </>
  )

const SUPPRESSION = "/console/settings/suppression"

const suppressionRoutes = (imports: NonNullable<ConsoleServices["imports"]>): ReadonlyArray<Route> => {
  const take = (visit: Inside): Page => {
    const { by, form, viewer } = visit
    const typed = form.get("addresses") ?? ""
    const dryRun = form.get("do") !== "import"
    const rows = listedAddresses(typed)
    const taken = Effect.gen(function* () {
      yield* owner(by)
      yield* mend(rows.length > 0 ? [] : [{ path: "addresses", message: "must contain at least one address" }])
      return yield* imports.take(by, Stream.fromIterable(rows), { dryRun })
    })
    return acting(visit, SUPPRESSION, taken, {
      done: (report) => suppressionPage({ viewer, report, typed: dryRun ? typed : "" }),
      again: (problem) => Effect.succeed(suppressionPage({ viewer, typed, problem }))
    })
  }
  return [
    member(SUPPRESSION, {
      get: ({ viewer }) => Effect.succeed(suppressionPage({ viewer })),
      post: take,
      formBytesMax: LIMITS.listFormBytesMax
    })
  ]
}

const erasureRoutes = (erasure: NonNullable<ConsoleServices["erasure"]>): ReadonlyArray<Route> => {
  const erase = (visit: Inside): Page => {
    const { by, form, viewer } = visit
    const typed = form.get("email") ?? ""
    const options = {
      again: (problem: NonNullable<Parameters<typeof erasePage>[0]["problem"]>) =>
        Effect.succeed(erasePage({ viewer, problem }))
    }
    if (form.get("confirmed") === "yes") {
      return acting(visit, ERASE, asControl(erasure.erase(by, typed)), {
        ...options,
        done: (report) => erasedPage(viewer, report)
      })
    }
    const asked = Effect.gen(function* () {
      yield* freshOwner(by)
      const email = usableEmail(typed)
      yield* mend(email === null ? [{ path: "email", message: "must be an email address" }] : [])
      return email ?? ""
    })
    return acting(visit, ERASE, asked, { ...options, done: (email) => confirmErasePage(viewer, email) })
  }
  return [member(ERASE, { get: ({ viewer }) => Effect.succeed(erasePage({ viewer })), post: erase })]
}

/** The suppression list, and erasure. */
export const peopleRoutes = ({ erasure, imports }: Pick<ConsoleServices, "erasure" | "imports">) => [
  ...(imports === null ? [] : suppressionRoutes(imports)),
  ...(erasure === null ? [] : erasureRoutes(erasure))
]
