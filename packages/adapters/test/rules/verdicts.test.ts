import { verdictsContract } from "@outbound/testkit/rules/verdictsContract.js"
import { Layer } from "effect"
import { layer as verdicts } from "../../src/postgres/PgVerdictStore.js"
import { stores } from "../postgres/stores.js"

verdictsContract("postgres", Layer.provideMerge(verdicts, stores))
