import type { ControlRefused } from "@outbound/domain/control/Control.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { Effect } from "effect"
import type { Problem } from "../Parts.js"
import { type Inside, member, type Page, type Route } from "../Visit.js"
import { acting } from "./acting.js"

type Work<A> = (visit: Inside) => Effect.Effect<A, ControlRefused | StoreUnavailable>
type Done<A> = string | ((result: A) => `/${string}`)

/**
 * The forms of one page. Each leads back to it: with the name of what was done, or to a path of the result. After
 * validation errors, `show` shows the page again.
 */
export const formsOf = (page: `/${string}`, show: (visit: Inside, problem: Problem) => Page) => {
  const post =
    <A>(done: Done<A>, work: Work<A>) =>
    (visit: Inside): Page =>
      acting(visit, page, work(visit), {
        done: (result) => (typeof done === "string" ? `${page}?done=${done}` : done(result)),
        again: (problem) => show(visit, problem)
      })
  /** A form that is sent to a path below the page's. */
  const route = <A>(path: string, done: Done<A>, work: Work<A>): Route =>
    member(`${page}/${path}`, { formOn: page, post: post(done, work) })
  return { post, route }
}
