import type { PersonFile } from "@outbound/domain/control/personFile/PersonFile.js"
import type { PersonRequest } from "@outbound/domain/control/personFile/PersonRecords.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { Reply } from "../../http/Reply.js"
import { dayWordsIn, grouped, Moment } from "../../web/Words.js"
import { Facts, Field, Form, LinkLine, Nothing, type Problem, Section, Table } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"

export const PERSON = "/console/settings/person"

const ASKS = { access: "What you hold about them", erasure: "To be erased" } as const

/** A legal answer to a request for access is due within a month (Art. 12(3) GDPR). */
const DUE_DAYS = 30

/** Asks for the person's address, and lists what people ask. */
export const personPage = (options: {
  readonly viewer: Viewer
  readonly requests: ReadonlyArray<PersonRequest>
  readonly problem?: Problem | undefined
}): Reply => {
  const { problem, requests, viewer } = options
  return titledPage(
    {
      title: "One person’s file",
      viewer,
      at: "settings",
      isNarrow: true,
      lead: "Everything that this workspace holds about one address, and nothing about anybody else: the answer to a request for access.",
      problem
    },
    <>
      <Form class="card" action={PERSON} autocomplete="off" button="Show">
        <Field label="Email" name="email" isEmail required maxLength={320} />
      </Form>
      <Section id="asked" title="What people ask">
        {requests.length === 0 ? (
          <Nothing>Nobody asks for anything.</Nothing>
        ) : (
          requests.map(({ ask, askedAtMillis, email }) => (
            <div class="card">
              <Facts
                isInCard
                of={[
                  ["From", email],
                  ["Asks", ASKS[ask]],
                  ["Asked", <Moment atMillis={askedAtMillis} />],
                  ["Answer due", dayWordsIn(viewer.zone, askedAtMillis + DUE_DAYS * DAY_MILLIS)]
                ]}
              />
              {ask === "access" ? (
                <Form action={PERSON} button="Show their file">
                  <input type="hidden" name="email" value={email} />
                </Form>
              ) : (
                <Form action="/console/settings/erase" button="Erase them…">
                  <input type="hidden" name="email" value={email} />
                </Form>
              )}
            </div>
          ))
        )}
      </Section>
      <LinkLine to="/console/settings" text="Back to settings" />
    </>
  )
}

const at = (instant: string | null) => (instant === null ? "" : <Moment atMillis={Date.parse(instant)} />)

/** Most rows of a table on the page; the file has all. */
const SHOWN_MAX = 200

/** A person's file, to read, to print and to download. */
export const personFilePage = (viewer: Viewer, file: PersonFile): Reply => {
  const { answers, events, leads, messages, replies, suppressions, verdicts } = file.sections
  return titledPage(
    { title: "One person’s file", viewer, at: "settings", heading: <>What is held about {file.email}</> },
    <>
      <Facts
        of={[
          ["Held by", file.workspace.name],
          ["Postal address", file.workspace.postalAddress ?? "not set"],
          ["Made", <Moment atMillis={file.madeAtMillis} />],
          ["Campaigns", grouped(leads.length)],
          ["Stored results", grouped(file.found.length)],
          [
            "Address checked",
            verdicts.length === 0
              ? "never, or too long ago"
              : verdicts.map(({ checked_at, status }) => (
                  <>
                    {status.replaceAll("_", " ")}, <Moment atMillis={Date.parse(checked_at)} />
                  </>
                ))
          ],
          [
            "Suppressed",
            suppressions.length === 0 ? "no" : suppressions.map(({ source }) => source.replaceAll("_", " ")).join(", ")
          ]
        ]}
      />
      <Form action={PERSON} button="Download the file (JSON)">
        <input type="hidden" name="email" value={file.email} />
        <input type="hidden" name="download" value="yes" />
      </Form>
      <Section id="origins" title="Where the address came from">
        <Table
          head={["When", "How", "By", "Sources"]}
          rows={file.origins
            .slice(0, SHOWN_MAX)
            .map(({ at: when, by, file: name, how, line, sources }) => [
              at(when),
              `${how.replaceAll("_", " ")}${line === null ? "" : `, line ${line} of ${name ?? "an uploaded table"}`}`,
              by ?? "a person of the workspace",
              sources.map(({ licence, name }) => (licence === null ? name : `${name} (${licence})`)).join(", ") || "–"
            ])}
          none="This is not known any more."
        />
      </Section>
      <Section id="messages" title="What was sent">
        <Table
          head={["When", "From", "Subject"]}
          rows={messages
            .filter(({ sent_at }) => sent_at !== null)
            .slice(0, SHOWN_MAX)
            .map(({ from_email, sent_at, subject }) => [at(sent_at), from_email, subject ?? ""])}
          none="Nothing."
        />
      </Section>
      <Section id="replies" title="What they answered">
        <Table
          head={["When", "Subject", "Text"]}
          rows={replies
            .slice(0, SHOWN_MAX)
            .map(({ body_text, received_at, subject }) => [at(received_at), subject, body_text])}
          none="Nothing."
        />
      </Section>
      <Section id="answers" title="What was answered to them">
        <Table
          head={["When", "Subject", "Text"]}
          rows={answers.slice(0, SHOWN_MAX).map(({ body_text, sent_at, subject }) => [at(sent_at), subject, body_text])}
          none="Nothing."
        />
      </Section>
      <Section id="events" title="The trail">
        <Table
          head={["When", "What", "Seal"]}
          rows={events
            .slice(0, SHOWN_MAX)
            .map(({ kind, observed_at, seal }) => [at(observed_at), kind.replaceAll("_", " "), seal ?? "not yet"])}
          none="Nothing."
        />
      </Section>
      <LinkLine to={PERSON} text="Another person" />
    </>
  )
}
