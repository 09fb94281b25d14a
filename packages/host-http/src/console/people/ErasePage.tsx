import type { ErasureReport } from "@outbound/domain/control/erasure/Erasure.js"
import type { Reply } from "../../http/Reply.js"
import { grouped } from "../../web/Words.js"
import { formPage, mayLoosen } from "../control/acting.js"
import { Facts, Field, Form, LinkLine, NoteBox, type Problem, Section } from "../Parts.js"
import { titledPage, type Viewer } from "../Shell.js"

export const ERASE = "/console/settings/erase"

/** Asks for the person's address. */
export const erasePage = (options: { readonly viewer: Viewer; readonly problem?: Problem | undefined }): Reply => {
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
export const confirmErasePage = (viewer: Viewer, email: string): Reply =>
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
export const erasedPage = (viewer: Viewer, of: ErasureReport): Reply =>
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
