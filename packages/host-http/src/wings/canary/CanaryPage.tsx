import {
  COUNTED_MILLIS,
  FROM_DAILY_MAX,
  PAIR_DAILY_MAX,
  WORKSPACE_DAILY_MAX
} from "@outbound/domain/wings/canary/Canary.js"
import { CanaryAdmin, type CanaryStanding, type CanaryView } from "@outbound/domain/wings/canary/CanaryAdmin.js"
import { CanaryMachine, type CanaryState } from "@outbound/domain/wings/canary/CanaryMachine.js"
import { DAY_MILLIS, MINUTE_MILLIS } from "@outbound/domain/kernel/durations.js"
import { Effect } from "effect"
import { acting, MayNote } from "../../console/control/acting.js"
import { formsOf } from "../../console/control/formsOf.js"
import { maybe, pages } from "../../console/pages.js"
import { Form, type Problem, Section, StateBadge, type StateWords, Table } from "../../console/Parts.js"
import { HEALTH } from "../../console/sendingPaths.js"
import { saidOf, titledPage } from "../../console/Shell.js"
import type { Viewer } from "../../console/Viewer.js"
import { type Inside, member, type Page } from "../../console/Visit.js"
import type { Reply } from "../../http/Reply.js"
import { count, Moment } from "../../web/Words.js"

export const CANARY_PATH = "/console/settings/canaries"

/** Canaries on one page: the newest. */
const SHOWN_MAX = 50

const DONE: Readonly<Record<string, string>> = {
  on: "Canaries are on. The first ones leave within the hour, if a campaign is running.",
  off: "Canaries are off. What has left is still looked for."
}

const STATE: Readonly<Record<CanaryState, StateWords>> = {
  planned: ["Planned", undefined],
  sending: ["Leaving", "wait"],
  sent: ["Looked for", "wait"],
  inbox: ["Inbox", "good"],
  junk: ["Junk", "bad"],
  missing: ["Missing", "bad"],
  unknown: ["Not known", undefined],
  dropped: ["Not sent", undefined]
}

const delayOf = ({ arrivedAtMillis, sentAtMillis }: CanaryView): string => {
  if (arrivedAtMillis === null || sentAtMillis === null) return "–"
  const minutes = Math.round(Math.max(0, arrivedAtMillis - sentAtMillis) / MINUTE_MILLIS)
  return minutes < 1 ? "under a minute" : count(minutes, "minute")
}

const checksOf = ({ compauth, dkim, dmarc, says, spf }: CanaryView): string => {
  const checks = [
    ["SPF", spf],
    ["DKIM", dkim],
    ["DMARC", dmarc],
    ["all together", compauth]
  ].flatMap(([name, result]) => (result === null ? [] : [`${name} ${result}`]))
  return [...checks, ...(says === "" ? [] : [says])].join(", ") || "–"
}

const canaryPage = (options: {
  readonly viewer: Viewer
  readonly standing: CanaryStanding
  readonly done: string | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { done, problem, standing, viewer } = options
  const { canaries, mailboxes, setting } = standing
  const isOn = setting?.isOn === true
  return titledPage(
    {
      said: saidOf(DONE, done),
      problem,
      title: "Canaries",
      viewer,
      at: "settings",
      lead: (
        <>
          Your own mailboxes write to each other, to see whether mail lands in the inbox, in junk, or nowhere. Never to
          strangers. <a href={HEALTH}>Sending health</a>
        </>
      )
    },
    <>
      <MayNote path={CANARY_PATH} loosening="turn canaries on" />
      <Section id="now" title={isOn ? "On" : "Off"} isCard>
        <p>
          {setting === null ? (
            "Nobody has turned them on."
          ) : (
            <>
              Set by {setting.setBy}, <Moment atMillis={setting.setAtMillis} />.
            </>
          )}{" "}
          {count(mailboxes, "own mailbox", "own mailboxes")} connected.
        </p>
        <ul>
          <li>
            A canary carries the approved text of a running campaign from one mailbox to another one whose mail another
            provider receives. It needs mailboxes at two providers.
          </li>
          <li>
            Each sending domain writes once a day to each provider, and a second time if the first one was not in the
            inbox: at most {PAIR_DAILY_MAX} a day from one mailbox to another, {FROM_DAILY_MAX} from a mailbox and{" "}
            {WORKSPACE_DAILY_MAX} in all.
          </li>
          <li>
            It counts for no limit, no ramp and no campaign, and it is deleted where it is found, unread. A copy stays
            among the sent mail.
          </li>
          <li>
            If three of the last four were not in the inbox, the domain’s mailboxes leave that provider alone for a day,
            and longer each time. Nothing is ever loosened.
          </li>
          <li>Nobody has shown that it foretells where strangers’ mail lands.</li>
        </ul>
        <Form
          action={isOn ? `${CANARY_PATH}/off` : `${CANARY_PATH}/on`}
          button={isOn ? "Turn off" : "Turn on"}
          tone={isOn ? "stop" : "go"}
        />
      </Section>
      <Section id="canaries" title="Sent">
        <Table
          label="Canaries"
          head={["From", "To", "Provider", "Found", "After", "Its server says", "Planned"]}
          firm={[0, 1]}
          none={`None in ${COUNTED_MILLIS / DAY_MILLIS} days.`}
          rows={canaries
            .slice(0, SHOWN_MAX)
            .map((one) => [
              one.from ?? "a mailbox that is gone",
              one.to ?? "a mailbox that is gone",
              one.organisation,
              <StateBadge of={STATE[one.state]} />,
              CanaryMachine.is.found(one.state) ? delayOf(one) : "–",
              checksOf(one),
              <Moment atMillis={one.plannedAtMillis} />
            ])}
        />
        {canaries.length <= SHOWN_MAX ? null : (
          <p class="soft">
            The newest {SHOWN_MAX} of {count(canaries.length, "canary", "canaries")}.
          </p>
        )}
      </Section>
    </>
  )
}

export const canaryPages = pages({ canaries: maybe(CanaryAdmin) }, ({ canaries }) => {
  if (canaries === null) return []

  const show = (visit: Inside, problem?: Problem): Page => {
    const { by, query, viewer } = visit
    const shown = Effect.map(canaries.standing(by), (standing) =>
      canaryPage({ viewer, standing, done: query.get("done"), problem })
    )
    return acting(visit, "/console/settings", shown, { done: (page) => page })
  }

  const { route } = formsOf(CANARY_PATH, show)
  return [
    member(CANARY_PATH, { get: (visit) => show(visit) }),
    route("on", "on", ({ by }) => canaries.turnOn(by)),
    route("off", "off", ({ by }) => canaries.turnOff(by))
  ]
})
