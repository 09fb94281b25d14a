import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { inject } from "vitest"
import type {} from "./globalSetup.js"

const ask = async (): Promise<string> => {
  const answer: { readonly url?: string; readonly failure?: string } = JSON.parse(
    await text(connect(inject("databaseSocket")))
  )
  if (answer.url === undefined) throw new Error(`The tests' PostgreSQL did not start: ${answer.failure}`)
  return answer.url
}

let asked: Promise<string> | undefined

/** The address of the run's PostgreSQL server, of a role that may create databases. The first to ask has it started. */
export const serverUrl = (): Promise<string> => (asked ??= ask())
