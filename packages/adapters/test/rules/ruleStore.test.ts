import { ruleStoreContract } from "@outbound/testkit/rules/ruleStoreContract.js"
import { Layer } from "effect"
import { layer as rules } from "../../src/postgres/PgRuleStore.js"
import { stores } from "../postgres/stores.js"

ruleStoreContract("postgres", Layer.provideMerge(rules, stores))
