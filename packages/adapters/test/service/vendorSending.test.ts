import { makeShop, vendorOrdersContract } from "@outbound/testkit/contracts/service/vendorOrders.js"
import { vendorSendingContract } from "@outbound/testkit/contracts/service/vendorSending.js"
import { liveWith, VENDOR_ZONES } from "@outbound/testkit/contracts/service/vendorStories.js"
import { vendorTroubleContract } from "@outbound/testkit/contracts/service/vendorTrouble.js"
import { over } from "@outbound/testkit/service/Service.js"
import { type FakeVendor, makeFakeVendor } from "@outbound/testkit/vendors/FakeVendor.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

const serviceWith = (fake: FakeVendor) =>
  over(PgStores.layer, liveWith(fake)).pipe(Layer.provideMerge(database), Layer.orDie)

// Each world of its own: two services that know nothing of each other may give the same ids.
const fake = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorSendingContract("postgres", serviceWith(fake), fake)

const troubled = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorTroubleContract("postgres", serviceWith(troubled), troubled, {
  deaths: 4,
  methods: ["push", "activate"]
})

const shop = makeShop()
vendorOrdersContract("postgres", serviceWith(makeFakeVendor({ capacity: shop.capacity })), shop)
