import { longWorkContract } from "@outbound/testkit/contracts/longWork.js"
import { layer as scriptedJobs } from "@outbound/testkit/contracts/ScriptedJobs.js"
import { Layer } from "effect"
import { layer as unitOfWork } from "../../src/postgres/PgUnitOfWork.js"
import * as GraphileRunner from "../../src/work/GraphileRunner.js"
import * as GraphileWork from "../../src/work/GraphileWork.js"
import { database } from "../postgres/stores.js"
import { quiet } from "./pool.js"

const engine = Layer.mergeAll(GraphileRunner.layer, GraphileWork.layer, unitOfWork).pipe(
  Layer.provideMerge(scriptedJobs),
  Layer.provide(database),
  Layer.provide(quiet)
)

longWorkContract("PostgreSQL", engine, { clock: "real" })
