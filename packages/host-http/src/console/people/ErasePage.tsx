import type { ErasureReport } from "@outbound/domain/control/erasure/Erasure.js"
import { Fragment } from "preact"
import type { Reply } from "../../http/Reply.js"
import { grouped } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { formPage } from "../control/formPage.js"
import { Csrf, Field, Note, type Problem } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"

export const ERASE = "/console/settings/erase"

const Back = () => (
  <p>
    <a href="/console/settings">Back to settings</a>
  </p>
)

/** Whose data it is. */
export const erasePage = (options: {
  readonly viewer: Viewer
  readonly nowMillis: number
  readonly problem?: Problem | undefined
}): Reply => {
  const { nowMillis, problem, viewer } = options
  return formPage({
    viewer,
    nowMillis,
    problem,
    title: "Erase a person",
    lead: "Takes what this workspace keeps of a person away, for good. First it is said what that is.",
    at: "settings",
    path: ERASE,
    loosening: "erase a person",
    children: (
      <>
        {mayLoosen(viewer) ? (
          <form class="card" method="post" action={ERASE} autocomplete="off">
            <Csrf viewer={viewer} />
            <Field
              label="Their address"
              name="email"
              isEmail
              required
              maxLength={320}
              value={problem?.form.get("email") ?? ""}
            />
            <button type="submit">Go on…</button>
          </form>
        ) : null}
        <Back />
      </>
    )
  })
}

/** What it will do, said first. */
export const confirmErasePage = (viewer: Viewer, email: string): Reply =>
  consolePage({
    title: "Erase this person?",
    viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <h1>Erase {email}?</h1>
        <section class="card" aria-labelledby="goes">
          <h2 id="goes">What goes, for good</h2>
          <ul>
            <li>
              their address, names, company and fields in every campaign; who has not come to an end there leaves it
            </li>
            <li>their replies, our answers to them, and mail of theirs that nobody has read yet</li>
            <li>what calls are remembered by that named them, and contacts kept for free repeats</li>
            <li>what approvals show of them, and their address in the words of others</li>
            <li>their address in the trail</li>
          </ul>
          <h2>What stays</h2>
          <ul>
            <li>
              <strong>The suppression.</strong> If they said no, they are still never written to: that is kept as a hash
              of the address, without the address.
            </li>
            <li>That they were written to, and when: the trail keeps what happened, without who it was.</li>
            <li>Mail in your own mailboxes, and your backups: these are yours to clear.</li>
          </ul>
          <p>
            Who has not said no may be found and written to again. Put them on{" "}
            <a href="/console/settings/suppression">the list of people never to write to</a> first, if they shall not.
          </p>
        </section>
        <form class="card" method="post" action={ERASE}>
          <Csrf viewer={viewer} />
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="confirmed" value="yes" />
          <div class="actions">
            <a class="button" href="/console/settings">
              Don’t
            </a>
            <button class="stop full" type="submit">
              Erase for good
            </button>
          </div>
        </form>
      </>
    )
  })

const COUNTS = [
  ["leads", "Leads"],
  ["replies", "Replies"],
  ["answers", "Answers of ours"],
  ["waiting", "Mail not read yet"],
  ["outcomes", "Remembered outcomes"],
  ["contacts", "Kept contacts"],
  ["directory", "People of the directory"],
  ["mentions", "Mentions elsewhere"]
] as const

/** What it did. */
export const erasedPage = (viewer: Viewer, of: ErasureReport): Reply =>
  consolePage({
    title: of.known ? "The person is erased" : "Nothing to erase",
    viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <h1>{of.known ? "The person is erased" : "Nothing to erase"}</h1>
        <Note tone="good" role="status">
          <p>{of.known ? "What is listed here is gone, for good." : "Nothing is stored of this person."}</p>
          <p>
            {of.suppressed
              ? "They stay on the list of those who are never written to."
              : "They had not said no, and are on no list."}
          </p>
        </Note>
        <dl class="facts card">
          {COUNTS.map(([name, words]) => (
            <Fragment key={name}>
              <dt>{words}</dt>
              <dd>{grouped(of[name])}</dd>
            </Fragment>
          ))}
          <dt>Address in the trail</dt>
          <dd>{of.trail ? "taken out" : "was not there"}</dd>
          <dt>Erasure</dt>
          <dd>{of.erasureId}</dd>
        </dl>
        <Back />
      </>
    )
  })
