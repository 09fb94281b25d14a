import {
  type AdoptionCandidate,
  type AdoptionReport,
  MailboxAdoption
} from "@outbound/domain/outreach/sending/MailboxAdoption.js"
import type { ReleaseReport } from "@outbound/domain/outreach/sending/releaseMailboxes.js"
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
      ? "The sending vendor's account has no mailbox."
      : [
          ...all.map(({ address, standing }) => `${standing.padEnd(8)}  ${address}`),
          "Nothing was taken over: name mailboxes with --address, or say --all."
        ].join("\n")
})

const WHY = {
  taken: "another workspace has it, or it is connected as a workspace's own",
  inactive: "the vendor can't send from it now",
  unknown: "the vendor's account has no such mailbox"
} as const

const done = ({ adopted, kept, refused }: AdoptionReport): Outcome => ({
  json: {
    adopted: adopted.map(({ address, mailboxId }) => ({ mailbox_id: mailboxId, address })),
    kept,
    refused: refused.map(({ address, why }) => ({ address, reason: why }))
  },
  text: [
    `${adopted.length} mailboxes were taken over; the workspace had ${kept.length} of them already.`,
    ...adopted.map(({ address, mailboxId }) => `  ${mailboxId}  ${address}`),
    ...refused.map(({ address, why }) => `- ${address}: ${WHY[why]}.`)
  ].join("\n"),
  isBad: refused.length > 0
})

/** Mailboxes that stand at the sending vendor already, for a live workspace. */
export const adoptCommand = (actions: Pick<Actions, "adopt">, config: Effect.Effect<OutboundConfig, unknown>) =>
  command(
    "adopt",
    "Takes mailboxes of the sending vendor's account over; without --address and --all it lists them.",
    {
      workspace: required(Flags.Id, "ID", "The workspace"),
      address: repeated(Schema.String, "A", "A mailbox to take over"),
      all: switched("Takes over every mailbox that is free")
    },
    ({ address, all, workspace }) =>
      Effect.gen(function* () {
        if (all !== undefined && address.length > 0) {
          return yield* new Flags.FlagMistakes({ mistakes: ["Give --address or --all, not both"] })
        }
        const work = Effect.flatMap(MailboxAdoption, (adoption) =>
          all === undefined && address.length === 0
            ? Effect.map(adoption.candidates(workspace), listed)
            : Effect.map(adoption.adopt(workspace, all === undefined ? address : null), (report) => {
                // Whoever wants all that are free knows that others are not.
                const outcome = done(report)
                return all === undefined ? outcome : { ...outcome, isBad: false }
              })
        )
        return yield* actions.adopt(yield* config, work)
      })
  )

const WHY_KEPT = {
  bought: "it was bought for the workspace, and was not taken over",
  own: "it is the workspace's own: `outbound mailbox remove` forgets it",
  unknown: "the workspace has no such mailbox"
} as const

const givenBack = ({ refused, released, stopping }: ReleaseReport): Outcome => ({
  json: {
    released: released.map(({ address, mailboxId }) => ({ mailbox_id: mailboxId, address })),
    refused: refused.map(({ address, why }) => ({ address, reason: why })),
    stopping
  },
  text: [
    `${released.length} mailboxes were given back.`,
    ...released.map(({ address, mailboxId }) => `  ${mailboxId}  ${address}`),
    ...refused.map(({ address, why }) => `- ${address}: ${WHY_KEPT[why]}.`),
    ...(stopping.length === 0
      ? []
      : [`The vendor was not yet seen to have stopped ${stopping.join(", ")}: do the same again in a minute.`])
  ].join("\n"),
  isBad: refused.length > 0 || stopping.length > 0
})

/** The way back: mailboxes that were taken over are anybody's again. */
export const releaseCommand = (actions: Pick<Actions, "adopt">, config: Effect.Effect<OutboundConfig, unknown>) =>
  command(
    "release",
    "Gives mailboxes back that were taken over at the sending vendor; refused while active campaigns are sent from them.",
    {
      workspace: required(Flags.Id, "ID", "The workspace"),
      address: repeated(Schema.String, "A", "A mailbox to give back"),
      "pause-campaigns": switched("Pauses the campaigns that are sent from them first")
    },
    ({ address, "pause-campaigns": pauseCampaigns, workspace }) =>
      Effect.gen(function* () {
        if (address.length === 0) return yield* new Flags.FlagMistakes({ mistakes: ["--address is missing"] })
        const options = { pauseCampaigns: pauseCampaigns !== undefined }
        const work = Effect.flatMap(MailboxAdoption, (adoption) =>
          Effect.map(adoption.release(workspace, address, options), givenBack)
        )
        return yield* actions.adopt(yield* config, work)
      })
  )
