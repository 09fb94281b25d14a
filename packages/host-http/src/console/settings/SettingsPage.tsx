import type { SettingsLink } from "../../wings/WingConsole.js"
import { type Member, type Role, ROLES } from "@outbound/domain/control/users/UserStore.js"
import type { Passkey } from "@outbound/domain/control/users/PasskeyStore.js"
import type { Overlap, Workspace, WorkspaceCaps } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Badge, Cards, Field, Form, Pager, type Problem, Section, Select } from "../Parts.js"
import { saidOf, titledPage } from "../Shell.js"
import { useViewer, type Viewer } from "../Viewer.js"
import type { Listing } from "../paging.js"
import { Script, SCRIPTED } from "../../web/Scripted.js"
import { PeopleSection } from "../people/peopleRoutes.js"
import { PasskeysSection, SessionsSection } from "./PasskeysSection.js"
import { WORDS_PATH } from "../../web/wordsNames.js"
import { RulesSection } from "./RulesSection.js"
import { ZoneSection } from "./ZoneSection.js"

/** Confirmations, by the `done` parameter of the URL. */
const DONE: Readonly<Record<string, string>> = {
  address: "The postal address is saved.",
  caps: "The caps are saved.",
  replies: "The setting for outgoing replies is saved.",
  overlap: "The setting for people in two campaigns is saved.",
  invited: "The member was added. We have sent them an email.",
  passkey: "The passkey is added.",
  "passkey-removed": "The passkey is removed and can’t be used to sign in any more.",
  member:
    "The member was added. Ask the operator of this service for a sign-in link: outbound sign-in-link --email THEIR-ADDRESS",
  rules: "The rules of launches are saved.",
  zone: "Times are shown in your time zone now.",
  role: "The role is saved.",
  removed: "The member was removed.",
  cleared: "Sending can resume. Stopped campaigns stay paused; rebuild them as new drafts."
}

const ROLE_CHOICES = [
  ["member", "Member: can decide on approvals and tighten limits"],
  ["approver", "Approver: can decide on approvals, and read"],
  ["reader", "Reader: can read"],
  ["owner", "Owner: can do everything"]
] as const

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: "Owner",
  member: "Member",
  approver: "Approver",
  reader: "Reader"
}

const Sending = () => {
  const viewer = useViewer()
  const { suspendedAtMillis } = viewer.standing
  const isOwner = mayLoosen(viewer)
  return (
    <Section id="sending" title="Stop all sending" isCard>
      {suspendedAtMillis === null ? (
        <>
          <p>In an emergency, you can stop all sending at once. You see what happens before you confirm.</p>
          {isOwner ? (
            <p>
              <a class="button stop" href="/console/settings/kill">
                Stop all sending…
              </a>
            </p>
          ) : (
            <p class="soft">Only an owner, or a key with the scope control:manage, can stop all sending.</p>
          )}
        </>
      ) : (
        <>
          <p>
            All sending was stopped on <Moment atMillis={suspendedAtMillis} />. Allowing sending again does not resume
            any campaign.
          </p>
          {isOwner ? (
            <Form action="/console/settings/clear-suspension" button="Allow sending again" tone="go" />
          ) : (
            <p class="soft">Only an owner can allow sending again.</p>
          )}
        </>
      )}
    </Section>
  )
}

const Address = (props: { readonly workspace: Workspace }) => (
  <Section id="address" title="Postal address" isCard>
    <p class="soft">The law requires it in every message. You can’t launch a campaign without it.</p>
    {mayLoosen(useViewer()) ? (
      <Form action="/console/settings/postal-address" button="Save address">
        <Field
          label="Name and address, on one line"
          name="postal_address"
          required
          maxLength={500}
          value={props.workspace.postalAddress ?? ""}
        />
      </Form>
    ) : (
      <p>{props.workspace.postalAddress ?? "Not set."}</p>
    )}
  </Section>
)

/** Some of the caps, each with its name in the form. */
const CapsForm = (props: {
  readonly caps: WorkspaceCaps
  readonly of: ReadonlyArray<readonly [name: string, label: string, member: keyof WorkspaceCaps]>
  readonly button: string
}) => (
  <Form action="/console/settings/caps" button={props.button}>
    <div class="pairs">
      {props.of.map(([name, label, member]) => (
        <Field key={name} label={label} name={name} required inputMode="numeric" value={String(props.caps[member])} />
      ))}
    </div>
  </Form>
)

const CAPS = [
  ["daily_sends", "Messages per day, whole workspace", "dailySends"],
  ["mailbox_daily_sends", "Messages per day, each mailbox", "mailboxDailySends"],
  ["daily_replies", "Outgoing replies per day, whole workspace", "dailyReplies"],
  ["mailbox_daily_replies", "Outgoing replies per day, each mailbox", "mailboxDailyReplies"]
] as const

const Caps = (props: { readonly workspace: Workspace }) => (
  <Section id="caps" title="Caps" isCard>
    <p class="soft">Days are in UTC. Any member can lower a cap; only an owner can raise one.</p>
    <CapsForm caps={props.workspace.caps} of={CAPS} button="Save caps" />
  </Section>
)

const REFUSALS = [
  ["refusals_min", "Refused people before anything stops", "refusalsMin"],
  ["mailbox_refusals_percent", "Refused people at most, each mailbox, in percent", "mailboxRefusalsPercent"],
  ["receiver_refusals_percent", "The same at one receiving organisation, in percent", "receiverRefusalsPercent"]
] as const

/** The breaker's limits. */
const Refusals = (props: { readonly workspace: Workspace }) => (
  <Section id="refusals" title="When servers refuse your mail" isCard>
    <p class="soft">
      Servers may refuse a mailbox by policy or reputation (5.7.x, 4.7.x). Above the first share the mailbox pauses, if
      at least three organisations refused it. Above the second it writes to nobody at that organisation for a while.
      Any member can lower a limit; only an owner can raise one.
    </p>
    <CapsForm caps={props.workspace.caps} of={REFUSALS} button="Save limits" />
  </Section>
)

const Replying = (props: { readonly isOn: boolean }) => (
  <Section id="replying" title="Outgoing replies" isCard>
    <p>
      {props.isOn
        ? "On: keys with the scope reply:send can ask to reply to leads. A human approves each reply."
        : "Off: no key can reply to leads."}
    </p>
    {mayLoosen(useViewer()) || props.isOn ? (
      <Form action="/console/settings/reply-send" button={props.isOn ? "Turn replies off" : "Turn replies on"}>
        <input type="hidden" name="reply_send" value={props.isOn ? "off" : "on"} />
      </Form>
    ) : null}
  </Section>
)

const Overlapping = (props: { readonly overlap: Overlap }) => {
  const isQueue = props.overlap === "queue"
  return (
    <Section id="overlapping" title="People in two campaigns" isCard>
      <p>
        {isQueue
          ? "They wait: a campaign writes to people 30 days after the last message of another campaign, unless they answered."
          : "They are left out: a campaign never writes to people who got a message of another campaign in the last 30 days."}
      </p>
      {mayLoosen(useViewer()) || isQueue ? (
        <Form action="/console/settings/overlap" button={isQueue ? "Leave them out" : "Let them wait"}>
          <input type="hidden" name="queue" value={isQueue ? "off" : "on"} />
        </Form>
      ) : null}
    </Section>
  )
}

const MemberItem = (props: { readonly of: Member; readonly viewer: Viewer }) => {
  const { email, role, sinceMillis, userId } = props.of
  const viewer = useViewer()
  const isOwner = mayLoosen(viewer)
  const isSelf = viewer.signedIn.user.userId === userId
  const at = `/console/settings/members/${userId}`
  return (
    <li class="card">
      <strong>
        {email}
        {isSelf ? " (you)" : ""}
      </strong>
      <Badge tone={role === "owner" ? "good" : undefined}>{ROLE_WORDS[role]}</Badge>
      <p class="soft">
        Since <Moment atMillis={sinceMillis} />
      </p>
      {isOwner || isSelf ? (
        <div class="actions">
          {isOwner ? (
            <Form action={`${at}/role`} button="Change the role" about={`of ${email}`}>
              <p class="field">
                <label for={`role-${userId}`}>Role</label>
                <select id={`role-${userId}`} name="role">
                  {ROLES.map((one) => (
                    <option key={one} value={one} selected={one === role}>
                      {ROLE_WORDS[one]}
                    </option>
                  ))}
                </select>
              </p>
            </Form>
          ) : null}
          <a class="button stop" href={`${at}/remove`}>
            {isSelf ? "Leave…" : "Remove…"}
            <span class="unseen"> {isSelf ? "this workspace" : email}</span>
          </a>
        </div>
      ) : null}
    </li>
  )
}

export const settingsPage = (options: {
  readonly viewer: Viewer
  readonly workspace: Workspace
  readonly canReply: boolean
  readonly overlap: Overlap
  readonly rules: WorkspaceRules
  readonly members: Listing<Member>
  /** The viewer's; null where this service has no passkeys. */
  readonly passkeys: ReadonlyArray<Passkey> | null
  /** Whether to link to the suppression list and erasure. */
  readonly hasPeople: boolean
  readonly hasOwnKeys: boolean
  readonly links: ReadonlyArray<SettingsLink>
  readonly done: string | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { canReply, done, hasOwnKeys, hasPeople, members, overlap, passkeys, problem } = options
  const { viewer, workspace } = options
  const ownKeys = hasOwnKeys ? [{ path: "/console/settings/own-keys", text: "own keys" }] : []
  const more = [...ownKeys, ...options.links]
  return titledPage(
    {
      said: saidOf(DONE, done),
      problem,
      title: "Settings",
      viewer,
      at: "settings",
      isNarrow: true,
      headers: passkeys === null ? {} : SCRIPTED,
      lead: (
        <>
          {workspace.name} is a{" "}
          {workspace.kind === "sandbox" ? "sandbox workspace: all its data is simulated" : "live workspace"}. See also:{" "}
          <a href="/console/settings/history">change history</a> · <a href="/console/alerts">alerts</a> ·{" "}
          <a href="/console/settings/approvals">who must approve</a> ·{" "}
          <a href="/console/settings/notices">notices of approvals</a> · <a href={WORDS_PATH}>words by country</a>
          {more.map(({ path, text }) => (
            <>
              {" · "}
              <a href={path}>{text}</a>
            </>
          ))}
        </>
      )
    },
    <>
      <MayNote
        path="/console/settings"
        approver="you can make the rules of launches stricter"
        loosening="raise a cap, invite a member, make an owner, or allow sending again"
      />
      <div class="stack">
        <Sending />
        <Address workspace={workspace} />
        <Caps workspace={workspace} />
        <Refusals workspace={workspace} />
        <Replying isOn={canReply} />
        <Overlapping overlap={overlap} />
        <RulesSection rules={options.rules} />
        <ZoneSection viewer={viewer} />
        {hasPeople ? <PeopleSection /> : null}
      </div>
      <Section id="members" title="Members">
        <Cards of={members.shown} each={(of) => <MemberItem of={of} viewer={viewer} />} />
        <Pager path="/console/settings" name="members" of={members} first="First" more="Next" />
        {mayLoosen(viewer) ? (
          <Form class="card invite" action="/console/settings/members" button="Add member">
            <Field label="Email of the new member" name="email" isEmail required maxLength={320} />
            <Select label="Role" name="role" value="member" options={ROLE_CHOICES} />
          </Form>
        ) : null}
      </Section>
      <SessionsSection />
      {passkeys === null ? null : (
        <>
          <PasskeysSection passkeys={passkeys} viewer={viewer} />
          <Script />
        </>
      )}
    </>
  )
}
