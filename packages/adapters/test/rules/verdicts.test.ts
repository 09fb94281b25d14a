import { verdictsContract } from "@outbound/testkit/rules/verdictsContract.js"
import { Layer } from "effect"
import { layer as campaigns } from "../../src/postgres/PgCampaignStore.js"
import { layer as verdicts } from "../../src/postgres/PgVerdictStore.js"
import { stores } from "../postgres/stores.js"

verdictsContract("postgres", Layer.provideMerge(Layer.merge(campaigns, verdicts), stores))
