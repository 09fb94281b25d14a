import { vendorErasureContract } from "@outbound/testkit/contracts/service/vendorErasure.js"
import { makeShop, vendorOrdersContract } from "@outbound/testkit/contracts/service/vendorOrders.js"
import { vendorSendingContract } from "@outbound/testkit/contracts/service/vendorSending.js"
import { liveWith, VENDOR_ZONES } from "@outbound/testkit/contracts/service/vendorStories.js"
import { vendorTroubleContract } from "@outbound/testkit/contracts/service/vendorTrouble.js"
import { vendorWordsContract } from "@outbound/testkit/contracts/service/vendorWords.js"
import { type FakeVendor, makeFakeVendor } from "@outbound/testkit/vendors/FakeVendor.js"
import { serviceWith } from "./service.js"

const serviceOf = (fake: FakeVendor) => serviceWith(liveWith(fake))

// Each world of its own: two services that know nothing of each other may give the same ids.
const fake = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorSendingContract("postgres", serviceOf(fake), fake)

const troubled = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorTroubleContract("postgres", serviceOf(troubled), troubled, {
  deaths: 4,
  methods: ["push", "activate"]
})

const wording = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorWordsContract("postgres", serviceOf(wording), wording)

const erasing = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorErasureContract("postgres", serviceOf(erasing), erasing)

const shop = makeShop()
vendorOrdersContract("postgres", serviceOf(makeFakeVendor({ capacity: shop.capacity })), shop)
