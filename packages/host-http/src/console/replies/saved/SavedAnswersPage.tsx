import type { Versioned } from "@outbound/domain/control/SavedAnswers.js"
import { SAVED_ANSWERS_MAX, SAVED_CHARS_MAX, TITLE_CHARS_MAX } from "@outbound/domain/outreach/replies/savedAnswer.js"
import type { Reply } from "../../../http/Reply.js"
import { count, Moment } from "../../../web/Words.js"
import { Marked } from "../../approvals/Marked.js"
import { Cards, Field, fitted, Form, Note, type Problem, Section, useTyped } from "../../Parts.js"
import { maySend } from "../../roles.js"
import { saidOf, titledPage } from "../../Shell.js"
import type { Viewer } from "../../Viewer.js"

export const SAVED_PATH = "/console/replies/saved"

/** The most bytes of each that the list shows; its form has it whole. */
const SHOWN_BYTES_MAX = 800

const DONE: Readonly<Record<string, string>> = {
  saved: "Saved. You find it below every reply that you answer.",
  removed: "The saved answer is removed."
}

const Text = (props: { readonly value: string }) => (
  <p class="field">
    <label for="f-text">Text</label>
    <textarea id="f-text" name="text" rows={8} required maxLength={SAVED_CHARS_MAX} aria-describedby="f-text-hint">
      {useTyped()?.get("text") ?? props.value}
    </textarea>
    <span class="hint" id="f-text-hint">
      {"{{first_name|there}}"} stands for the person’s first name, and for “there” if nobody knows it; so do{" "}
      {"{{last_name}}"}, {"{{company_name}}"} and {"{{custom.<name>}}"}. What has no value stays for you to fill in.
    </span>
  </p>
)

const Editing = (props: { readonly of: Versioned | null }) => (
  <Section id="form" title={props.of === null ? "A new one" : "Change it"}>
    <Form class="card" action={SAVED_PATH} button="Save">
      {props.of === null ? null : (
        <>
          <input type="hidden" name="id" value={props.of.savedAnswerId} />
          <input type="hidden" name="version" value={props.of.version} />
        </>
      )}
      <Field label="Title" name="title" value={props.of?.title ?? ""} required maxLength={TITLE_CHARS_MAX} />
      <Text value={props.of?.body ?? ""} />
    </Form>
  </Section>
)

/** The texts that people saved for their answers, and the form for one of them or a new one. */
export const savedAnswersPage = (options: {
  readonly viewer: Viewer
  readonly of: ReadonlyArray<Versioned>
  /** The one whose form is shown; null: a new one's. */
  readonly edited: Versioned | null
  readonly done: string | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { done, edited, of, problem, viewer } = options
  const mayWrite = maySend(viewer.signedIn.role, SAVED_PATH)
  return titledPage(
    {
      said: saidOf(DONE, done),
      problem,
      title: "Saved answers",
      viewer,
      at: "replies",
      isNarrow: true,
      lead: (
        <>
          Texts of yours for answers to replies. Agents read them and draft from them; only people change them, and
          nothing is sent before a person presses the button below it. <a href="/console/replies">Back to replies</a>
        </>
      )
    },
    <>
      {mayWrite ? null : <Note>Your role is {viewer.signedIn.role}: you can read these, and not change them.</Note>}
      <Cards
        of={of}
        none="No saved answers yet."
        each={({ body, savedAnswerId, savedAtMillis, savedBy, title, version }) => {
          const shown = fitted(body, SHOWN_BYTES_MAX)
          return (
            <li class="card">
              <h2>
                <Marked text={title} />
              </h2>
              <div class="mail">
                <Marked text={shown.text} />
                {shown.isCut ? "…" : ""}
              </div>
              <p class="soft">
                Saved by {savedBy}, <Moment atMillis={savedAtMillis} />
              </p>
              {mayWrite ? (
                <div class="actions">
                  <a class="button" href={`${SAVED_PATH}?edit=${savedAnswerId}#form`}>
                    Change<span class="unseen"> {title}</span>
                  </a>
                  <a
                    class="button stop"
                    href={`${SAVED_PATH}/remove?${new URLSearchParams({ id: savedAnswerId, version }).toString()}`}
                  >
                    Remove…<span class="unseen"> {title}</span>
                  </a>
                </div>
              ) : null}
            </li>
          )
        }}
      />
      {of.length >= SAVED_ANSWERS_MAX && edited === null ? (
        <p class="soft">{count(SAVED_ANSWERS_MAX, "saved answer")} are the most that there can be.</p>
      ) : mayWrite ? (
        <Editing of={edited} />
      ) : null}
    </>
  )
}
