import { attentionStoreContract } from "@outbound/testkit/attention/attentionStoreContract.js"
import { Layer } from "effect"
import { layer as approvals } from "../../src/postgres/PgApprovalStore.js"
import { layer as attention } from "../../src/postgres/PgAttentionStore.js"
import { layer as users } from "../../src/postgres/PgUserStore.js"
import { stores } from "../postgres/stores.js"

attentionStoreContract("postgres", Layer.provideMerge(Layer.mergeAll(approvals, attention, users), stores))
