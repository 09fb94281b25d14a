import { Control } from "@outbound/domain/control/Control.js"
import { maybe, pages } from "../../console/pages.js"
import {
  type CrmStanding,
  type CrmView,
  NAMED_MAX,
  USUAL_POLICY,
  CrmAdmin
} from "@outbound/domain/wings/crm/CrmAdmin.js"
import type { Member } from "@outbound/domain/control/users/UserStore.js"
import type { CrmVendor } from "@outbound/domain/wings/crm/Crm.js"
import type { CrmTrouble, MappedOwner } from "@outbound/domain/wings/crm/CrmStore.js"
import { type CrmPolicy } from "@outbound/domain/wings/crm/marks.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { count, Moment } from "../../web/Words.js"
import { acting, isOn, MayNote } from "../../console/control/acting.js"
import { Choice } from "../../console/control/Choice.js"
import { Badge, Cards, Facts, Field, Form, Note, type Problem, Section, useTyped } from "../../console/Parts.js"
import { saidOf, titledPage } from "../../console/Shell.js"
import type { Viewer } from "../../console/Viewer.js"
import { formsOf } from "../../console/control/formsOf.js"
import { type Inside, member, type Page } from "../../console/Visit.js"

export const CRM_PATH = "/console/settings/crm"

const DONE: Readonly<Record<string, string>> = {
  connected: "The CRM is connected. It is being read now.",
  policy: "Your choice is saved.",
  owner: "The owner is saved.",
  removed: "The CRM is disconnected. It keeps nobody out any more."
}

const TROUBLE_WORDS: Readonly<Record<CrmTrouble, string>> = {
  account: "It refuses the key, or the key lacks a permission. Paste another one below.",
  rate_limited: "It asks us to wait. We go on by ourselves.",
  transient: "It can’t be reached, or its answer made no sense. We try again by ourselves.",
  unknown_outcome: "An answer was lost. We look up what became of it.",
  invalid: "It does not understand a request. Tell the operator of this service.",
  private_address:
    "It is at an address of a private network, to which this service does not connect. The operator can allow it: OUTBOUND_CRM_HOSTS.",
  sealed: "The key can’t be decrypted any more. Paste it again below.",
  no_contact: "A person has no record there.",
  erased: "A person was erased."
}

const Policy = (props: { readonly of: CrmPolicy }) => (
  <>
    <fieldset>
      <legend>Leave out of campaigns</legend>
      <p class="hint">People who opted out of email there, or to whom mail came back, are always left out.</p>
      <Choice
        name="keeps_customers"
        label="Customers"
        hint="The person, and everybody at their company."
        isOn={props.of.keepsCustomers}
      />
      <Choice
        name="keeps_open_deals"
        label="People with an open deal"
        hint="The person, and everybody at their company."
        isOn={props.of.keepsOpenDeals}
      />
      <Choice
        name="keeps_owned"
        label="What somebody else owns"
        hint="People and companies whose owner there is none of this workspace’s members."
        isOn={props.of.keepsOwned}
      />
    </fieldset>
    <fieldset>
      <legend>Write into the CRM, as notes</legend>
      <Choice name="writes_replies" label="Replies" isOn={props.of.writesReplies} />
      <Choice name="writes_meetings" label="Booked meetings" isOn={props.of.writesMeetings} />
      <Choice
        name="creates_contacts"
        label="Add people who have no record there"
        hint="Otherwise nothing is written of them."
        isOn={props.of.createsContacts}
      />
    </fieldset>
  </>
)

const Standing = (props: { readonly of: CrmView }) => {
  const { addedAtMillis, addedBy, address, isHolding, isUsable, last4, named, reading, title, writes } = props.of
  const trouble = isUsable ? reading.trouble : "sealed"
  return (
    <Section
      id="standing"
      title={
        <>
          {title} {trouble === null ? <Badge tone="good">Connected</Badge> : <Badge tone="bad">Trouble</Badge>}
        </>
      }
      isCard
    >
      {trouble === null ? null : <p>{TROUBLE_WORDS[trouble]}</p>}
      {isHolding ? (
        <Note tone="bad">
          Nothing is sent: the CRM was not read within the last day, so nobody knows whom it leaves out. Sending goes on
          as soon as it was read.
        </Note>
      ) : null}
      <Facts
        isInCard
        of={[
          address === null ? null : ["Address", address],
          [
            "Key",
            <>
              ending in <code>{last4}</code>, added by {addedBy}, <Moment atMillis={addedAtMillis} />
            </>
          ],
          ["Last read", reading.readAtMillis === null ? "not yet" : <Moment atMillis={reading.readAtMillis} />],
          [
            "It names",
            <>
              {count(named, "person or company", "people and companies")}
              {named < NAMED_MAX ? null : " or more"}
            </>
          ],
          [
            "Notes",
            <>
              {writes.written} written, {writes.open} waiting, {writes.failed} failed
            </>
          ]
        ]}
      />
    </Section>
  )
}

const OwnerItem = (props: { readonly of: MappedOwner; readonly members: ReadonlyArray<Member> }) => {
  const { email, name, ref, userId } = props.of
  return (
    <li class="card">
      <Form action={`${CRM_PATH}/owner`} button="Save" about={`who ${name} is`}>
        <input type="hidden" name="owner" value={ref} />
        <p class="field">
          <label for={`f-owner-${ref}`}>
            {name}
            {email === null || email === name ? null : <span class="soft"> {email}</span>}
          </label>
          <select id={`f-owner-${ref}`} name="member">
            <option value="" selected={userId === null}>
              Nobody here
            </option>
            {props.members.map((member) => (
              <option key={member.userId} value={member.userId} selected={member.userId === userId}>
                {member.email}
              </option>
            ))}
          </select>
        </p>
      </Form>
    </li>
  )
}

/** What opens an account at one CRM. What is no secret is filled in again. */
const Access = (props: { readonly of: CrmVendor; readonly connection: CrmView | null }) => {
  const { asks, hint, name } = props.of
  const known = props.connection?.vendor === name ? props.connection : null
  return (
    <>
      <p class="soft">{hint}</p>
      {asks === undefined ? null : (
        <Field
          label="Address"
          name="address"
          required
          maxLength={300}
          value={known?.address ?? ""}
          hint={`Such as ${asks.address.example}. The key is sent nowhere else.`}
        />
      )}
      {asks?.clientId === undefined ? null : (
        <Field label={asks.clientId} name="client_id" required maxLength={512} value={known?.clientId ?? ""} />
      )}
      <Field
        label={asks?.key ?? "Key"}
        name="secret"
        isSecret
        required
        maxLength={4096}
        hint="Stored encrypted and never shown again."
      />
    </>
  )
}

const Connect = (props: {
  readonly standing: CrmStanding
  /** The CRM whose form is wanted; null: none was chosen. */
  readonly chosen: string | null
}) => {
  const { chosen, standing } = props
  const { connection, offered } = standing
  const wanted = useTyped()?.get("vendor") ?? chosen ?? connection?.vendor
  const vendor = offered.find(({ name }) => name === wanted) ?? (offered.length === 1 ? offered[0] : undefined)
  return (
    <Section id="connect" title={connection === null ? "Connect a CRM" : "Replace the key, or the CRM"} isCard>
      {offered.length < 2 ? null : (
        <nav aria-label="CRMs">
          <ul class="tiles">
            {offered.map(({ name, title }) => (
              <li key={name}>
                <a href={`${CRM_PATH}?crm=${name}#connect`} aria-current={name === vendor?.name ? "true" : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {vendor === undefined ? (
        <p>Choose yours.</p>
      ) : (
        <Form
          action={`${CRM_PATH}/connect`}
          button={
            connection === null ? "Connect" : vendor.name === connection.vendor ? "Replace the key" : "Replace the CRM"
          }
          about={vendor.title}
        >
          <input type="hidden" name="vendor" value={vendor.name} />
          <Access of={vendor} connection={connection} />
          {connection === null ? <Policy of={USUAL_POLICY} /> : null}
        </Form>
      )}
    </Section>
  )
}

/** The workspace's CRM: whom it leaves out, what is written back, and who its owners are. */
const crmPage = (options: {
  readonly viewer: Viewer
  readonly standing: CrmStanding
  readonly members: ReadonlyArray<Member>
  readonly chosen: string | null
  readonly done: string | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { chosen, done, members, problem, standing, viewer } = options
  const { connection } = standing
  return titledPage(
    {
      said: saidOf(DONE, done),
      problem,
      title: "CRM",
      viewer,
      at: "settings",
      isNarrow: true,
      lead: "Leave your customers and open deals out of campaigns, and see replies where your team works."
    },
    <>
      <MayNote path={CRM_PATH} loosening="connect a CRM, leave fewer people out, or disconnect it" />
      <div class="stack">
        {connection === null ? null : (
          <>
            <Standing of={connection} />
            <Form class="card" action={`${CRM_PATH}/policy`} button="Save">
              <h2>What it does</h2>
              <Policy of={connection.policy} />
            </Form>
          </>
        )}
        {connection === null || connection.owners.length === 0 ? null : (
          <Section id="owners" title="Who owns records there">
            <p class="soft">
              Records that belong to a member of this workspace do not count as somebody else’s. Notes about a
              campaign’s people are written in the name of the member who approved it.
            </p>
            <Cards of={connection.owners} each={(of) => <OwnerItem of={of} members={members} />} />
          </Section>
        )}
        <Connect standing={standing} chosen={chosen} />
        {connection === null ? null : (
          <Form class="card" action={`${CRM_PATH}/remove`} button="Disconnect" tone="stop">
            <h2>Disconnect</h2>
            <p>What was read is forgotten. It keeps nobody out any more, and nothing more is written there.</p>
          </Form>
        )}
      </div>
    </>
  )
}

const policyOf = (form: URLSearchParams): CrmPolicy => ({
  keepsCustomers: isOn(form, "keeps_customers"),
  keepsOpenDeals: isOn(form, "keeps_open_deals"),
  keepsOwned: isOn(form, "keeps_owned"),
  writesReplies: isOn(form, "writes_replies"),
  writesMeetings: isOn(form, "writes_meetings"),
  createsContacts: isOn(form, "creates_contacts")
})

export const crmPages = pages({ control: Control, crm: maybe(CrmAdmin) }, ({ control, crm }) => {
  if (crm === null) return []

  const show = (visit: Inside, problem?: Problem): Page => {
    const { by, query, viewer } = visit
    const shown = Effect.gen(function* () {
      const standing = yield* crm.standing(by)
      const members = yield* control.members(by)
      return crmPage({ viewer, standing, members, chosen: query.get("crm"), done: query.get("done"), problem })
    })
    return acting(visit, "/console/settings", shown, { done: (page) => page })
  }

  const { route } = formsOf(CRM_PATH, show)

  return [
    member(CRM_PATH, { get: (visit) => show(visit) }),
    route("connect", "connected", ({ by, form: given }) =>
      crm.connect(by, {
        vendor: given.get("vendor") ?? "",
        address: given.get("address") ?? "",
        clientId: given.get("client_id") ?? "",
        secret: given.get("secret") ?? "",
        // A form that replaces the key says nothing of it.
        policy: given.has("keeps_customers") ? policyOf(given) : null
      })
    ),
    route("policy", "policy", ({ by, form: given }) => crm.setPolicy(by, policyOf(given))),
    route("owner", "owner", ({ by, form: given }) =>
      crm.mapOwner(by, given.get("owner") ?? "", given.get("member") || null)
    ),
    route("remove", "removed", ({ by }) => crm.remove(by))
  ]
})
