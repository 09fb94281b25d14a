import {
  type AdoptionCandidate,
  type AdoptionReport,
  MailboxAdoption,
  type ReleaseReport
} from "@outbound/domain/outreach/sending/MailboxAdoption.js"
import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { command, type Outcome, repeated, required, switched } from "./Command.js"
import * as Flags from "./flags.js"

const listed = (all: ReadonlyArray<AdoptionCandidate>): Outcome => ({
  json: {
    mailboxes: all.map(({ address, displayName, standing }) => ({ address, name: displayName, standing }))
  },
  text:
    all.length === 0
      ? "The sending vendor's account has no mailboxes."
      : [
          ...all.map(({ address, standing }) => `${standing.padEnd(8)}  ${address}`),
          "No mailbox was adopted. Name mailboxes with --address, or use --all."
        ].join("\n")
})

const WHY = {
  taken: "another workspace uses it, or it is connected as an own mailbox",
  inactive: "the vendor can't send from it at the moment",
  unknown: "the vendor's account has no such mailbox"
} as const

const done = ({ adopted, kept, refused }: AdoptionReport): Outcome => ({
  json: {
    adopted: adopted.map(({ address, mailboxId }) => ({ mailbox_id: mailboxId, address })),
    kept,
    refused: refused.map(({ address, why }) => ({ address, reason: why }))
  },
  text: [
    `Adopted ${adopted.length} mailboxes; the workspace already had ${kept.length}.`,
    ...adopted.map(({ address, mailboxId }) => `  ${mailboxId}  ${address}`),
    ...refused.map(({ address, why }) => `- ${address}: ${WHY[why]}.`)
  ].join("\n"),
  isBad: refused.length > 0
})

/** Adopts existing mailboxes of the sending vendor for a live workspace. */
export const adoptCommand = (actions: Pick<Actions, "adopt">, config: Effect.Effect<OutboundConfig, unknown>) =>
  command(
    "adopt",
    "Adopts mailboxes of the sending vendor's account. Without --address or --all, lists them.",
    {
      workspace: required(Flags.Id, "ID", "The workspace"),
      address: repeated(Schema.String, "A", "A mailbox to adopt"),
      all: switched("Adopt every free mailbox")
    },
    ({ address, all, workspace }) =>
      Effect.gen(function* () {
        if (all !== undefined && address.length > 0) {
          return yield* new Flags.FlagMistakes({ mistakes: ["Use --address or --all, not both"] })
        }
        const work = Effect.flatMap(MailboxAdoption, (adoption) =>
          all === undefined && address.length === 0
            ? Effect.map(adoption.candidates(workspace), listed)
            : Effect.map(adoption.adopt(workspace, all === undefined ? address : null), (report) => {
                // With --all, mailboxes that are not free are no error.
                const outcome = done(report)
                return all === undefined ? outcome : { ...outcome, isBad: false }
              })
        )
        return yield* actions.adopt(yield* config, work)
      })
  )

const WHY_KEPT = {
  bought: "it was bought for the workspace, not adopted",
  own: "it is an own mailbox; use `outbound mailbox remove`",
  unknown: "the workspace has no such mailbox"
} as const

const releasedOutcome = ({ refused, released, stopping }: ReleaseReport): Outcome => ({
  json: {
    released: released.map(({ address, mailboxId }) => ({ mailbox_id: mailboxId, address })),
    refused: refused.map(({ address, why }) => ({ address, reason: why })),
    stopping
  },
  text: [
    `Released ${released.length} mailboxes.`,
    ...released.map(({ address, mailboxId }) => `  ${mailboxId}  ${address}`),
    ...refused.map(({ address, why }) => `- ${address}: ${WHY_KEPT[why]}.`),
    ...(stopping.length === 0
      ? []
      : [`The vendor has not yet confirmed that it stopped ${stopping.join(", ")}. Repeat the command in a minute.`])
  ].join("\n"),
  isBad: refused.length > 0 || stopping.length > 0
})

/** Releases adopted mailboxes. */
export const releaseCommand = (actions: Pick<Actions, "adopt">, config: Effect.Effect<OutboundConfig, unknown>) =>
  command(
    "release",
    "Releases adopted mailboxes. Refused while active campaigns send from them.",
    {
      workspace: required(Flags.Id, "ID", "The workspace"),
      address: repeated(Schema.String, "A", "A mailbox to release"),
      "pause-campaigns": switched("First pause the campaigns that send from them")
    },
    ({ address, "pause-campaigns": pauseCampaigns, workspace }) =>
      Effect.gen(function* () {
        if (address.length === 0) return yield* new Flags.FlagMistakes({ mistakes: ["--address is required"] })
        const options = { pauseCampaigns: pauseCampaigns !== undefined }
        const work = Effect.flatMap(MailboxAdoption, (adoption) =>
          Effect.map(adoption.release(workspace, address, options), releasedOutcome)
        )
        return yield* actions.adopt(yield* config, work)
      })
  )
