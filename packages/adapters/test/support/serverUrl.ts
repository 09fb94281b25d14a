import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { inject } from "vitest"
import type {} from "./globalSetup.js"
import type { ServerOfRun } from "./serverOfRun.js"

type Server = Pick<ServerOfRun, "url" | "template">

const ask = async (): Promise<Server> => {
  const answer: Server | { readonly failure: string } = JSON.parse(await text(connect(inject("databaseSocket"))))
  if ("failure" in answer) throw new Error(`The tests' PostgreSQL did not start: ${answer.failure}`)
  return answer
}

let asked: Promise<Server> | undefined

/** The run's PostgreSQL server. The first to ask has it started. */
export const server = (): Promise<Server> => (asked ??= ask())

/** Its address, of a role that may create databases. */
export const serverUrl = async (): Promise<string> => (await server()).url
