import { type PersonFile, PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { isPersonFile, verifyPersonFile } from "@outbound/domain/control/personFile/fileText.js"
import { Effect, Result, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream, readFileSync } from "node:fs"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { command, type Command, type Outcome, required } from "./Command.js"
import * as Flags from "./flags.js"

/** What a person's file holds, in words; the file itself is its JSON. */
const exported = (file: PersonFile): Outcome => {
  const { answers, events, leads, messages, replies, suppressions } = file.sections
  return {
    json: JSON.parse(file.text) as Record<string, unknown>,
    text: [
      `${file.workspace.name} holds about ${file.email}:`,
      `  sources of the address: ${file.origins.length}; campaigns: ${leads.length}; messages: ${messages.length}`,
      `  replies: ${replies.length}; our answers: ${answers.length}; stored results: ${file.found.length}`,
      `  events of the trail: ${events.length}`,
      suppressions.length === 0 ? "They are not on the suppression list." : "They are on the suppression list.",
      ...(file.incomplete.length === 0 ? [] : [`Only the first rows are in it of: ${file.incomplete.join(", ")}.`]),
      "With --json this prints the file, which outbound trail verify FILE verifies."
    ].join("\n")
  }
}

/** `outbound person export` */
export const personCommands = (
  actions: Pick<Actions, "operate">,
  config: Effect.Effect<OutboundConfig, unknown>
): ReadonlyArray<Command> => [
  command(
    "export",
    "Prints everything that a workspace holds about one address, with --json as the person's file.",
    {
      workspace: required(Flags.Id, "ID", "The workspace"),
      email: required(Schema.String, "E", "The person's email address")
    },
    (flags) =>
      Effect.flatMap(config, (read) =>
        actions.operate(
          read,
          Effect.flatMap(PersonFiles, ({ makeFor }) => Effect.map(makeFor(flags.workspace, flags.email), exported))
        )
      )
  )
]

/** The largest file that is read. */
const FILE_BYTES_MAX = 200_000_000

const HEAD_BYTES = 64

/** Whether a file is a person's, by its first bytes. */
export const holdsPersonFile = async (path: string): Promise<boolean> => {
  for await (const chunk of createReadStream(path, { encoding: "utf8", end: HEAD_BYTES }))
    return isPersonFile(String(chunk))
  return false
}

/** What `outbound trail verify` says of a person's file. */
export const verifiedPersonFile = (path: string): Outcome => {
  const text = readFileSync(path, "utf8")
  const verified =
    text.length > FILE_BYTES_MAX
      ? Result.fail("the file is too long")
      : verifyPersonFile((given) => createHash("sha256").update(given, "utf8").digest("hex"), text)
  if (Result.isFailure(verified)) {
    return {
      json: { ok: false, fault: verified.failure },
      text: `The file can't be relied on: ${verified.failure}.`,
      isBad: true
    }
  }
  const { events, seals, workspaceId } = verified.success
  return {
    json: { ok: true, workspace_id: workspaceId, events, seals, fault: null },
    text: [
      `The person's file of workspace ${workspaceId} is as it was made: ${events} events in ${seals.length} seals.`,
      ...(seals.length === 0 ? [] : ["Compare the hashes of its seals with an export of the whole trail:"]),
      ...seals.map(({ hash, number }) => `  seal ${number}: ${hash}`)
    ].join("\n")
  }
}
