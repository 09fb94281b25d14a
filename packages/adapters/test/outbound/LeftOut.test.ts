import { leftOutContract } from "@outbound/testkit/contracts/leftOut.js"
import { Layer } from "effect"
import * as PgConsoleReads from "../../src/postgres/PgConsoleReads.js"
import { layer } from "./stores.js"

leftOutContract("PostgreSQL", Layer.provideMerge(PgConsoleReads.layer, layer))
