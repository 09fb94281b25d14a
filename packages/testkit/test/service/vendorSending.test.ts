import { vendorErasureContract } from "../../src/contracts/service/vendorErasure.js"
import { makeShop, vendorOrdersContract, withoutShopContract } from "../../src/contracts/service/vendorOrders.js"
import { vendorSendingContract } from "../../src/contracts/service/vendorSending.js"
import { liveWith, VENDOR_ZONES } from "../../src/contracts/service/vendorStories.js"
import { vendorTroubleContract } from "../../src/contracts/service/vendorTrouble.js"
import { vendorWordsContract } from "../../src/contracts/service/vendorWords.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { over } from "../../src/service/Service.js"
import { makeFakeVendor } from "../../src/vendors/FakeVendor.js"

// Each world of its own: two services that know nothing of each other may give the same ids.
const fake = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorSendingContract("memory", over(MemoryLayer.layer, liveWith(fake)), fake)

const troubled = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorTroubleContract("memory", over(MemoryLayer.layer, liveWith(troubled)), troubled)

const wording = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorWordsContract("memory", over(MemoryLayer.layer, liveWith(wording)), wording)

const erasing = makeFakeVendor({ timezones: VENDOR_ZONES })
vendorErasureContract("memory", over(MemoryLayer.layer, liveWith(erasing)), erasing)

const shop = makeShop()
const selling = makeFakeVendor({ capacity: shop.capacity })
vendorOrdersContract("memory", over(MemoryLayer.layer, liveWith(selling)), shop)
withoutShopContract("memory", over(MemoryLayer.layer, liveWith(fake)))
