import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { maybe, pages } from "../pages.js"
import { Erasure, type ErasureReport } from "@outbound/domain/control/erasure/Erasure.js"
import { freshOwner, mend } from "@outbound/domain/control/access.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { grouped } from "../../web/Words.js"
import { personRoutes } from "./personRoutes.js"
import { suppressionRoutes } from "./suppressionRoutes.js"
import { acting, formPage, mayLoosen } from "../control/acting.js"
import { Facts, Field, Form, LinkLine, NoteBox, type Problem, Section } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { asControl } from "../control/wire.js"
import { type Inside, member, type Page, type Route } from "../Visit.js"

/** Links to the suppression list and to erasure. */
export const PeopleSection = () => (
  <Section id="people" title="People" isCard>
    <p>
      <a href="/console/settings/suppression">Suppression list</a>: import people who opted out elsewhere.
    </p>
    <p>
      <a href="/console/settings/person">One person’s file</a>: everything that is held about an address, and what
      people ask.
    </p>
    <p>
      <a href="/console/settings/erase">Erase a person</a>: permanently delete their data.
    </p>
  </Section>
)

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

const erasureRoutes = (erasure: Erasure["Service"]): ReadonlyArray<Route> => {
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

/** The suppression list, one person's file, and erasure. */
export const peoplePages = pages(
  { erasure: maybe(Erasure), files: maybe(PersonFiles), imports: maybe(SuppressionImport) },
  ({ erasure, files, imports }) => [
    ...(files === null ? [] : personRoutes(files)),
    ...(imports === null ? [] : suppressionRoutes(imports)),
    ...(erasure === null ? [] : erasureRoutes(erasure))
  ]
)
