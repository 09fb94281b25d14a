import { assert } from "@effect/vitest"
import type { MailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import type { BedUser } from "@outbound/testkit/mail/bed/postfixFiles.js"
import { Effect } from "effect"
import type { Auditor } from "./Books.js"
import { call, range } from "./Client.js"
import { type Host, operate } from "./Host.js"
import type { Place } from "./Place.js"
import { approved } from "./Sending.js"
import { makeTenant, type Tenant } from "./Tenant.js"

export const SCOPES = ["data:read", "campaign:write", "campaign:launch", "assets:purchase", "trail:read"]

/** Mail that leaves names an address that its readers could reach, as if a proxy stood before the service. */
const PUBLIC_URL = "https://outbound.test"

const PASSWORD = "correct horse battery"

/** At any time, so that what holds messages back is never the hour at which the tests run. */
export const ALWAYS = {
  timezone: "UTC",
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  start_hour: 0,
  end_hour: 24
}

/** Not before the day after tomorrow. */
export const laterThisWeek = () => {
  const day = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][(new Date().getUTCDay() + 3) % 7]
  return { ...ALWAYS, days: [day] }
}

export const salesUsers = (count: number): ReadonlyArray<BedUser> =>
  range(count).map((index) => ({ address: `sales${index}@sales.test`, password: PASSWORD }))

export const peopleOf = (tag: string, count: number): ReadonlyArray<string> =>
  range(count).map((index) => `${tag}${index}@people.test`)

/** The place of a service that trusts the bed's servers. */
export const beside = <P extends Place>(place: P, bed: MailBed): P => ({
  ...place,
  environment: {
    ...place.environment,
    OUTBOUND_BASE_URL: PUBLIC_URL,
    OUTBOUND_MAIL_CA: bed.authorityFile,
    BED_PASSWORD: PASSWORD
  }
})

export const liveTenant = (place: Place) =>
  makeTenant(place, { credits: 300, scopes: SCOPES, postalAddress: "1 Main Street, Springfield" })

/** Adds mailboxes by the operator's program: with TLS from the first byte, and by STARTTLS, in turn. */
export const addMailboxes = (place: Place, bed: MailBed, tenant: Tenant, users: ReadonlyArray<BedUser>) =>
  Effect.forEach(
    users.map(({ address }, index) => ({ address, index })),
    ({ address, index }) => {
      const { imap, imaps, submission, submissions } = bed.ports
      const servers =
        index % 2 === 0
          ? ["--smtp", `smtps://localhost:${submissions}`, "--imap", `imaps://localhost:${imaps}`]
          : ["--smtp", `smtp+starttls://localhost:${submission}`, "--imap", `imap+starttls://localhost:${imap}`]
      const whose = ["--workspace", tenant.workspaceId, "--address", address, "--name", "Jo Doe"]
      return operate(place, "mailbox", "add", ...whose, ...servers, "--password-env", "BED_PASSWORD")
    },
    { concurrency: 8 }
  )

/** Mailboxes that send a lot elsewhere, in a workspace whose caps are so high that a mailbox rests for a second after each. */
export const growUp = ({ change }: Auditor, { workspaceId }: Tenant) =>
  Effect.gen(function* () {
    yield* change(
      `UPDATE mailboxes SET created_at = created_at - interval '60 days', declared_sends = 1000000,
        declared_since = now() - interval '61 days', declared_at = now() WHERE workspace_id = $1`,
      workspaceId
    )
    yield* setCap({ change }, workspaceId, 1_000_000)
  })

/** The bed's domains are in no DNS, so the workspace does not ask that they are authenticated. */
export const setCap = ({ change }: Pick<Auditor, "change">, workspaceId: string, perDay: number) =>
  Effect.andThen(
    change("UPDATE workspace_rules SET authentication = 'warn' WHERE workspace_id = $1", workspaceId),
    change(
      "UPDATE workspaces SET daily_sends = greatest($2, 1000000), mailbox_daily_sends = $2 WHERE workspace_id = $1",
      workspaceId,
      perDay
    )
  )

/** A campaign that the owner approved in the console. Its id. */
export const launched = (
  place: Place,
  host: Host,
  tenant: Tenant,
  name: string,
  people: ReadonlyArray<string>,
  more: Readonly<Record<string, unknown>> = {}
) =>
  Effect.gen(function* () {
    const draft = {
      name,
      recipients: people.map((email, index) => ({ email, first_name: `Zoë ${index}` })),
      sequence: [
        { subject: "Für {{first_name}}", body: "Hello {{first_name}}" },
        { body: "Hello again", wait_days: 3 }
      ],
      schedule: ALWAYS,
      ...more
    }
    const created = yield* call(host, tenant.apiKey, "create_campaign", draft, `draft ${name}`)
    assert.strictEqual(created.status, 200, created.text)
    const campaign_id = created.json.result.campaign_id as string
    const launch = yield* approved(place, host, tenant, "launch_campaign", { campaign_id }, `ask ${name}`)
    const answer = yield* call(host, tenant.apiKey, launch.verb, launch.body, `launch ${name}`)
    assert.strictEqual(answer.status, 200, answer.text)
    assert.strictEqual(answer.json.result.leads_active, people.length)
    return campaign_id
  })

/** Who got something, with how much. */
export const countsOf = (bed: MailBed, people: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map(people.map((email) => [email, bed.inbox(email).length]))

/** A person answers the first message that they got, as mail programs do. */
export const answer = (
  bed: MailBed,
  person: string,
  body: ReadonlyArray<string>,
  headers: ReadonlyArray<string> = []
): Effect.Effect<void> =>
  Effect.promise(() => {
    const [first] = bed.inbox(person)
    if (first === undefined) throw new Error(`${person} has no mail to answer`)
    const to = /<([^<>]+)>/.exec(first.header("from"))?.[1] ?? first.header("from")
    const id = first.header("message-id")
    return bed.post({
      from: person,
      to,
      lines: [
        `From: <${person}>`,
        `To: <${to}>`,
        `Subject: Re: ${first.header("subject")}`,
        `Message-ID: <answer-${person}>`,
        `In-Reply-To: ${id}`,
        `References: ${id}`,
        `Date: ${new Date().toUTCString()}`,
        ...headers,
        "",
        ...body,
        "",
        `On Thu, 19 Nov 2026 at 10:00, Jo Doe <${to}> wrote:`,
        "> Hello"
      ]
    })
  })
