import { webhooksContract } from "@outbound/testkit/contracts/webhooks.js"
import { webhooksBesideContract } from "@outbound/testkit/contracts/webhooksBeside.js"
import { Layer } from "effect"
import * as PgTrailStore from "../../src/postgres/PgTrailStore.js"
import * as PgWebhookStore from "../../src/postgres/PgWebhookStore.js"
import { stores } from "../postgres/stores.js"

const layer = Layer.merge(PgTrailStore.layer, PgWebhookStore.layer).pipe(Layer.provideMerge(stores))

webhooksContract("postgres", layer)
webhooksBesideContract("postgres", layer)
