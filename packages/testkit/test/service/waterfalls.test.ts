import { waterfallContract, waterfallProviders } from "../../src/contracts/service/waterfalls.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { over } from "../../src/service/Service.js"

waterfallContract("memory", over(MemoryLayer.layer, waterfallProviders))
