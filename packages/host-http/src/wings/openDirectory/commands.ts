import { OpenDirectoryLoader } from "@outbound/domain/wings/openDirectory/OpenDirectoryLoader.js"
import type { OpenLoad } from "@outbound/domain/wings/openDirectory/OpenDirectoryStore.js"
import { OpenLoadMachine } from "@outbound/domain/wings/openDirectory/OpenLoadMachine.js"
import { OPEN_PUBLISHERS, OPEN_REFUSALS, type OpenRefusal } from "@outbound/domain/wings/openDirectory/OpenRecords.js"
import { PUBLISHERS } from "@outbound/domain/wings/openDirectory/publishers/publishers.js"
import { isoOrNull } from "@outbound/domain/kernel/text.js"
import { Console, Effect } from "effect"
import { command } from "../../commands/Command.js"
import { flagError } from "../../commands/secrets.js"
import type { MakePublishedFiles } from "../PublishedFile.js"

/** Records between progress lines. */
const PROGRESS_RECORDS = 50_000

/** The part of a file that covers all that its publisher has. */
const EVERYTHING = "all"

const PART = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u

const n = (count: number): string => count.toLocaleString("en-US")

const WORDS: Readonly<Record<OpenRefusal, string>> = {
  unreadable: "can't be read",
  no_id: "have no id of this publisher",
  no_name: "have no name",
  no_country: "have no country",
  no_website: "have no website",
  others_website: "have only a page on another's site",
  closed: "are closed, bankrupt or in liquidation",
  dormant: "do no business",
  a_person: "are sole traders, whose names are persons'",
  unknown_licence: "have no known licence"
}

const refusals = ({ refused }: OpenLoad) =>
  OPEN_REFUSALS.flatMap((reason) => {
    const found = refused[reason]
    return found === undefined ? [] : [{ reason, ...found }]
  })

const loadJson = (load: OpenLoad) => ({
  from: load.publisher,
  part: load.part,
  state: load.state,
  records: load.position,
  added: load.added,
  updated: load.updated,
  known: load.known,
  retired: load.retired,
  refused: refusals(load).map(({ count, first, reason }) => ({ reason, count, first_record: first })),
  began_at: isoOrNull(load.beganAtMillis),
  ended_at: isoOrNull(load.endedAtMillis)
})

const loadText = (load: OpenLoad): string => {
  const { added, known, part, position, publisher, retired, updated } = load
  return [
    `${PUBLISHERS[publisher].title}, ${part}: ${n(position)} records, ${n(added)} added, ${n(updated)} updated, ` +
      `${n(known)} have nothing new, ${n(retired)} retired.`,
    ...refusals(load).map(
      ({ count, first, reason }) => `  ${n(count)} ${WORDS[reason]}; the first is record ${n(first)}`
    )
  ].join("\n")
}

/** Prints progress to standard error: what a killed import goes on from, and how far it is. */
const progressPrinter = () => {
  let told: { readonly state: string; readonly position: number } | null = null
  return (load: OpenLoad) =>
    Effect.suspend(() => {
      const { added, position, retired, state, updated } = load
      const isFirst = told === null
      if (told !== null && told.state === state && position - told.position < PROGRESS_RECORDS) return Effect.void
      told = { state, position }
      if (isFirst && position === 0) return Effect.void
      return Console.error(
        isFirst
          ? `Goes on after record ${n(position)}, where an earlier import of this file stopped.`
          : `${n(position)} records: ${n(added)} added, ${n(updated)} updated, ${n(retired)} retired (${state})`
      )
    })
}

/** `outbound directory import --from`, and `outbound directory published`. */
export const openFiles: MakePublishedFiles = (actions, config) => ({
  names: OPEN_PUBLISHERS,
  take: ({ file, from, mayShrink, part: given }) => {
    const publisher = OPEN_PUBLISHERS.find((name) => name === from)
    if (publisher === undefined) return flagError(`--from must be one of ${OPEN_PUBLISHERS.join(", ")}`)
    if (given === null && PUBLISHERS[publisher].isInParts) {
      return flagError(
        `--from ${publisher} needs --part NAME, what the file covers, such as berlin: a later file of the same part replaces it`
      )
    }
    const part = given ?? EVERYTHING
    if (!PART.test(part)) return flagError("--part must be a short name of letters and digits, such as berlin")
    return Effect.gen(function* () {
      const read = yield* config
      return yield* actions.operate(
        read,
        Effect.gen(function* () {
          const { loadFile } = yield* OpenDirectoryLoader
          const progress = progressPrinter()
          const done = yield* loadFile(file, { publisher, part, mayShrink, progress })
          return {
            json: loadJson(done),
            text: loadText(done),
            isBad: done.position > 0 && done.added + done.updated + done.known === 0
          }
        })
      )
    })
  },
  commands: [
    command("published", "Lists the published files that were imported, and what became of their records.", {}, () =>
      Effect.flatMap(config, (read) =>
        actions.operate(
          read,
          Effect.gen(function* () {
            const { loads } = yield* OpenDirectoryLoader
            const found = yield* loads
            return {
              json: { files: found.map(loadJson) },
              text:
                found.length === 0
                  ? "No published file was imported."
                  : found
                      .map((load) =>
                        OpenLoadMachine.is.ended(load.state)
                          ? loadText(load)
                          : `${loadText(load)}\n  This import did not come to its end. Give the same command again.`
                      )
                      .join("\n")
            }
          })
        )
      )
    )
  ]
})
